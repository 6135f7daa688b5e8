"""The main demo: TPC-H Part rows from Python to a JVM and back.

`run.py` is the entry. The other files, in the order of what happens:

    part.py          generates the table, parses it to tuples, returns it in portions
    orchestrator.py  one process per contestant, rounds interleaved
    worker.py        one contestant's process: its rows, its JVM, its rounds
    process.py       a child process that answers questions
    handle.py        the orchestrator's requests to a worker
    java_peer.py     starts the JVM, talks to it, always reaps it
    framing.py       length-prefixed messages on the socket
    protocol.py      the kinds of messages
    trip.py          one timed round: there, checked by digest, and back, compared
    streams.py       the same by files with streams, compressed or not
    digest.py        the byte stream that both languages hash
    compare.py       equality with exact types and bits
    clock.py         timing
    measure.py       the measurements of a round, and their summary
    report.py        the table and the ratios
    contestants/     serow, pickle, BSON and Protocol Buffers, one file each

The JVM's side is the Maven module `java/demo`, with the same names.
"""
