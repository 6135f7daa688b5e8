"""The command `python -m serow.spark.jar`, which prints the path of the jar."""

from serow.spark._jar import jar

if __name__ == "__main__":
    print(jar())
