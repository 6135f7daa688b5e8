"""Decoded rows equal the encoded ones, with the same types at every node, in every way."""

import random
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import rowtext
import serow
import strategies
import wire_format
from hypothesis import example, given, settings
from serow import _native
from strategies import Table, rows, seeds

WIRES = ("frame", "row")
MODES = ("direct", "c-api")


@contextmanager
def mode(name: str) -> Iterator[None]:
    before = _native.object_access()
    _native.object_access(name == "c-api")
    try:
        yield
    finally:
        _native.object_access(before == "c-api")


def lines(rows: list[Any]) -> list[str]:
    """Give the rows with their types and bits, for comparison."""
    return [rowtext.canonical(row) for row in rows]


def assert_comes_back(rows: list[Any], *, described: bool = True) -> None:
    """Encode and decode on both wires and with both kinds of access, by functions and a codec."""
    expected = lines(rows)
    for wire in WIRES:
        messages = set()
        for name in MODES:
            with mode(name):
                codec = serow.Codec.infer(rows, wire=wire)
                data = serow.dumps(rows, wire=wire)
                by_codec = codec.encode(rows)
                messages.add((data, by_codec))
                assert lines(serow.loads(data)) == expected
                assert lines(serow.loads(by_codec)) == expected
                assert lines(codec.decode(by_codec)) == expected
        assert len(messages) == 1
        if described:
            assert lines(wire_format.loads(data)) == expected


@given(rows())
@example([None, True, 1, 1.0, "1", [1], (1,), [], (), [1.0], [True], (1, 1), [[1]], "", 0, False])
@example([[[]], [[1]], [], [["a", None]], [[[]]], ((),), ((), ())])
@example(["\ud83d\ude00", "\U0001f600", "\ude00", "\ud83d", "\0"])
def test_any_rows_come_back(rows: list[Any]) -> None:
    assert_comes_back(rows)


@given(seeds)
@settings(max_examples=settings().max_examples * 3)
def test_tables_that_drift_come_back(seed: int) -> None:
    assert_comes_back(Table(seed).rows(most=120))


@given(seeds)
@settings(max_examples=max(1, settings().max_examples // 20))
def test_large_tables_come_back(seed: int) -> None:
    assert_comes_back(Table(seed).rows(most=4000), described=False)


@pytest.mark.long
@given(seeds)
@settings(max_examples=max(1, settings().max_examples // 20))
def test_wide_rows_come_back(seed: int) -> None:
    table = Table(seed)
    columns = [table.column(1) for _ in range(2000)]
    assert_comes_back([tuple(cell(i) for cell in columns) for i in range(3)])
    assert_comes_back([[cell(i) for cell in columns] for i in range(2)])


@pytest.mark.long
@given(seeds)
@settings(max_examples=max(1, settings().max_examples // 20))
def test_long_sequences_come_back(seed: int) -> None:
    table = Table(seed)
    lists = [[cell(i) for i in range(4500)] for cell in (table.column(1) for _ in range(3))]
    assert_comes_back(lists, described=False)
    assert_comes_back([tuple(lists), tuple(map(tuple, lists))], described=False)


def test_integers_at_every_edge_come_back() -> None:
    assert_comes_back(strategies.EDGES)
    assert_comes_back([(v, [v, v]) for v in strategies.EDGES])
    assert_comes_back([v for n in range(64) for v in (2**n - 1, -(2**n))])


def test_floats_come_back_by_their_bits() -> None:
    patterns = [*strategies.FLOAT_BITS, *(0x7FF0 << 48 | 1 << n for n in range(52))]
    values = [strategies.float_of(pattern) for pattern in patterns]
    assert_comes_back(values)
    for wire in WIRES:
        back = serow.loads(serow.dumps(values * 200, wire=wire))
        assert [struct.pack("<d", v) for v in back] == [struct.pack("<d", v) for v in values * 200]


def test_decimals_with_exceptions_come_back() -> None:
    generator = random.Random(7)
    values = [generator.randrange(10**9) / 10**4 for _ in range(3000)]
    for at in generator.sample(range(3000), 100):
        values[at] = strategies.float_of(generator.choice(strategies.FLOAT_BITS))
    assert_comes_back(values)
    # A whole number that is too large to be scaled, and decimals beside it.
    assert_comes_back(
        [float(2**51 - 1), float(2**51), float(2**52 + 1), 0.5, 1e15, -1e15, 1e22] * 9
    )


def test_strings_of_every_length_and_alignment_come_back() -> None:
    assert_comes_back(["x" * n for n in range(200)])
    assert_comes_back([("y" * n, "é" * (n % 37), "z" * (300 - n)) for n in range(300)])
    assert_comes_back(["€" * 70_000, "a" * 1_000_000, "😀" * 5])


def test_every_character_comes_back() -> None:
    every = [chr(c) for c in range(0x11_0000)]
    for wire in WIRES:
        assert serow.loads(serow.dumps(every, wire=wire)) == every
        assert serow.loads(serow.dumps(["".join(every)], wire=wire)) == ["".join(every)]


def test_columns_that_are_dictionaries_in_some_frames_only_come_back() -> None:
    generator = random.Random(3)
    few = [f"tag {generator.randrange(50)}" for _ in range(70_000)]
    many = [f"name {generator.random()}" for _ in range(70_000)]
    rows = list(zip(few + many + few, many + few + few, strict=True))
    for wire in WIRES:
        assert serow.loads(serow.dumps(rows, wire=wire)) == rows


def test_more_rows_than_a_frame_holds_come_back() -> None:
    for count in (65_535, 65_536, 65_537, 131_073):
        rows = list(range(count))
        for wire in WIRES:
            assert serow.loads(serow.dumps(rows, wire=wire)) == rows


def test_one_row_larger_than_a_frame_is_meant_to_be_comes_back() -> None:
    row = ([i % 3 for i in range(2_000_000)], ["text"] * 100_000, "end")
    for wire in WIRES:
        assert serow.loads(serow.dumps([row, row], wire=wire)) == [row, row]


@pytest.mark.long
@pytest.mark.parametrize(
    "value", [0, True, 0.0, "", [], None, ((),), (None, 1)], ids=lambda value: repr(value)
)
def test_millions_of_equal_elements_come_back(value: Any, wire: str) -> None:
    for many in ([[value] * 2_500_000], [[value] * 30] * 65_536):
        assert serow.loads(serow.dumps(many, wire=wire)) == many


@pytest.mark.long
@pytest.mark.parametrize("value", [None, ()], ids=repr)
def test_rows_of_millions_that_take_no_bytes_come_back_or_are_too_large(
    value: Any, wire: str
) -> None:
    for many in (
        [[value] * 100] * 65_536,
        [[value] * 1_000_000] * 10,
        [([True] * 100_000, value)] * 64,
    ):
        assert serow.loads(serow.dumps(many, wire=wire)) == many
    with pytest.raises(serow.LimitError, match=r"^row 1, .* millions of nulls"):
        serow.dumps([[value], [value] * 5_000_000], wire=wire)


def test_types_that_alternate_cost_no_frame_a_row(wire: str) -> None:
    rows = [i if i % 2 else "x" for i in range(10_000)]
    data = serow.dumps(rows, wire=wire)
    assert len(wire_format.frames(data)) == 1
    assert serow.loads(data) == rows


def test_rows_that_drift_cost_a_frame_for_each_widening_only() -> None:
    rows: list[Any] = [(i, "a") for i in range(3001)]
    rows[1001] = (1.5, "a")
    rows[2003] = (7, None)
    data = serow.dumps(rows)
    assert [frame.rows for frame in wire_format.frames(data)] == [1001, 1002, 998]
    assert serow.loads(data) == rows
    assert [type(row[0]) for row in serow.loads(data)[1000:1003]] == [int, float, int]


def test_the_schemas_of_earlier_dicts_make_no_difference(wire: Any, access: str) -> None:
    ab, ba = {"a": 1, "b": "x"}, {"b": "x", "a": 1}
    same = {**{"a": 0, "b": ""}, "a": 2}
    other = [{"a": 1, "b": 2}, {"a": 1}, {"a": 1, "b": "x", "c": 0.5}, {"ä": 1, "b": "x"}, {}]
    wide = {f"key {i}": i for i in range(300)}
    nested = [{"a": ab, "b": 1}, {"a": ba, "b": 1}, {1: 2}, {"a": None, "b": "x"}]
    lists = [[ab], [ba], [ab, ba], [ba, ab], [ab, same], [ab, None], [same, ba, ab], [wide]]
    lists += [[row] for row in [*other, *nested]] + [[ab, row] for row in [*other, *nested]]
    lists += [[row, ab] for row in [*other, *nested]]
    chance = random.Random(7)
    for _ in range(8):
        for some in chance.sample(lists, len(lists)):
            codec = serow.Codec(serow.Schema.infer(some), wire=wire)
            assert serow.dumps(some, wire=wire) == codec.encode(some), some


def test_a_codec_decodes_what_dumps_encodes_and_the_other_way_round(wire: str) -> None:
    rows = [(i, f"r{i % 7}") for i in range(500)]
    codec = serow.Codec("(i64, str)", wire=wire)
    assert codec.decode(serow.dumps(rows, wire=wire)) == rows
    other = "row" if wire == "frame" else "frame"
    assert codec.decode(serow.dumps(rows, wire=other)) == rows
    assert serow.loads(codec.encode(rows)) == rows
    assert codec.encode(rows) == serow.dumps(rows, wire=wire)


def test_the_frame_wire_is_small() -> None:
    rows = [(100_000 + i, i / 4, f"Brand#{i % 5}", None) for i in range(10_000)]
    frame, row = (len(serow.dumps(rows, wire=wire)) for wire in WIRES)
    assert frame < 10_000 * 3
    assert frame < row / 4
