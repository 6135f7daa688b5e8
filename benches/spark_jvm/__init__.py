"""serow as Spark's serializer of JVM objects, compared with Java's, with Kryo and with Fory.

`run.py` is the entry. The other files, in the order of what happens:

    settings.py      the amount of work, in a full run and in a quick one
    groups.py        the groups of jobs, which share a JVM
    contestants.py   the contestants, and their configurations of Spark
    rounds.py        lets everyone take turns and compares the results
    results.py       records, and the CSV
    goals.py         the goals and the measured figures
    plots.py         the plots
    page.py          the tables

`java/spark-bench` is a contestant's process: the jobs, in Scala.
"""
