"""Where an allocation of Python fails, each function raises a MemoryError or does without it."""

import subprocess
import sys

import pytest

#: Each function once. What it makes, and what it needs, is small, so that it has few allocations.
DOORS = """
def write():
    with serow.Writer(io.BytesIO(), metadata={"a": "b"}) as writer:
        writer.write(rows[0])
        writer.write_rows(iter(rows))
        writer.flush()
        return writer.rows, writer.frames_written, writer.bytes_written, writer.schema

def read():
    reader = serow.Reader(io.BytesIO(message))
    return list(reader), reader.rows_lost, reader.bytes_read, reader.schema

def compare():
    return schema.compare(serow.Schema.parse("R{a: i64}"))

doors = {
    "Schema.parse": lambda: serow.Schema.parse("R{a: i64}"),
    "Schema.infer": lambda: serow.Schema.infer(rows),
    "Schema.of": lambda: serow.Schema.of(Part),
    "Schema.type": lambda: (schema.type, schema.fields, schema["a"], schema.type_list),
    "Schema's texts": lambda: (str(schema), repr(schema), schema.pretty(), schema.fingerprint),
    "Schema.compare": compare,
    "SchemaSet": lambda: (repr(serow.SchemaSet([schema])), list(serow.SchemaSet([schema]))),
    "pickle": lambda: (codec.__getnewargs_ex__(), schema.__reduce__()),
    "schema_of": lambda: serow.schema_of(message),
    "Codec": lambda: serow.Codec("R{a: i64}", wire="row", compression="zstd", threads=2),
    "Codec's texts": lambda: (repr(codec), codec.tier, codec.tiers, codec.wire, codec.threads),
    "encode_one": lambda: codec.encode_one(rows[0]),
    "encode_one of another class": lambda: codec.encode_one(OrderedDict(rows[0])),
    "encode_one_into": lambda: codec.encode_one_into(rows[0], bytearray(100)),
    "encode_into": lambda: codec.encode_into(rows, bytearray(1000)),
    "decode_one": lambda: codec.decode_one(record),
    "dumps": lambda: serow.dumps(rows),
    "dumps of an iterator": lambda: serow.dumps(iter(rows)),
    "loads": lambda: serow.loads(message),
    "dumps of values": lambda: serow.dumps(values),
    "loads of values": lambda: serow.loads(of_values),
    "dumps of parts": lambda: serow.dumps(parts),
    "dumps of a named tuple": lambda: serow.dumps([Pair(1, "x")]),
    "loads of parts": lambda: serow.loads(of_parts),
    "loads to parts": lambda: serow.loads(of_parts, type=Part),
    "Writer": write,
    "Reader": read,
    "view": lambda: serow.view(io.BytesIO(stream))[0],
    "metadata": lambda: serow.Reader(io.BytesIO(stream)).metadata,
    "Decoder": lambda: serow.Decoder().feed(stream),
    "recover": lambda: serow.recover(path),
    "to_arrow": lambda: serow.to_arrow(rows),
    "to_arrow of an iterator": lambda: repr(serow.to_arrow(iter(rows))),
    "decode_arrow": lambda: codec.decode_arrow(message),
    "Reader.arrow": lambda: serow.Reader(io.BytesIO(stream)).arrow(),
    "a wrong value": lambda: serow.dumps([{"a": object()}]),
    "a value of another type": lambda: codec.encode([{"a": "x"}]),
    "rows that are none": lambda: serow.dumps(5),
    "a wrong option": lambda: serow.dumps(rows, wire="none"),
    "a wrong schema": lambda: serow.Schema.parse("R{"),
    "wrong bytes": lambda: serow.loads(b"SROW and what is no message"),
    "too small a buffer": lambda: codec.encode_into(rows, bytearray(3)),
    "too little memory": lambda: serow.loads(message, max_memory=1),
    "arrays that are none": lambda: serow.from_arrow(5),
}
"""

ARRAYS = """
doors = {
    "dumps of arrays": lambda: serow.dumps(arrays),
    "loads to arrays": lambda: serow.loads(of_arrays, arrays="numpy"),
    "loads of arrays": lambda: serow.loads(of_arrays),
    "to_arrow of arrays": lambda: serow.to_arrow(arrays),
    "dumps of scalars": lambda: serow.dumps([{"a": np.int64(5), "b": np.datetime64(1, "s")}]),
    "from_arrow": lambda: serow.from_arrow(Again()),
    "from_arrow, a list after another": lambda: list(serow.from_arrow(Again(), stream=True)),
    "dumps of Arrow's arrays": lambda: serow.dumps(Again()),
}
"""

PROGRAM = """
import faulthandler, io, sys, tempfile, uuid
from collections import OrderedDict
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum
from typing import NamedTuple, Optional

import _testcapi
import serow

faulthandler.enable()

class Colour(Enum):
    RED = 1

@dataclass
class Part:
    name: str
    colour: Colour
    sizes: list[float]
    within: Optional["Part"] = None

class Pair(NamedTuple):
    a: int
    b: str

rows = [{"a": 1, "b": "x"}, {"a": 2}]
parts = [Part("é", Colour.RED, [0.5], Part("x", Colour.RED, []))]
values = [(datetime.now(timezone.utc), Decimal("1.5"), uuid.uuid4(), 2**70, 1j, {1}, {1: "x"})]
message, of_parts, of_values = serow.dumps(rows), serow.dumps(parts), serow.dumps(values)
codec, schema = serow.Codec.infer(rows), serow.Schema.parse("R{a: i64, b: str?}")
record = codec.encode_one(rows[0])
file = io.BytesIO()
with serow.Writer(file) as writer:
    writer.write_rows(rows)
stream = file.getvalue()
path = tempfile.mkstemp()[1]
with open(path, "wb") as file:
    file.write(stream)

MORE
expected = (serow.SerowError, TypeError, ValueError)

def call(door):
    try:
        door()
    except expected as error:
        return type(error)

lacked = 0
for name, door in doors.items():
    print(name, flush=True)
    before = call(door), call(door)
    assert before[0] == before[1], before
    # Without all later ones too, Python itself can loop for ever in what handles an exception.
    for count in (1, 8):
        for n in range(70):
            _testcapi.set_nomemory(n, n + count)
            try:
                # No handler of an exception runs until there is memory.
                try:
                    door()
                finally:
                    _testcapi.remove_mem_hooks()
            except MemoryError:
                lacked += 1
            except RuntimeError as error:
                # So Python's own locks say it.
                assert str(error) == "can't allocate lock", error
            except expected as error:
                assert type(error) is before[0], (n, count, error)
    assert call(door) == before[0]
assert lacked > 100, lacked
"""


#: Versions of Python that crash without memory where they make functions, or that lose its error
#: where they list the attributes of a class.
BRITTLE = [(3, 10), (3, 12), (3, 13)]


@pytest.mark.skipif(sys.version_info[:2] in BRITTLE, reason="Python itself fails without memory")
@pytest.mark.parametrize("more", ["doors", "arrays"])
def test_each_allocation_may_fail(more: str) -> None:
    pytest.importorskip("_testcapi")
    program = DOORS
    if more == "arrays":
        pytest.importorskip("numpy")
        program = (
            """
import numpy as np
narrow = np.ones((2, 3), "f4")
arrays = [{"a": np.arange(5), "b": np.array(["x", "yy"]), "c": narrow, "d": narrow.T}]
of_arrays = serow.dumps(arrays)

class Again:
    def __arrow_c_stream__(self, requested_schema=None):
        return serow.to_arrow(rows).__arrow_c_stream__()
"""
            + ARRAYS
        )
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("MORE", program)],
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, (done.stdout.splitlines()[-1:], done.stderr[-3000:])
