"""Lets the Pythons take turns, with one entrant and one workload after another.

Each has its own process on each Python, and these processes exist at the same time. Everything is
repeated in new processes, because the places that a process has its memory at can make it some
percent faster or slower for as long as it lives.
"""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from pathlib import Path

from demo.errors import DemoError
from demo.progress import Progress
from pythons.results import Measured
from suite import settings as suite_settings
from suite import startup
from suite.entrants import Spec, in_python
from suite.json_process import JsonProcess, rotated
from suite.orders import orders
from suite.python_side import Load
from suite.results import Key, key
from suite.settings import Settings
from suite.work import Sample

STARTUP = "startup"
"""Stands for the measurements in fresh processes where workloads are named."""

SIDE = Path(__file__).with_name("side.py")


@dataclass(frozen=True)
class Python:
    """A Python with serow."""

    name: str
    """A short name for tables, such as `3.14`."""

    path: str


@dataclass(frozen=True)
class Size:
    """The amount of work."""

    settings: Settings
    """The suite's sizes. Each process runs `rounds` rounds of every workload."""

    processes: int
    """How often everything is repeated in new processes."""


def full(scale: Decimal) -> Size:
    """Returns the size of `make bench-pythons`."""
    settings = suite_settings.full((scale,))
    return Size(replace(settings, rounds=3, wider_hot_times=settings.hot_times, starts=3), 5)


def quick(scale: Decimal) -> Size:
    """Returns the size of `make bench-pythons QUICK=1`."""
    return Size(replace(suite_settings.quick((scale,)), rounds=2, starts=2), 2)


@dataclass(frozen=True)
class Run:
    """All that is measured, and with what."""

    pythons: Sequence[Python]
    workloads: Sequence[str]
    specs: Mapping[str, Spec]
    tables: Mapping[str, Path]
    """The text file of each workload that has one."""

    size: Size

    def entrants(self, workload: str) -> list[str]:
        """Returns serow's entrants for a workload."""
        return [name for name in in_python(self.specs, workload) if self.specs[name].is_serow]

    def steps(self) -> int:
        """Returns the number of steps of the progress bar."""
        each = (1 if one == STARTUP else len(self.entrants(one)) for one in self.workloads)
        return self.size.processes * sum(each)


class Side(JsonProcess):
    """The parent's end of a process. Must be closed."""

    def __init__(self, python: Python, entrant: str, spec: Spec, seed: int) -> None:
        """Starts it. All Pythons get the same `seed` for their hashes."""
        self.python = python
        environment = {**os.environ, **spec.environment, "PYTHONHASHSEED": str(seed)}
        command = [python.path, str(SIDE), entrant]
        super().__init__(command, f"Python {python.name}, {entrant}", environment)

    def begin_load(self, load: Load) -> None:
        """Asks it to load rows, to convert some of them and the tricky rows, and to compare."""
        self.send("load", **{**asdict(load), "table": str(load.table)})

    def end_load(self) -> int:
        """Returns the number of rows. Raises if the rows did not come back equal."""
        return int(self.answer())

    def measure(self, work: str, times: int) -> Sample | None:
        """Returns a sample of the work, or None if the entrant does not support it."""
        sample = self.ask("measure", work=work, times=times)
        return None if sample is None else Sample(**sample)

    def tier(self) -> str:
        """Returns the tier that converts rows, if there is a choice."""
        return str(self.ask("tier"))


class Times:
    """Nanoseconds per row of each round in each process, by key and Python."""

    def __init__(self) -> None:  # noqa: D107
        self._rounds: dict[tuple[Key, str], list[list[float]]] = defaultdict(list)
        self._tiers: dict[Key, str] = {}

    def add(self, one: Key, python: Python, tier: str, rounds: Sequence[float]) -> None:
        """Adds the rounds of a process."""
        if self._tiers.setdefault(one, tier) != tier:
            raise DemoError(
                f"Python {python.name}: the tier of {one.workload}, {one.entrant} is {tier}, "
                f"elsewhere {self._tiers[one]}: see serow.explain() there"
            )
        self._rounds[one, python.name].append(list(rounds))

    def measured(self) -> Iterator[Measured]:
        """Yields the times of each key on each Python."""
        for (one, python), processes in self._rounds.items():
            yield Measured(one, python, self._tiers[one], tuple(map(tuple, processes)))


def measure(run: Run, progress: Progress) -> list[Measured]:
    """Measures everything."""
    times = Times()
    for process in range(run.size.processes):
        for workload in run.workloads:
            if workload == STARTUP:
                progress.now(f"fresh processes, {process + 1}")
                _start(run, process, times)
                progress.step()
                continue
            for entrant in run.entrants(workload):
                progress.now(f"{workload}, processes {process + 1}: {entrant}")
                _take_turns(run, process, workload, entrant, times)
                progress.step()
    return list(times.measured())


def _start(run: Run, process: int, times: Times) -> None:
    for python in rotated(run.pythons, process):
        for record in startup.measure(run.size.settings.starts, python.path):
            times.add(record.key, python, record.tier, record.rounds)


def _take_turns(run: Run, process: int, workload: str, entrant: str, times: Times) -> None:
    """Measures an entrant in one process on each Python."""
    spec = run.specs[entrant]
    table = run.tables.get(workload, Path("no table"))
    settings = run.size.settings
    scale = f"{settings.scales[0]:f}"
    with ExitStack() as stack:
        sides = [
            stack.enter_context(closing(Side(python, entrant, spec, process)))
            for python in run.pythons
        ]
        for name, order in orders(settings, workload).items():
            _load(sides, Load(workload, table, 0, order.count, order.shuffled))
            rounds = _rounds(sides, order.works, order.times, settings.rounds)
            tiers = [side.tier() for side in sides]
            for side, tier in zip(sides, tiers, strict=True):
                for work in order.works:
                    if done := rounds[work, side]:
                        one = key(scale, workload, "Python", entrant, work, name)
                        times.add(one, side.python, tier, done)


def _load(sides: Sequence[Side], load: Load) -> None:
    for side in sides:
        side.begin_load(load)
    counts = {side.python.name: side.end_load() for side in sides}
    if len(set(counts.values())) != 1:
        raise DemoError(f"{load.workload}: Pythons loaded different numbers of rows: {counts}")


def _rounds(
    sides: Sequence[Side], works: Sequence[str], times: int, rounds: int
) -> Mapping[tuple[str, Side], list[float]]:
    """Returns nanoseconds per row of each work in each round. All sides do a work in turn."""
    found: dict[tuple[str, Side], list[float]] = defaultdict(list)
    sizes: dict[str, int] = {}
    for number in range(rounds):
        for work in works:
            for side in rotated(sides, number):
                sample = side.measure(work, times)
                if sample is None:
                    continue
                if sizes.setdefault(work, sample.bytes) != sample.bytes:
                    raise DemoError(
                        f"Python {side.python.name}, {work}: messages of {sample.bytes:,} bytes, "
                        f"elsewhere of {sizes[work]:,}"
                    )
                found[work, side].append(sample.nanoseconds / sample.rows)
    return found
