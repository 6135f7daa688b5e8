"""A contestant's process.

Each contestant has its own heap and JVM, so none warms or fragments another's. The orchestrator
sends one `Request` at a time and gets one answer: the result or a `Failure`.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import Enum
from multiprocessing.connection import Connection
from pathlib import Path

from demo import part
from demo.contestants.contestant import Contestant, create
from demo.digest import digest
from demo.java_peer import JavaPeer
from demo.process import serve
from demo.rows import Rows
from demo.trip import Travelled, travel

SAMPLE = 64
"""The number of rows that stay after the last portion, for the description."""


class Request(Enum):
    """The orchestrator's requests."""

    LOAD = "load"  # the next portion of the rows: their number, 0 at the end
    WARM_UP = "warm up"  # an untimed trip, then rounds inside the JVM
    TRAVEL = "travel"  # one timed trip with the portion
    DESCRIBE = "describe"  # the text about this contestant


@dataclass(frozen=True)
class Job:
    """The arguments of a worker."""

    name: str
    contestant: str
    table: Path
    java: Sequence[str]
    warm_up_rows: int
    portion: int


@dataclass(frozen=True)
class Description:
    """The text about a contestant, besides its figures."""

    python_tier: str
    java_tier: str
    java_version: str
    notes: Sequence[str]


def run(job: Job, connection: Connection) -> None:
    """The main function: serves until the orchestrator hangs up or something fails."""
    serve(connection, job.name, lambda: _opened(job))


@contextmanager
def _opened(job: Job) -> Iterator[Callable[[Request], object]]:
    with closing(JavaPeer(job.java, job.name)) as peer:
        yield Worker(job, peer).answer


class Worker:
    """One contestant with its portion of the rows and its JVM."""

    def __init__(self, job: Job, peer: JavaPeer) -> None:
        """Load nothing yet."""
        self._warm_up_rows = job.warm_up_rows
        self._contestant: Contestant = create(job.contestant)
        self._peer = peer
        self._portions = part.portions(job.table, job.portion)
        self._rows: Rows = []
        self._sample: Rows = []
        self._digest = b""

    def answer(self, request: Request) -> int | Travelled | Description | None:
        """Do what is asked."""
        if request is Request.LOAD:
            return self._load()
        if request is Request.WARM_UP:
            self._warm_up()
            return None
        if request is Request.TRAVEL:
            return self._travel()
        return self._describe()

    def _load(self) -> int:
        self._rows = []
        self._rows = next(self._portions, [])
        self._sample = self._rows[:SAMPLE] or self._sample
        self._digest = digest(self._rows)
        return len(self._rows)

    def _warm_up(self) -> None:
        self._travel()
        self._peer.warm_up(-(-self._warm_up_rows // len(self._rows)))

    def _travel(self) -> Travelled:
        return travel(self._contestant, self._peer, self._rows, self._digest)

    def _describe(self) -> Description:
        java = self._peer.about()
        about = self._contestant.about(self._sample, java)
        return Description(
            python_tier=about.tier,
            java_tier=java.get("tier", "-"),
            java_version=java.get("java", "unknown"),
            notes=about.notes,
        )
