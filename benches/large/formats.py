"""Contestants that make one message of all rows, and then compress it by one call."""

import io
import pickle
from typing import Any, Literal, Protocol

import serow

from demo.rows import Rows
from large.compressors import COMPRESSORS, GZIP, LZ4, NONE, ZSTD
from large.workloads import LINEITEM, PART, WORKLOADS

BATCH = 1000
"""Rows in a pickle: its memo becomes slow on long lists."""


class Contestant(Protocol):
    """One way to make bytes of rows."""

    def encode(self, rows: Rows) -> bytes:
        """Makes bytes of all rows."""

    def decode(self, data: bytes) -> Rows:
        """Makes the rows again."""


class Serow:
    """A compiled codec. It compresses itself, except by gzip."""

    def __init__(
        self, workload: str, compression: str, wire: Literal["frame", "row"] = "frame"
    ) -> None:
        """Compiles the codec."""
        schema = WORKLOADS[workload].schema
        if compression in (NONE, GZIP):
            self._codec = serow.Codec(schema, wire=wire)
        else:
            own: Literal["zstd", "lz4"] = "zstd" if compression == ZSTD else "lz4"
            self._codec = serow.Codec(schema, wire=wire, compression=own)
        self._compressor = COMPRESSORS[GZIP if compression == GZIP else NONE]()
        self._codec.compile()

    def encode(self, rows: Rows) -> bytes:
        """Encodes, and then compresses."""
        return self._compressor.compress(self._codec.encode(rows))

    def decode(self, data: bytes) -> Rows:
        """Decompresses, and then decodes."""
        return self._codec.decode(self._compressor.decompress(data))


class SerowRows(Serow):
    """The same with the row wire."""

    def __init__(self, workload: str, compression: str) -> None:
        """Compiles the codec."""
        super().__init__(workload, compression, "row")


class Pickle:
    """Protocol 5, in batches, behind one another in one message."""

    def __init__(self, workload: str, compression: str) -> None:
        """Needs only the compression."""
        self._compressor = COMPRESSORS[compression]()

    def encode(self, rows: Rows) -> bytes:
        """Pickles, and then compresses."""
        out = io.BytesIO()
        for begin in range(0, len(rows), BATCH):
            pickle.dump(rows[begin : begin + BATCH], out, 5)
        return self._compressor.compress(out.getvalue())

    def decode(self, data: bytes) -> Rows:
        """Decompresses, and then unpickles."""
        source = io.BytesIO(self._compressor.decompress(data))
        end, rows = len(source.getbuffer()), []
        while source.tell() < end:
            rows += pickle.load(source)
        return rows


class Parquet:
    """pyarrow's Parquet, by a table with the columns of the rows.

    Several ways from rows to a table and back were tried, and these were the fastest. `zip` makes
    columns of rows and rows of columns. The types of the columns are given. `to_pylist` makes most
    objects, and NumPy makes decimals and dates. `read_table` uses its own threads.
    """

    def __init__(self, workload: str, compression: str) -> None:
        """Makes the schema of the table."""
        import pyarrow  # not every Python has it
        import pyarrow.parquet

        self._arrow: Any = pyarrow
        self._compression = compression
        integer, text, price = pyarrow.int64(), pyarrow.string(), pyarrow.float64()
        money, day = pyarrow.decimal128(15, 2), pyarrow.date32()
        self._types = {
            PART: [integer, *[text] * 4, integer, text, price, text],
            LINEITEM: [*[integer] * 4, *[money] * 4, *[text] * 2, *[day] * 3, *[text] * 3],
        }[workload]
        self._names = [f"field {number}" for number in range(len(self._types))]
        self._by_numpy = [kind in (money, day) for kind in self._types]

    def encode(self, rows: Rows) -> bytes:
        """Turns the rows into columns, and writes these."""
        columns = zip(zip(*rows, strict=True), self._types, strict=True)
        arrays = [self._arrow.array(column, kind) for column, kind in columns]
        table, out = self._arrow.Table.from_arrays(arrays, self._names), io.BytesIO()
        self._arrow.parquet.write_table(table, out, compression=self._compression)
        return out.getvalue()

    def decode(self, data: bytes) -> Rows:
        """Reads the columns, and turns them into rows."""
        table = self._arrow.parquet.read_table(self._arrow.BufferReader(data))
        columns = [
            column.to_numpy().tolist() if by_numpy else column.to_pylist()
            for column, by_numpy in zip(table.columns, self._by_numpy, strict=True)
        ]
        return list(zip(*columns, strict=True))


OWN = (NONE, ZSTD, LZ4)
"""The compressions of serow's own messages."""
