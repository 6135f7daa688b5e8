"""PySpark on a cluster, stock and with serow: the same tasks, their times and their results.

`run.py` is the entry. What happens, in the order of the files:

    cluster.py      a standalone master with its workers on loopback, started and stopped
    application.py  one contestant's process, which is the driver of an application there
    tasks.py        what each application runs
    report.py       the table

The table of parts, the processes and the comparison of results are those of `benches/demo`, and
most tasks those of `benches/spark`.
"""
