"""Large data: sizes beside Parquet's and pickle's, compression in one step or two, and streams.

`run.py` is the entry. The other files, in the order of what happens:

    settings.py       the amount of work, in a full run and in a quick one
    workloads.py      the rows: two tables of TPC-H, and made-up map statuses
    compressors.py    zstd and gzip, of bytes and of streams
    formats.py        contestants that make one message of all rows
    steps.py          contestants that write row by row to a compressing stream
    contestants.py    the names of all contestants, and what each takes part in
    side.py           the process of a contestant
    pipe_side.py      the processes of a stream through a pipe, and of single messages
    rounds.py         lets the contestants take turns
    results.py        times, bytes and memory, and the CSV
    goals.py          the goals and the measured figures
    page.py           the tables
"""
