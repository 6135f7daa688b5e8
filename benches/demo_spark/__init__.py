"""PySpark on a cluster, with and without serow: the same tasks, their times and their results.

`run.py` is the entry. The other files:

    cluster.py      starts and stops a standalone master with its workers on loopback
    application.py  one contestant's process: the driver of an application on the cluster
    tasks.py        the tasks of each application
    report.py       the table

The table of parts, the processes and the comparison of results come from `benches/demo`, and most
tasks from `benches/spark`.
"""
