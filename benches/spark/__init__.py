"""serow in PySpark, compared with plain PySpark, `marshal`, and Spark without Python's rows.

`run.py` is the entry. The other files, in the order of what happens:

    settings.py         the amount of work, in a full run and in a quick one
    contestants.py      the contestants, and their configurations of Spark
    task.py             a job and its goals
    data.py             the data of jobs: texts, RDDs and DataFrames, cached
    made_rows.py        the rows of the DataFrames
    tasks_text.py       jobs that read a text
    tasks_rdd.py        jobs on an RDD of tuples
    tasks_dataframe.py  jobs that move rows of DataFrames to Python and back
    tasks.py            the list of all jobs
    checks.py           the compared part of a result
    processors.py       the CPU time of all processes
    gc_off.py           PySpark's daemon, without Python's garbage collector
    one.py              a contestant's process, with its Spark
    rounds.py           lets everyone take turns and compares the results
    results.py          records, and the CSV
    goals.py            the goals and the measured figures
    plots.py            the plots
    page.py             the tables

`one.py` and what it needs run in an environment with PySpark, the rest in the build environment.
"""
