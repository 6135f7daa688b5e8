"""The benchmark's rows in Python, on newer Pythons and on the Python they are compared with.

`run.py` is the entry. The other files, in the order of what happens:

    turns.py      the order of measurements; all Pythons take turns
    side.py       a process on one of the Pythons
    results.py    times, ratios and their spread, and the CSV
    page.py       the tables

It times the same work on the same rows as `benches/suite`.
"""
