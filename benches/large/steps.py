"""Contestants that write row by row to a compressing stream: compression in one step.

Java programs do so when they put an ObjectOutputStream on top of a GZIPOutputStream. Between both
is a buffer, without which each row would cost a call of the compressor. Java's has 1,024 bytes; the
buffer here is longer, because that is faster for some of the contestants.
"""

import io
import pickle
from abc import ABC, abstractmethod
from struct import Struct
from typing import BinaryIO

import serow

from demo.rows import Row, Rows
from large.compressors import STREAMS
from large.workloads import WORKLOADS

BUFFER = 65_536
LENGTH = Struct("<I")


class OneStep(ABC):
    """Writes each row to the stream by itself."""

    def __init__(self, workload: str, compression: str) -> None:
        """Needs only the compression."""
        self._compressor = STREAMS[compression]()

    def encode(self, rows: Rows) -> bytes:
        """Compresses while it writes."""
        out = io.BytesIO()
        stream = self._compressor.writer(out)
        buffered = io.BufferedWriter(stream, BUFFER)
        self.write(rows, buffered)
        buffered.flush()
        stream.close()
        return out.getvalue()

    def decode(self, data: bytes) -> Rows:
        """Decompresses while it reads."""
        stream = self._compressor.reader(io.BytesIO(data))
        return self.read(io.BufferedReader(stream, BUFFER))

    @abstractmethod
    def write(self, rows: Rows, out: BinaryIO) -> None:
        """Writes all rows."""

    @abstractmethod
    def read(self, source: BinaryIO) -> Rows:
        """Reads all rows."""


class SerowRecords(OneStep):
    """A single record for each row, after its length."""

    def __init__(self, workload: str, compression: str) -> None:
        """Compiles the codec."""
        super().__init__(workload, compression)
        self._codec = serow.Codec(WORKLOADS[workload].schema, fingerprint=False)
        self._codec.compile("encode_one")
        self._codec.compile("decode_one")

    def write(self, rows: Rows, out: BinaryIO) -> None:
        """Writes lengths and records."""
        encode_one, pack, write = self._codec.encode_one, LENGTH.pack, out.write
        for row in rows:
            record = encode_one(row)
            write(pack(len(record)) + record)

    def read(self, source: BinaryIO) -> Rows:
        """Reads lengths and records."""
        decode_one, unpack, read = self._codec.decode_one, LENGTH.unpack, source.read
        rows: list[Row] = []
        while length := read(LENGTH.size):
            rows.append(decode_one(read(*unpack(length))))
        return rows


class PickleRows(OneStep):
    """A pickle for each row."""

    def write(self, rows: Rows, out: BinaryIO) -> None:
        """Writes pickles."""
        dumps, write = pickle.dumps, out.write
        for row in rows:
            write(dumps(row, 5))

    def read(self, source: BinaryIO) -> Rows:
        """Reads pickles."""
        rows: list[Row] = []
        while True:
            try:
                rows.append(pickle.load(source))
            except EOFError:
                return rows
