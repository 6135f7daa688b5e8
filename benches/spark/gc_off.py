"""PySpark's daemon, whose workers collect no garbage."""

import gc

from pyspark.daemon import manager

if __name__ == "__main__":
    gc.disable()
    manager()
