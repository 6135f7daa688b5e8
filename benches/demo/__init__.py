"""The main job, end to end: TPC-H Part rows from Python to a JVM and back.

`run.py` is the entry. What happens, in the order of the files:

    part.py          generates the table, parses it to tuples, hands it out in portions
    orchestrator.py  one process per contestant, rounds interleaved
    worker.py        one contestant's process: its rows, its JVM, its rounds
    process.py       a child process that answers questions
    handle.py        what the orchestrator asks of a worker
    java_peer.py     starts the JVM, talks to it, always reaps it
    framing.py       length-prefixed messages on the socket
    protocol.py      which messages there are
    trip.py          one timed round: there, checked by digest, and back, compared
    digest.py        the byte stream that both languages hash
    compare.py       equality with exact types and bits
    clock.py         how a piece of work is timed
    measure.py       what a round measured, and how rounds are summed up
    report.py        the table and the ratios
    contestants/     serow, pickle, BSON and Protocol Buffers, one file each

The JVM's side is the Maven module `java/demo`, with the same names.
"""
