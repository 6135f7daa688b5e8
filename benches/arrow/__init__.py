"""Rows to Arrow and back, beside pyarrow, Polars and DuckDB.

`run.py` is the entry. The other files, in the order of what happens:

    contests.py   what is measured, and the goals
    side.py       a process that does one task of one contestant
    data.py       the rows
    tasks.py      the tasks, each as its contestants do it best
    results.py    times and memory, and the CSV
    page.py       the tables and the plot
"""
