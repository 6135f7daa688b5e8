"""serow in PySpark, beside PySpark alone, `marshal`, and what Spark does without Python's rows.

`run.py` is the entry. What happens, in the order of the files:

    settings.py         how much is measured, in a full run and in a quick one
    contestants.py      who takes part, and how each has Spark set up
    task.py             what a job is, and what is wanted of it
    data.py             what jobs work on: texts, RDDs and DataFrames, cached
    made_rows.py        the rows of the DataFrames
    tasks_text.py       jobs that read a text
    tasks_rdd.py        jobs on an RDD of tuples
    tasks_dataframe.py  jobs that carry rows of DataFrames to Python and back
    tasks.py            all of them
    checks.py           what of a result is compared
    processors.py       what the processors did meanwhile
    gc_off.py           PySpark's daemon, without Python's garbage collector
    one.py              a contestant's process, with its Spark
    rounds.py           everyone in turns, and their results compared
    results.py          records, and the CSV
    goals.py            what was promised, and what it is
    plots.py            the figures of docs/benchmarks.md
    page.py             the tables of docs/benchmarks.md

`one.py` and what it needs run in an environment with PySpark, the rest in the one that builds.
"""
