import io
from decimal import Decimal
from pathlib import Path

from demo.progress import Progress
from suite.phases import Run, Turns, portions
from suite.settings import full, quick
from suite.work import Sample


def test_a_scale_factor_is_measured_in_portions() -> None:
    settings = full((Decimal(1),))
    assert portions(settings, Decimal("0.1")) == [(0, 20_000)]
    assert portions(settings, Decimal(1)) == [(0, 200_000)]
    assert portions(settings, Decimal("2.5")) == [
        (0, 200_000),
        (200_000, 200_000),
        (400_000, 100_000),
    ]


class Counter:
    """Takes one nanosecond more each time."""

    def __init__(self, name: str, log: list[str]) -> None:
        self.name = name
        self._log = log
        self._time = 0

    def measure(self, work: str, times: int) -> Sample | None:
        if work == "encode-retained":
            return None
        self._log.append(self.name)
        self._time += 1
        return Sample(self._time, 10 * times, 7)


def test_everyone_takes_turns_and_portions_add_up() -> None:
    run = Run(quick((Decimal(1),)), {}, {}, {}, [], Progress(1, io.StringIO()))
    log: list[str] = []
    sides = [Counter("a", log), Counter("b", log)]
    turns = Turns(run)
    for _ in range(2):
        turns.take(sides, ["encode-fresh", "encode-retained"], 2, "test")
    assert log == ["a", "b"] * 6
    # With two portions of three rounds each, the first rounds are added up, and so on.
    expected = [Sample(1 + 4, 40, 14), Sample(2 + 5, 40, 14), Sample(3 + 6, 40, 14)]
    assert list(turns.samples()) == [
        ("a", "encode-fresh", expected),
        ("b", "encode-fresh", expected),
    ]


def test_more_is_measured_at_the_first_scale_factor_only() -> None:
    run = Run(
        full((Decimal(2), Decimal(1))),
        {},
        {Decimal(1): Path("one"), Decimal(2): Path("two")},
        {},
        [],
        Progress(1, io.StringIO()),
    )
    assert run.first_table == Path("two")
