"""One entrant's JVM. It has its rows and does the timed work, as text commands request."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from demo.errors import DemoError
from demo.java_peer import JavaPeer
from suite.entrants import Spec
from suite.work import NOT_IN_JAVA, Sample
from suite.workloads import PART

JVM_OPTIONS = ("-Xms768m", "-Xmx768m", "-XX:+UseParallelGC", "-XX:+AlwaysPreTouch")
"""Every JVM gets all its memory before anything is timed, and the same collector."""

CHECKED = 2500
"""The number of rows that are converted and compared before anything is timed."""


def has_compiler(command: Sequence[str]) -> bool:
    """Returns whether serow on the JVM generates machine code."""
    with closing(JavaPeer([*command, PART.name], "serow-row")) as peer:
        return peer.ask("about")["compiler"] == "true"


class JavaSide:
    """A JVM with one entrant. Must be closed."""

    def __init__(self, name: str, spec: Spec, command: Sequence[str], workload: str) -> None:
        """Starts it for rows of a workload."""
        self.name = name
        self._peer = JavaPeer([*command, workload], name, spec.environment)
        self._is_floor = spec.is_floor
        self._works: set[str] = set()

    def close(self) -> None:
        """Stops it."""
        self._peer.close()

    def load(self, table: Path, skip: int, count: int) -> int:
        """Lets it read rows. Returns their number."""
        return int(self._ask(f"load {skip} {count} {table}")["rows"])

    def check(self, table: Path, expected: bytes | None = None) -> None:
        """Lets it convert some rows in every way and compares their digests.

        `expected` is what Python has for the same rows, if the tables are to be compared too. A
        floor converts nothing, so there is nothing to check.
        """
        if self._is_floor:
            return
        self.load(table, 0, CHECKED)
        said = self._ask("check")
        if said["equal"] != "true":
            raise DemoError(f"{self.name}: rows did not come back equal in the JVM")
        if expected is not None and said["digest"] != expected.hex():
            raise DemoError(f"{self.name}: Python and the JVM read {table} differently")

    def shuffle(self) -> None:
        """Lets it shuffle its rows."""
        self._ask("shuffle")

    def warm_up(self, work: str, rows: int) -> None:
        """Lets it do a piece of work untimed, until this many rows are converted."""
        if work not in NOT_IN_JAVA and self._ask(f"warm-up {work} {rows}")["has"] == "true":
            self._works.add(work)

    def measure(self, work: str, times: int) -> Sample | None:
        """Returns a sample of the work, or None if the entrant does not support it."""
        if work not in self._works:
            return None
        said = self._ask(f"measure {work} {times}")
        return Sample(*(int(said[name]) for name in ("nanoseconds", "rows", "bytes", "allocated")))

    def tier(self) -> str:
        """Returns the tier that converts rows, if there is a choice."""
        return self._ask("about")["tier"]

    def version(self) -> str:
        """Returns Java's version."""
        return self._ask("about")["java"]

    def _ask(self, words: str) -> dict[str, str]:
        try:
            return self._peer.ask(words)
        except DemoError as error:
            raise DemoError(f"{self.name}: {error}") from None
