"""The benchmark: serow compared with its peers, in Python, on the JVM and between them.

`run.py` is the entry. The other files, in the order of what happens:

    settings.py      the amount of work, in a full run and in a quick one
    workload.py      a workload: rows of one schema
    workloads.py     the rows: Part, and rows that differ from it
    wider.py         rows with more types: dates, decimals, dicts
    tables.py        the text files of these rows, for both languages
    entrants/        serow and its peers, one file each, and the list of them
    work.py          the pieces of work that are timed
    orders.py        the orders of rows, and the works that are timed on them
    python_side.py   an entrant's process in Python
    java_side.py     an entrant's JVM
    socket_side.py   an entrant's process in Python with its JVM, and rows streamed between them
    phases.py        the order of measurements; all entrants take turns
    wider_phases.py  the same for the wider rows
    startup.py       import, first use, compile time, the JVM's warm-up
    figures.py       least, median, ratio and its spread
    results.py       records, and the CSV
    machine.py       the CSV's header: the CPU, versions
    goals.py         the goals and the measured figures
    bars.py          the drawing of plots
    plots.py         the plots
    page.py          the tables

The tables' generator, the JVMs' handling, the comparison of rows and three of the contestants are
the demo's; `benches/demo/__init__.py` lists them. The JVM's side is the Maven module `java/bench`.
"""
