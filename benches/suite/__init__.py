"""The benchmark: serow beside its peers, in Python, on the JVM and between them.

`run.py` is the entry. What happens, in the order of the files:

    settings.py      how much is measured, in a full run and in a quick one
    workload.py      what rows of one schema are
    workloads.py     the rows: Part, and rows that differ from it
    wider.py         rows that hold more: dates, decimals, dicts
    tables.py        the text that those are read from, in both languages
    entrants/        serow and its peers, one file each, and the list of them
    work.py          the pieces of work that are timed
    python_side.py   an entrant's process in Python
    java_side.py     an entrant's JVM
    socket_side.py   an entrant's process in Python with its JVM, and rows streamed between them
    phases.py        what is measured in which order, with everyone taking turns
    wider_phases.py  the same for the wider rows
    startup.py       import, first use, compile time, sizes of packages
    figures.py       least, median, ratio and its spread
    results.py       records, and the CSV
    machine.py       the CSV's header: the CPU, versions
    goals.py         what was promised and what it is
    bars.py          how plots are drawn, whatever is measured
    plots.py         the figures of docs/benchmarks.md
    page.py          the tables of docs/benchmarks.md

The tables' generator, the JVMs' handling, the comparison of rows and three of the contestants are
the demo's; `benches/demo/__init__.py` lists them. The JVM's side is the Maven module `java/bench`.
"""
