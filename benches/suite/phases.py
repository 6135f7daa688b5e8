"""The order of measurements: in Python, on the JVM, and between them.

In each phase every entrant has its own process, and all processes exist at the same time. Each
round measures everyone once, so a noisy minute on the machine affects all of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Protocol, TypeVar

from demo import part
from demo.errors import DemoError
from demo.process import Child
from demo.progress import Progress
from suite.entrants import Spec, in_both, in_java, in_python
from suite.java_side import JavaSide
from suite.orders import orders
from suite.python_side import Job, Load, PythonSide
from suite.results import Key, Record, key, record
from suite.settings import Settings
from suite.socket_side import Job as SocketJob
from suite.socket_side import SocketSide, Stream
from suite.wider import WIDER
from suite.work import BATCHES, HOT, IN_ORDER, SHUFFLED, Sample, added
from suite.workloads import OTHERS, PART


@dataclass(frozen=True)
class Run:
    """The data that all phases need."""

    settings: Settings
    specs: Mapping[str, Spec]
    tables: Mapping[Decimal, Path]
    """The text file of Part at each scale factor."""

    wider: Mapping[str, Path]
    """The text file of each of the wider workloads."""

    java: Sequence[str]
    progress: Progress

    @property
    def first_table(self) -> Path:
        """The table of Part at the first scale factor, where everything is measured."""
        return self.tables[self.settings.scales[0]]


def portions(settings: Settings, scale: Decimal) -> list[tuple[int, int]]:
    """Returns rows to skip and rows to take, for each portion of a scale factor."""
    rows = int(part.ROWS_AT_SCALE_1 * scale)
    return [(skip, min(settings.portion, rows - skip)) for skip in range(0, rows, settings.portion)]


def steps(settings: Settings) -> int:
    """Returns the total number of rounds of all phases."""
    parts = sum(len(portions(settings, scale)) for scale in settings.scales)
    wider = settings.wider_rounds * 4 * len(WIDER)
    return settings.rounds * (3 * parts + 2 + 2 * len(OTHERS) + 2) + wider


class Side(Protocol):
    """An entrant that takes turns."""

    name: str

    def measure(self, work: str, times: int) -> Sample | None:
        """Returns a sample of the work, or None if the entrant does not support it."""


S = TypeVar("S", bound=Side)


class Turns:
    """The samples of some rounds, by entrant and work. Each round has one sample per portion."""

    def __init__(self, run: Run) -> None:
        """Nothing is measured yet."""
        self._run = run
        self._samples: dict[tuple[str, str], list[list[Sample]]] = {}

    def take(
        self,
        sides: Sequence[Side],
        works: Sequence[str],
        times: int,
        what: str,
        rounds: int | None = None,
    ) -> None:
        """Lets everyone do all works, round after round, as often as the settings say."""
        for number in range(rounds or self._run.settings.rounds):
            for side in sides:
                self._run.progress.now(f"{what}, round {number + 1}: {side.name}")
                for work in works:
                    sample = side.measure(work, times)
                    if sample is not None:
                        self.add(side.name, work, number, sample)
            self._run.progress.step()

    def add(self, name: str, work: str, number: int, sample: Sample) -> None:
        """Adds a portion's sample to a round."""
        rounds = self._samples.setdefault((name, work), [])
        if len(rounds) <= number:
            rounds.append([])
        rounds[number].append(sample)

    def samples(self) -> Iterator[tuple[str, str, list[Sample]]]:
        """Yields entrant, work, and the samples of all rounds."""
        for (name, work), rounds in self._samples.items():
            yield name, work, [added(each) for each in rounds]


@contextmanager
def alive(sides: Sequence[Child]) -> Iterator[None]:
    """Ends processes at the end of the block, without waiting if it fails."""
    try:
        yield
    except BaseException:
        for side in sides:
            side.close(at_once=True)
        raise
    for side in sides:
        side.close()


def python(run: Run) -> list[Record]:
    """Encodes and decodes in Python."""
    sides = [PythonSide(Job(name, run.specs[name])) for name in in_python(run.specs)]
    with alive(sides):
        records = [one for scale in run.settings.scales for one in _python_part(run, sides, scale)]
        for workload in OTHERS:
            some = [side for side in sides if workload.name in run.specs[side.name].python]
            for order in orders(run.settings, workload.name):
                records += _python_rows(run, some, workload.name, order)
        return records


def _python_part(run: Run, sides: Sequence[PythonSide], scale: Decimal) -> list[Record]:
    """Measures Part at one scale factor; at the first also row by row, shuffled and hot."""
    is_first = scale == run.settings.scales[0]
    records = []
    if is_first:
        for order in ("hot", "shuffled"):
            records += _python_rows(run, sides, PART.name, order)
    turns = Turns(run)
    in_order = orders(run.settings, PART.name)["in order"].works
    for number, (skip, count) in enumerate(portions(run.settings, scale)):
        load_all(sides, Load(PART.name, run.tables[scale], skip, count))
        works = in_order if is_first and number == 0 else BATCHES
        turns.take(sides, works, 1, f"Python, SF={scale} from row {skip:,}")
    return records + records_of(turns, sides, f"{scale:f}", PART.name, "in order", 1)


def _python_rows(run: Run, sides: Sequence[PythonSide], workload: str, order: str) -> list[Record]:
    """Measures rows of any workload, in order or shuffled, or a few of them again and again."""
    one = orders(run.settings, workload)[order]
    load_all(sides, Load(workload, run.first_table, 0, one.count, one.shuffled))
    turns = Turns(run)
    turns.take(sides, one.works, one.times, f"Python, {workload} {order}")
    return records_of(turns, sides, f"{run.settings.scales[0]:f}", workload, order, one.times)


def load_all(sides: Sequence[PythonSide | SocketSide], load: Load) -> None:
    """Lets everyone load the same rows at the same time."""
    for side in sides:
        side.begin_load(load)
    counts = {side.name: side.end_load() for side in sides}
    if len(set(counts.values())) != 1:
        raise DemoError(f"they loaded different numbers of rows: {counts}")


def records_of(
    turns: Turns,
    sides: Sequence[PythonSide | JavaSide],
    scale: str,
    workload: str,
    order: str,
    times: int,
) -> list[Record]:
    """Returns a record of each thing that was measured in turns."""
    where = "Python" if isinstance(sides[0], PythonSide) else "JVM"
    tiers = {side.name: side.tier() for side in sides}
    return [
        record(key(scale, workload, where, name, work, order), tiers[name], samples, times)
        for name, work, samples in turns.samples()
    ]


def jvm(run: Run) -> list[Record]:
    """Encodes and decodes on the JVM."""
    with ExitStack() as stack:
        sides = []
        for name in in_java(run.specs):
            run.progress.now(f"JVM: starting and warming up {name}")
            side = stack.enter_context(
                closing(JavaSide(name, run.specs[name], run.java, PART.name))
            )
            _warm_up(run, side)
            sides.append(side)
        return [one for scale in run.settings.scales for one in _jvm_part(run, sides, scale)]


def _warm_up(run: Run, side: JavaSide) -> None:
    """Checks it, then lets it do everything twice, because the JVM compiles in steps."""
    side.check(run.first_table)
    side.load(run.first_table, 0, min(50_000, run.settings.portion))
    for _ in range(2):
        for work in IN_ORDER:
            side.warm_up(work, run.settings.warm_up_rows // 2)


def _jvm_part(run: Run, sides: Sequence[JavaSide], scale: Decimal) -> list[Record]:
    settings = run.settings
    is_first = scale == settings.scales[0]
    records = _jvm_arranged(run, sides) if is_first else []
    turns = Turns(run)
    for number, (skip, count) in enumerate(portions(settings, scale)):
        for side in sides:
            side.load(run.tables[scale], skip, count)
        works = IN_ORDER if is_first and number == 0 else BATCHES
        turns.take(sides, works, 1, f"JVM, SF={scale} from row {skip:,}")
    return records + records_of(turns, sides, f"{scale:f}", PART.name, "in order", 1)


def _jvm_arranged(run: Run, sides: Sequence[JavaSide]) -> list[Record]:
    """Measures shuffled rows, and a few rows again and again."""
    settings, table = run.settings, run.first_table
    scale = f"{settings.scales[0]:f}"
    shuffled, hot = Turns(run), Turns(run)
    for side in sides:
        side.load(table, 0, settings.portion)
        side.shuffle()
    shuffled.take(sides, SHUFFLED, 1, "JVM, part shuffled")
    records = records_of(shuffled, sides, scale, PART.name, "shuffled", 1)
    for side in sides:
        side.load(table, 0, settings.hot_rows)
    hot.take(sides, HOT, settings.hot_times, "JVM, part hot")
    return records + records_of(hot, sides, scale, PART.name, "hot", settings.hot_times)


def sockets(run: Run) -> list[Record]:
    """Measures from Python to the JVM and back, in batches and row by row."""
    sides = [SocketSide(SocketJob(name, run.specs[name], run.java)) for name in in_both(run.specs)]
    with alive(sides):
        load_all(sides, Load(PART.name, run.first_table, 0, run.settings.portion))
        for side in sides:
            run.progress.now(f"sockets: warming up {side.name}")
            side.warm_up(run.settings.warm_up_rows)
        return [one for scale in run.settings.scales for one in _streams(run, sides, scale)]


def _streams(run: Run, sides: Sequence[SocketSide], scale: Decimal) -> list[Record]:
    is_first = scale == run.settings.scales[0]
    turns = Turns(run)
    for portion, (skip, count) in enumerate(portions(run.settings, scale)):
        load_all(sides, Load(PART.name, run.tables[scale], skip, count))
        units = ("batch", "row") if is_first and portion == 0 else ("batch",)
        for number in range(run.settings.rounds):
            for side in sides:
                run.progress.now(f"sockets, SF={scale} from row {skip:,}: {side.name}")
                for unit in units:
                    for to_java in (True, False):
                        sample = side.stream(Stream(to_java, unit))
                        scenario = "Python to JVM" if to_java else "JVM to Python"
                        turns.add(side.name, f"{scenario}/{unit}", number, sample)
            run.progress.step()
    records = []
    for name, work, samples in turns.samples():
        scenario, unit = work.split("/")
        one = Key(f"{scale:f}", PART.name, scenario, name, unit, "in order", "fresh")
        records.append(record(one, "-", samples))
    return records
