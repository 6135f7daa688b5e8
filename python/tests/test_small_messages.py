"""The wire of messages that `dumps` writes without a named wire: the row wire if they are small."""

from typing import Any

import pytest
import rowtext
import serow
import strategies
import wire_format
from hypothesis import given
from hypothesis import strategies as st

pytestmark = pytest.mark.tiers

#: The most bytes and rows of a small message, as docs/wire-format.md says.
MOST_BYTES, MOST_ROWS = 16_384, 128


def chosen(rows: list[Any]) -> str:
    """Encode rows without naming a wire, check the rule, and give the wire."""
    message = serow.dumps(rows)
    on_rows = serow.dumps(rows, wire="row")
    is_small = len(rows) <= MOST_ROWS and len(on_rows) <= MOST_BYTES
    assert message == (on_rows if is_small else serow.dumps(rows, wire="frame"))
    wires = {frame.wire for frame in wire_format.frames(message)}
    assert wires == {0 if is_small else 1}
    back = serow.loads(message)
    assert list(map(rowtext.canonical, back)) == list(map(rowtext.canonical, rows))
    return "row" if is_small else "frame"


@pytest.mark.parametrize(("count", "wire"), [(0, "row"), (128, "row"), (129, "frame")])
def test_a_small_message_has_few_rows(count: int, wire: str, access: str) -> None:
    assert chosen([(i, "a") for i in range(count)]) == wire


def test_rows_of_an_iterator_count(access: str) -> None:
    for count in (128, 129):
        assert serow.dumps(iter(range(count))) == serow.dumps(list(range(count)))


def to_length(rows: list[Any], length: int) -> list[Any]:
    """Add a row with text, so that the message takes `length` bytes on the row wire.

    That is not possible for every length: one more character may take two more bytes.
    """
    size = length
    for _ in range(8):
        padded = [*rows, "x" * size]
        missing = length - len(serow.dumps(padded, wire="row"))
        size += missing
    return padded


@pytest.mark.parametrize("rows", [[], [1, 2.5], [("a", None), (7, True)], [{"a": 1}, {"b": [2]}]])
def test_a_small_message_has_few_bytes(rows: list[Any], access: str) -> None:
    for length, wire in ((MOST_BYTES, "row"), (MOST_BYTES + 1, "frame")):
        padded = to_length(rows, length)
        assert len(serow.dumps(padded, wire="row")) == length
        assert chosen(padded) == wire


def test_one_large_row_is_in_a_frame(access: str) -> None:
    for row in ("x" * 5_000_000, [0.5] * 100_000, ["a"] * 100_000, {"a": {"b": b"c" * 20_000}}):
        assert chosen([row]) == "frame"


@given(
    rows=st.lists(strategies.values(), max_size=4),
    times=st.integers(1, 40),
    length=st.integers(MOST_BYTES - 3, MOST_BYTES + 3),
)
def test_rows_near_the_border(rows: list[Any], times: int, length: int) -> None:
    rows = rows * times
    if len(serow.dumps(rows, wire="row")) < MOST_BYTES - 100:
        rows = to_length(rows, length)
        assert abs(len(serow.dumps(rows, wire="row")) - length) < 4
    chosen(rows)


@given(value=strategies.values(), count=st.integers(MOST_ROWS - 2, MOST_ROWS + 2))
def test_as_many_rows_as_are_small(value: Any, count: int) -> None:
    chosen([value] * count)


def test_rows_that_differ_from_earlier_ones_make_no_difference() -> None:
    """What is kept from earlier messages must not decide about the wire."""
    rows = [("x" * 100, i) for i in range(128)]
    for other in ([(1, 2)] * 3, [("x", 1)] * 128, [("x" * 200, 1)] * 128, [(None, 1)] * 2):
        for _ in range(3):
            chosen(rows)
            chosen(other)
    chosen([*rows[:100], ("x", None), *rows[100:127]])
    chosen([*rows[:127], (2.5, 1)])


def test_none_names_no_wire_and_a_named_one_is_obeyed() -> None:
    few, many = [1, 2], list(range(1000))
    assert serow.dumps(few, wire=None) == serow.dumps(few) == serow.dumps(few, wire="row")
    assert serow.dumps(many, wire=None) == serow.dumps(many) == serow.dumps(many, wire="frame")
    assert serow.dumps(few) != serow.dumps(few, wire="frame")
    assert serow.dumps(many) != serow.dumps(many, wire="row")
    with pytest.raises(ValueError, match="wire must be 'frame' or 'row'"):
        serow.dumps(few, wire="rows")  # type: ignore[arg-type]


def test_a_codec_has_one_wire() -> None:
    codec = serow.Codec("i64")
    assert codec.wire == "frame"
    assert codec.encode([1]) == serow.dumps([1], wire="frame")


def test_objects_are_described_in_errors_as_before(access: str) -> None:
    for rows in ([1, object()], ["x" * 20_000, object()], [*range(200), object()]):
        with pytest.raises(serow.EncodeError) as caught:
            serow.dumps(rows)
        with pytest.raises(serow.EncodeError) as framed:
            serow.dumps(rows, wire="frame")
        assert caught.value.row == framed.value.row == len(rows) - 1
        assert caught.value.path == framed.value.path == ()
        assert str(caught.value).split("0x")[0] == str(framed.value).split("0x")[0]
