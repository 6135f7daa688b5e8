"""Small messages and records that claim a huge size: an error within little memory and time."""

import os
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest
import serow
import wire_format
from conftest import GOLDEN
from damaged_records import single
from test_malformed import attempt, columns_of, frame_of, refused
from wire_format import FRAME, ROW, Column, RawFrame, signed, spelled, varint

pytestmark = pytest.mark.once

HOSTILE = """
import resource, sys
sys.path[:0] = {path!r}
import serow, test_resource_limits
messages = test_resource_limits.{messages}()
resource.setrlimit(resource.RLIMIT_AS, (test_resource_limits.address_space() + {limit},) * 2)
for name, data in messages.items():
    for only_c_api in (False, True):
        serow._native.object_access(only_c_api)
        try:
            test_resource_limits.decode(data)
        except (serow.SerowError, MemoryError) as error:
            print(name, type(error).__name__, sep=": ")
        else:
            print(name, "rows", sep=": ")
"""

#: A message, or a codec and a single record.
Data = bytes | tuple[serow.Codec, bytes]


def decode(data: Data) -> None:
    """Decode a message or a single record."""
    if isinstance(data, bytes):
        serow.loads(data)
    else:
        codec, record = data
        codec.decode_one(record)


def answers_within(limit: int, messages: str) -> dict[str, str]:
    """Decode messages or records in a process whose memory may grow by `limit` bytes."""
    path = [str(Path(__file__).parent), str(GOLDEN)]
    program = HOSTILE.format(path=path, messages=messages, limit=limit)
    done = subprocess.run(
        [sys.executable, "-c", program],
        # Compiling takes memory too.
        env={**os.environ, "SEROW_TIER": "interpreter"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return dict(line.rsplit(": ", 1) for line in done.stdout.splitlines())


def address_space() -> int:
    """Give the size of this process's address space in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def greedy() -> dict[str, bytes]:
    """Give small messages that claim a huge size in various ways."""
    seq, length_of_one = Column("int", 0, 1, signed(2**40)), b"\1\0\0\0"
    return {
        "elements": columns_of(11, 1, rows=1, columns=[seq, Column("int", 0, 2**40, signed(0))]),
        "nulls": columns_of(11, 9, rows=1, columns=[seq]),
        "empty tuples": columns_of(11, 5, 7, rows=1, columns=[seq]),
        "bits": columns_of(11, 8, rows=1, columns=[seq, Column("bit", 0, 2**40, b"\0")]),
        "floats": columns_of(11, 2, rows=1, columns=[seq, Column("float", 0, 2**40, bytes(8))]),
        "many columns": columns_of(
            *(5, *([1] * 4000), 7),
            rows=65_536,
            columns=[Column("int", 0, 65_536, signed(0))] * 4000,
        ),
        "entries": columns_of(
            3, rows=1, columns=[Column("str", 1, 1, varint(2**60) + varint(2) + b"\0" + signed(0))]
        ),
        "empty entries": columns_of(
            3,
            rows=1,
            columns=[
                Column(
                    "str",
                    1,
                    1,
                    varint(2**60) + varint(2) + b"\0" + signed(0) + varint(0) + b"\0" + signed(0),
                )
            ],
        ),
        "string": frame_of(3, rows=1, body=length_of_one + varint(2**61), wire=ROW),
        "record of elements": frame_of(
            11, 1, rows=1, body=struct.pack("<I", 9) + varint(2**60), wire=ROW
        ),
        "record of nulls": frame_of(
            11, 9, rows=1, body=struct.pack("<I", 9) + varint(2**60), wire=ROW
        ),
        "lists in lists": frame_of(
            *(11, 11, 11, 11, 1),
            rows=1,
            body=struct.pack("<I", 12) + b"".join(varint(100) for _ in range(6)),
            wire=ROW,
        ),
        "a wide schema": wire_format.message(
            RawFrame(FRAME, 0, spelled([5, *([13, 1, 2, 14] * 16_000), 7]), bytes(4))
        ),
    }


def greedy_records() -> dict[str, Data]:
    """Give small records that claim a huge size in various ways."""
    values = {
        "[i64]": varint(2**60),
        "[null]": varint(2**40),
        "[{}]": varint(2**22 + 1),
        "[[[[i64]]]]": b"".join(varint(100) for _ in range(6)),
        "{i64: {}}": varint(2**60),
        "str": varint(2**61),
        "bytes": varint(2**31),
        # As many elements as are allowed, but they are equal.
        "{null}": varint(2**22),
        "{null: null}": varint(2**21),
    }
    return {
        schema: (serow.Codec(schema), single(schema, value)) for schema, value in values.items()
    }


def test_messages_that_claim_much_are_refused_within_little_memory() -> None:
    assert answers_within(64 << 20, "greedy") == dict.fromkeys(greedy(), "DecodeError")
    records = dict.fromkeys(greedy_records(), "DecodeError")
    assert answers_within(64 << 20, "greedy_records") == records


SIZE = 8 << 20


def plausible() -> dict[str, bytes]:
    """Give messages that claim the largest possible size, and whose first value is wrong."""
    text = SIZE - 9
    body = struct.pack("<I", SIZE) + varint(text)
    body += b"\xff" * (SIZE + 4 - len(body))
    return {
        "list": frame_of(11, 13, 1, 2, 14, rows=1, body=body, wire=ROW),
        "tuple": frame_of(12, 13, 1, 2, 14, rows=1, body=body, wire=ROW),
        "list of lists": frame_of(11, 11, 13, 1, 2, 14, rows=1, body=body, wire=ROW),
    }


def plausible_records() -> dict[str, Data]:
    """Give records that claim the largest possible size, and whose first value is wrong."""
    claim = varint(SIZE - 9)
    value = claim + b"\xff" * (SIZE - len(claim))
    schemas = ("[i64|f64]", "(i64|f64, ...)", "[[i64|f64]]")
    return {schema: (serow.Codec(schema), single(schema, value)) for schema in schemas}


def test_a_possible_size_costs_one_pointer_per_byte() -> None:
    """As docs/security.md says, a list is allocated when its length is read."""
    limit = 8 * SIZE + (4 << 20)
    assert answers_within(limit, "plausible") == dict.fromkeys(plausible(), "DecodeError")
    assert set(answers_within(limit // 2, "plausible").values()) == {"MemoryError"}


def test_the_same_holds_for_records() -> None:
    """A record is also copied, to a buffer that compiled code needs."""
    limit = (8 + 1) * SIZE + (4 << 20)
    records = dict.fromkeys(plausible_records(), "DecodeError")
    assert answers_within(limit, "plausible_records") == records
    assert set(answers_within(limit // 2, "plausible_records").values()) == {"MemoryError"}


def test_no_lie_takes_long() -> None:
    """Neither the messages that claim too much, nor one that claims as much as is allowed."""
    began = time.thread_time()
    for data in greedy().values():
        refused(data)
    most = columns_of(
        *(11, 9),
        rows=65_536,
        columns=[Column("int", 0, 65_536, signed(63))],
    )
    answer = attempt(most)
    assert isinstance(answer, list)
    assert len(answer) == 65_536
    assert time.thread_time() - began < 20
