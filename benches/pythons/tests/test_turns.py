"""The order of measurements, with sides that only pretend to measure."""

from typing import cast

import pytest

from demo.errors import DemoError
from pythons import turns
from pythons.turns import Python, Side, Times
from suite.results import key
from suite.work import Sample

HOT = key("1", "nested", "Python", "serow-row-jit", "encode-retained", "hot")
calls: list[tuple[str, str]] = []


class Pretended:
    """Takes ten nanoseconds a row longer in each call, and supports one work only."""

    def __init__(self, name: str, size: int = 7) -> None:
        self.python = Python(name, "no path")
        self._size = size
        self._calls = 0

    def measure(self, work: str, times: int) -> Sample | None:
        calls.append((self.python.name, work))
        if work != "encode-fresh":
            return None
        self._calls += 1
        return Sample(10 * times * self._calls, times, self._size)


def pretended(*sides: Pretended) -> list[Side]:
    calls.clear()
    return cast(list[Side], list(sides))


def test_all_do_a_work_before_the_next_and_none_is_always_first() -> None:
    sides = pretended(Pretended("a"), Pretended("b"))
    found = turns._rounds(sides, ("encode-fresh", "encode-retained"), 5, 2)
    assert found == {
        ("encode-fresh", sides[0]): [10.0, 20.0],
        ("encode-fresh", sides[1]): [10.0, 20.0],
    }
    one, other = "encode-fresh", "encode-retained"
    assert calls == [
        *[("a", one), ("b", one), ("a", other), ("b", other)],
        *[("b", one), ("a", one), ("b", other), ("a", other)],
    ]


def test_messages_of_different_sizes_are_an_error() -> None:
    sides = pretended(Pretended("3.13"), Pretended("3.14", size=8))
    with pytest.raises(DemoError, match=r"3\.14, encode-fresh: messages of 8 bytes.* 7$"):
        turns._rounds(sides, ("encode-fresh",), 1, 1)


def test_pythons_with_different_tiers_are_an_error() -> None:
    times = Times()
    times.add(HOT, Python("3.13", "-"), "jit", [20.0])
    with pytest.raises(DemoError, match=r"3\.15: .* is interpreter, elsewhere jit"):
        times.add(HOT, Python("3.15", "-"), "interpreter", [40.0])
