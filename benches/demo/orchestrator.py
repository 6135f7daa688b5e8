"""Lets the contestants take turns, so that a noisy minute on the machine affects all of them."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path

from demo.errors import DemoError
from demo.handle import Handle, started
from demo.measure import Outcome, Summary, summarize
from demo.progress import Progress
from demo.trip import Travelled
from demo.worker import Description, Job


@dataclass(frozen=True)
class Plan:
    """The plan of a run."""

    contestants: Mapping[str, str]
    table: Path
    rows: int
    portion: int
    java: Sequence[str]
    rounds: int
    warm_up_rows: int

    def job(self, name: str, contestant: str) -> Job:
        """Returns one contestant's part of it."""
        return Job(name, contestant, self.table, self.java, self.warm_up_rows, self.portion)


@dataclass(frozen=True)
class Result:
    """One contestant's figures and its description of itself."""

    summary: Summary
    description: Description


@dataclass
class _Turns:
    """The results of one contestant so far."""

    outcomes: list[Outcome] = field(default_factory=list)
    travelled: list[Travelled] = field(default_factory=list)

    def end_portion(self, rows: int) -> None:
        last = self.travelled[-1]
        rounds = [each.times for each in self.travelled]
        self.outcomes.append(Outcome(rows, last.python_bytes, last.java_bytes, rounds))
        self.travelled.clear()


def compete(plan: Plan) -> dict[str, Result]:
    """Runs everything. The first contestant that fails ends the run with an error."""
    with ExitStack() as stack:
        portions = max(1, -(-plan.rows // plan.portion))
        steps = len(plan.contestants) * (1 + portions * plan.rounds)
        progress = stack.enter_context(closing(Progress(steps)))
        progress.now("starting a JVM for each contestant")
        handles = [
            stack.enter_context(started(plan.job(name, path)))
            for name, path in plan.contestants.items()
        ]
        rows = _load(handles)
        for handle in handles:
            progress.now(f"warming up {handle.name}")
            handle.warm_up()
            progress.step()
        turns = {handle.name: _Turns() for handle in handles}
        seen = 0
        while rows:
            seen += rows
            _rounds(handles, turns, plan.rounds, progress, f"rows up to {seen:,}")
            for each in turns.values():
                each.end_portion(rows)
            rows = _load(handles)
        return {
            handle.name: Result(summarize(turns[handle.name].outcomes), handle.describe())
            for handle in handles
        }


def _rounds(
    handles: Sequence[Handle],
    turns: Mapping[str, _Turns],
    rounds: int,
    progress: Progress,
    what: str,
) -> None:
    for number in range(1, rounds + 1):
        for handle in handles:
            progress.now(f"{what}, round {number} of {rounds}: {handle.name}")
            turns[handle.name].travelled.append(handle.travel())
            progress.step()


def _load(handles: Sequence[Handle]) -> int:
    """Lets everyone load the next portion at the same time. Returns its rows, 0 after the last."""
    for handle in handles:
        handle.begin_load()
    counts = {handle.end_load() for handle in handles}
    if len(counts) != 1:
        raise DemoError(f"the contestants loaded different numbers of rows: {sorted(counts)}")
    return counts.pop()
