"""Large messages on several threads, in Python and in Rust.

`run.py` is the entry. The other files, in the order of what happens:

    settings.py      the amount of work, in a full run and in a quick one
    rounds.py        lets the numbers of threads take turns
    python_side.py   the process with the rows in Python
    results.py       times and ratios, and the CSV
    model.py         the time that a model predicts for a number of threads
    goals.py         the goals and the measured figures
    page.py          the tables

`crates/serow/examples/parallel.rs` is the process with the rows in Rust.
"""
