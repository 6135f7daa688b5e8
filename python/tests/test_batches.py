"""Batches that come back exactly, or not at all; and lines of texts."""

import struct
from typing import Any

import pytest
import serow
from hypothesis import given
from serow import _native
from strategies import Color, Pair, Point, Table, rows, seeds


def ordered(value: Any) -> Any:
    """Give what tells the order of a dict's keys too, and the classes."""
    if isinstance(value, dict):
        return dict, [(ordered(key), ordered(item)) for key, item in value.items()]
    if isinstance(value, (list, tuple)):
        return type(value), [ordered(item) for item in value]
    return type(value), repr(value) if not isinstance(value, (set, frozenset)) else len(value)


def assert_exact(batches: _native.Batches, batch: list[Any]) -> bytes | None:
    message = batches.write(batch)
    if message is not None:
        assert ordered(serow.loads(message)) == ordered(batch)
    return message


@given(rows())
def test_any_batch(batch: list[Any]) -> None:
    batches = _native.Batches()
    for size in (1, 3, 20):
        assert_exact(batches, batch[:size])


@given(seeds)
def test_tables(seed: int) -> None:
    batches = _native.Batches()
    table = Table(seed).rows()
    for start in range(0, len(table), 300):
        assert_exact(batches, table[start : start + 300])


@pytest.mark.parametrize("size", [1, 10, 300, 3000])
def test_what_would_come_back_otherwise_is_refused(access: str, size: int) -> None:
    batches = _native.Batches()
    good = [(n, {"b": n, "a": str(n)}) for n in range(size)]
    assert assert_exact(batches, good) is not None
    for value in (Point(1, 2), Pair(1, 2), Color.RED, object(), {"a": "", "b": 1}):
        for place in (0, size // 2, size - 1):
            bad = good.copy()
            bad[place] = (1, value)
            # A dict alone in its batch has keys in no other order.
            if not (size == 1 and isinstance(value, dict)):
                assert batches.write(bad) is None
    assert assert_exact(batches, good) is not None


def test_batches_of_other_types(access: str) -> None:
    batches = _native.Batches()
    for batch in ([1, 2], ["a"], [(1, "a"), (None, 2.5)], [1], [[1], []], [{1: 2}], [{"a": 2}]):
        for times in (1, 200):
            assert assert_exact(batches, batch * times) is not None
    # What is known of the batch before does not show in the next.
    assert str(batches.write([1, 2])) == str(_native.Batches().write([1, 2]))


@pytest.mark.parametrize("as_text", [True, False])
def test_lines(access: str, as_text: bool) -> None:
    given = [b"", b"a", b"almond", "größe".encode(), "\U0001f600".encode() * 30, b"x" * 999]
    framed = b"".join(struct.pack("!i", len(line)) + line for line in given)
    expected = [line.decode() for line in given] if as_text else given
    null, end = struct.pack("!i", -5), struct.pack("!i", -1)
    found = _native.lines(framed + null + end + framed, as_text)
    assert found == ([*expected, None], len(framed) + 8, True)
    assert [type(line) for line in found[0][:-1]] == [str if as_text else bytes] * len(given)
    # Up to each place at which what is there may end.
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
