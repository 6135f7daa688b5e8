"""Damaged single records: a value or an error, never a crash, a hang or much memory.

`damaged_records.py` decodes many more of them.
"""

import os
import struct
import sys
from dataclasses import dataclass
from typing import Any

import damaged_records
import pytest
import serow
from damaged_records import Readers, Refused, golden, single
from hypothesis import given
from serow import _native
from strategies import seeds
from wire_format import HUGE, signed, varint

pytestmark = pytest.mark.tiers

IS_BRIEF = os.environ.get("SEROW_TEST_PROFILE") == "brief"

if _native.object_access() != "direct":
    pytest.skip("the program compares it with the C API", allow_module_level=True)


def small(records: list[bytes]) -> list[bytes]:
    """Give a few short records: the first, the last and one between them."""
    short = [record for record in records if len(record) < 120]
    return short[:: max(1, len(short) // (1 if IS_BRIEF else 3))]


@pytest.mark.parametrize(("schema", "records"), golden(), ids=lambda case: str(case)[:30])
def test_every_byte_and_every_cut(schema: serow.Schema, records: list[bytes]) -> None:
    readers = Readers(schema)
    # In short runs, each version of Python tries other bytes.
    step = 5 if IS_BRIEF else 1
    for record in small(records):
        assert type(readers.verdict(record)) is not Refused
        for at in range(len(record)):
            assert type(readers.verdict(record[:at])) is Refused
        for at in range(sys.version_info.minor % step, len(record), step):
            old = record[at]
            for new in {0, 1, 0x7F, 0x80, 0xFF, old ^ 1, old ^ 0x80, (old + 2) % 256} - {old}:
                verdict = readers.verdict(record[:at] + bytes([new]) + record[at + 1 :])
                assert type(verdict) is Refused or at >= 8


@given(seeds)
def test_records_with_random_changes(seed: int) -> None:
    assert damaged_records.run(50, seed).total() == 50


def test_every_byte_of_records_of_classes() -> None:
    @dataclass
    class Odd:
        number: int
        name: str = "none"

        def __post_init__(self) -> None:
            if self.number % 2 == 0:
                raise ValueError("it is even")

    @dataclass
    class Odds:
        first: Odd | None
        others: list[Odd]
        by_name: dict[str, tuple[int, ...]]

    odds = Odds(Odd(1, "x"), [Odd(3), Odd(-5, "é")], {"a": (1, 2), "b": ()})
    codec = serow.Codec(serow.Schema.of(Odds), wire="row", validate=True)
    record = codec.encode_one(odds)
    assert codec.decode_one(record) == odds
    causes = 0
    for at in range(8, len(record)):
        for new in range(0, 256, 5 if IS_BRIEF else 1):
            changed = record[:at] + bytes([new]) + record[at + 1 :]
            try:
                back = codec.decode_one(changed)
            except serow.DecodeError as error:
                causes += isinstance(error.__cause__, ValueError)
                continue
            assert type(back) is Odds
            assert codec.decode_one(codec.encode_one(back)) == back
    assert causes > 0


def test_lengths_that_are_not_there() -> None:
    for schema, before in [
        ("str", b""),
        ("bytes", b""),
        ("decimal", signed(-2)),
        ("[i64]", b""),
        ("(i64, ...)", b""),
        ("[[i64]]", varint(1)),
        ("{i64: str}", b""),
        ("{i64: str}", varint(1) + signed(1)),
        ("{str}", b""),
        ("i64|str", b""),
        ("[never]", b""),
    ]:
        readers = Readers(serow.Schema.parse(schema))
        for length in [4, *HUGE]:
            if length < 2**64:
                verdict = readers.verdict(single(schema, before + varint(length) + b"abc"))
                assert type(verdict) is Refused, (schema, length)


def test_as_many_empty_values_as_a_frame_may_have() -> None:
    for schema, most in (("[null]", 2**22), ("[()]", 2**22), ("(i64, [null])", 2**22)):
        before = signed(1) * schema.startswith("(i64")
        codec = serow.Codec(schema)
        value: Any = codec.decode_one(single(schema, before + varint(most)))
        assert len(value[1] if before else value) == most
        with pytest.raises(serow.DecodeError):
            codec.decode_one(single(schema, before + varint(most + 1)))
        with pytest.raises(serow.LimitError, match="max_memory"):
            codec.decode_one(single(schema, before + varint(most)), max_memory=1 << 20)


def test_a_schema_of_many_fields() -> None:
    schema = serow.Schema.parse(f"({', '.join(['f64'] * 3000)})")
    codec = serow.Codec(schema)
    row = tuple(map(float, range(3000)))
    record = codec.encode_one(row)
    assert record[8:] == struct.pack("<3000d", *row)
    assert codec.decode_one(record) == row
    for length in (0, 8, 8 * 2999, 8 * 3000 - 1):
        with pytest.raises(serow.DecodeError, match="shorter than its values"):
            codec.decode_one(single(schema, record[8 : 8 + length]))
    with pytest.raises(serow.DecodeError):
        codec.decode_one(single(schema, record[8:] + b"\0"))
