"""Numbers of very many digits are refused before anything is done with their digits."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
import serow
import wire_format
from wire_format import ROW, RawFrame

pytestmark = pytest.mark.once

MOST = 1_000_000
MOST_BYTES = (10**MOST - 1).bit_length() // 8 + 1


def test_an_int_of_as_many_digits_as_may_be_comes_back(wire: Any) -> None:
    rows = [10**MOST - 1, -(10**MOST) + 1]
    assert serow.loads(serow.dumps(rows, wire=wire)) == rows


@pytest.mark.parametrize(
    "value",
    [
        10 ** (MOST + 10),
        -(10 ** (MOST + 10)),
        Decimal("1" * (MOST + 30)),
        Decimal("-" + "7" * 2 * MOST),
    ],
    ids=["int", "negative int", "decimal", "negative decimal"],
)
def test_more_digits_are_refused_when_they_are_written(value: Any, wire: Any) -> None:
    for rows in ([value], [[7, value]], [type(value)(7)] * 3000 + [value]):
        with pytest.raises(serow.LimitError, match=r"row \d+.*1,000,000 digits"):
            serow.dumps(rows, wire=wire)
    codec = serow.Codec.infer([type(value)(7), type(value)(2**70)], wire=wire)
    codec.compile()
    with pytest.raises(serow.LimitError, match="1,000,000 digits"):
        codec.encode([type(value)(2**70), value])
    with pytest.raises(serow.LimitError, match="1,000,000 digits"):
        codec.encode_one(value)


def message(schema: str, bytes_of_number: int, wire: int) -> bytes:
    """Return a message with one number of so many bytes."""
    number = b"\x01" * bytes_of_number
    types = serow.Schema.parse(schema).type_list
    codes = b"".join(wire_format.varint(code) for code in types)
    first = b"\x01" if schema == "int" else wire_format.varint(2) + b"\x01"
    value = first + wire_format.varint(len(number)) + number
    if wire == ROW:
        return wire_format.message(
            RawFrame(ROW, 1, codes, len(value).to_bytes(4, "little") + value)
        )
    raise AssertionError(wire)


@pytest.mark.parametrize("schema", ["int", "decimal"])
def test_more_digits_are_refused_when_they_are_read(schema: str) -> None:
    for more in (1, 1_000_000):
        data = message(schema, MOST_BYTES + more, ROW)
        for max_memory in (None, 1 << 30):
            with pytest.raises(serow.LimitError, match="1,000,000 digits"):
                serow.loads(data, max_memory=max_memory)
        codec = serow.Codec(schema)
        codec.compile()
        with pytest.raises(serow.LimitError, match="1,000,000 digits"):
            codec.decode(data)
