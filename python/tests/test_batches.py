"""Batches that decode exactly or are refused; and lines of text."""

import struct
import time
from collections.abc import Callable
from typing import Any

import pytest
import serow
from hypothesis import given
from serow import _native
from strategies import Color, Pair, Point, Table, rows, seeds

pytestmark = pytest.mark.tiers


class Row(tuple[Any, ...]):
    """Like PySpark's: a tuple with the names of its items in an attribute."""

    __fields__: Any


class SubRow(Row):
    """A subclass, which decoding would lose."""


def row(_of: type[Row] = Row, /, **fields: Any) -> Row:
    made = _of(fields.values())
    made.__fields__ = list(fields)
    return made


def renamed(fields: Any) -> Row:
    made = Row((1, 2))
    made.__fields__ = fields
    return made


def spelled(name: str) -> str:
    """Give the name as a new object."""
    return "".join(list(name))


def ordered(value: Any) -> Any:
    """Give an object that also tells the classes and the order of a dict's keys."""
    if isinstance(value, Row):
        return type(value), value.__dict__, [ordered(item) for item in value]
    if isinstance(value, dict):
        return dict, [(ordered(key), ordered(item)) for key, item in value.items()]
    if isinstance(value, (list, tuple)):
        return type(value), [ordered(item) for item in value]
    return type(value), repr(value) if not isinstance(value, (set, frozenset)) else len(value)


def assert_exact(batches: _native.Batches, batch: list[Any]) -> bytes | None:
    message = batches.write(batch)
    if message is not None:
        assert ordered(batches.read(message)) == ordered(batch)
    return message


@given(rows())
def test_any_batch(batch: list[Any]) -> None:
    batches = _native.Batches(Row)
    for size in (1, 3, 20):
        assert_exact(batches, batch[:size])


@given(seeds)
def test_tables(seed: int) -> None:
    batches = _native.Batches(Row)
    table = Table(seed).rows()
    for start in range(0, len(table), 300):
        assert_exact(batches, table[start : start + 300])


@pytest.mark.parametrize("size", [1, 10, 300, 3000])
def test_values_that_would_decode_differently_are_refused(access: str, size: int) -> None:
    batches = _native.Batches(Row)
    good = [(n, {"b": n, "a": str(n)}) for n in range(size)]
    assert assert_exact(batches, good) is not None
    for value in (Point(1, 2), Pair(1, 2), Color.RED, object(), {"a": "", "b": 1}):
        for place in (0, size // 2, size - 1):
            bad = good.copy()
            bad[place] = (1, value)
            # A dict alone in its batch defines the order of the keys.
            if not (size == 1 and isinstance(value, dict)):
                assert batches.write(bad) is None
    assert assert_exact(batches, good) is not None


def test_batches_of_other_types(access: str) -> None:
    batches = _native.Batches(Row)
    for batch in ([1, 2], ["a"], [(1, "a"), (None, 2.5)], [1], [[1], []], [{1: 2}], [{"a": 2}]):
        for times in (1, 200):
            assert assert_exact(batches, batch * times) is not None
    # The schema of the last batch does not affect the next.
    assert str(batches.write([1, 2])) == str(_native.Batches(Row).write([1, 2]))


@pytest.mark.parametrize("size", [1, 3, 300, 3000])
def test_rows_of_pyspark(access: str, size: int) -> None:
    batches = _native.Batches(Row)
    for made in (
        row(id=1, name="a"),
        row(a=row(b=[row(c=None)]), d={"e": row(a=2.5)}),
        (1, {row(a=1): row(b=1)}, {row(c=1)}),
        row(**{"größe": 1, "": 2}),
        row(),
    ):
        assert assert_exact(batches, [made] * size) is not None
    names = [row(a=n, b=str(n)) for n in range(size)]
    for made in names[1::2]:
        made.__fields__ = [spelled("a"), spelled("b")]
    assert assert_exact(batches, names) is not None
    # Rows that differ from the row before, at every position.
    for other in (row(b=1, a="x"), row(a=1), row(a=1, b="x", c=2), (1, "x"), None):
        for place in (0, size // 2, size - 1):
            assert assert_exact(batches, [*names[:place], other, *names[place:]]) is not None


def test_rows_of_one_message_have_names_that_are_no_others() -> None:
    batches = _native.Batches(Row)
    message = batches.write([row(a=1)] * 3)
    assert message is not None
    first, second = batches.read(message), batches.read(message)
    first[0].__fields__.append("b")
    assert second[0].__fields__ == batches.read(message)[0].__fields__ == ["a"]
    # Without this class, decoding gives records as for any other class.
    (record, *_) = serow.loads(message)
    assert (type(record).__name__, record.a) == ("Row", 1)


def test_rows_of_pyspark_that_would_decode_differently(access: str) -> None:
    more = row(a=1, b=2)
    more.__dict__["c"] = 3
    unnamed = Row((1, 2))
    hidden = Row((1, 2))
    hidden.__dict__["fields"] = ["a", "b"]
    for other in (
        more,
        unnamed,
        hidden,
        row(SubRow, a=1, b=2),
        renamed(("a", "b")),
        renamed(["a", "a"]),
        renamed(["a"]),
        renamed(["a", "b", "c"]),
        renamed(["a", 1]),
        renamed(["a", "\ud800"]),
        renamed(row(a=1, b=2)),
        renamed(None),
    ):
        for batch in (
            [other],
            [[(other,)]],
            [row(a=1, b=2)] * 3 + [other],
            [(1, 2)] * 300 + [other],
        ):
            assert _native.Batches(Row).write(batch) is None
            batches = _native.Batches(Row)
            assert assert_exact(batches, [row(a=1, b=2)]) is not None
            assert batches.write(batch) is None


def test_the_class_of_rows_is_one_of_tuples() -> None:
    with pytest.raises(TypeError, match="row_class must be a subclass of tuple"):
        _native.Batches(dict)  # type: ignore[arg-type]


def test_rows_that_share_objects_very_often_are_refused_early() -> None:
    makes: list[Callable[[Any], Any]] = [
        lambda of: [of, of],
        lambda of: [[of], [of]],
        lambda of: (of, of, 1),
        lambda of: {"a": of, "b": of},
        lambda of: {1: of, 2: of},
        lambda of: frozenset([(of, 1), (of, 2)]),
        lambda of: row(a=of, b=of),
    ]
    for make in makes:
        value: Any = 1
        for _ in range(26):
            value = make(value)
        start = time.process_time()
        assert _native.Batches(Row).write([value]) is None
        assert _native.Batches(Row).write([(1, "a")] * 300 + [(1, value)]) is None
        assert time.process_time() - start < 1
    often = [(1, 2)]
    assert assert_exact(_native.Batches(Row), [[often] * 1000, [often]]) is not None


@pytest.mark.parametrize("as_text", [True, False])
def test_lines(access: str, as_text: bool) -> None:
    given = [b"", b"a", b"almond", "größe".encode(), "\U0001f600".encode() * 30, b"x" * 999]
    framed = b"".join(struct.pack("!i", len(line)) + line for line in given)
    expected = [line.decode() for line in given] if as_text else given
    null, end = struct.pack("!i", -5), struct.pack("!i", -1)
    found = _native.lines(framed + null + end + framed, as_text)
    assert found == ([*expected, None], len(framed) + 8, True)
    assert [type(line) for line in found[0][:-1]] == [str if as_text else bytes] * len(given)
    # For every possible end of the window.
    for cut in range(len(framed)):
        lines, used, ended = _native.lines(framed[:cut], as_text)
        assert lines == expected[: len(lines)]
        assert used == sum(4 + len(line) for line in given[: len(lines)])
        assert not ended
    invalid = struct.pack("!i", 2) + b"\xff\xff"
    lines, used, ended = _native.lines(framed + invalid + framed, as_text)
    assert len(lines) == (len(given) if as_text else 2 * len(given) + 1)
    assert not ended
    for length in (-2, -3, -(2**31), 2**31 - 1):
        found = _native.lines(framed + struct.pack("!i", length) + b"rest", as_text)
        assert found == (expected, len(framed), False)
