"""A contestant's process.

Contestants share neither a heap nor a JVM, so none warms or fragments another's.
The orchestrator sends one `Request` at a time and gets one answer: what was asked for, or a
`Failure`.
"""

import signal
import sys
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from enum import Enum
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeAlias

from demo import part
from demo.contestants.contestant import Contestant, create
from demo.digest import digest
from demo.errors import DemoError
from demo.java_peer import JavaPeer
from demo.rows import Rows
from demo.trip import Travelled, travel

SAMPLE = 64
"""Rows kept after the last portion, to say what they are."""


class Request(Enum):
    """What the orchestrator can ask for."""

    LOAD = "load"  # the next portion of the rows: their number, 0 at the end
    WARM_UP = "warm up"  # an untimed trip, then rounds inside the JVM
    TRAVEL = "travel"  # one timed trip with the portion
    DESCRIBE = "describe"  # what is to be printed about this contestant


@dataclass(frozen=True)
class Job:
    """What a worker is started with."""

    name: str
    contestant: str
    table: Path
    java: Sequence[str]
    warm_up_rows: int
    portion: int


@dataclass(frozen=True)
class Description:
    """What is printed about a contestant beside its figures."""

    python_tier: str
    java_tier: str
    java_version: str
    notes: Sequence[str]


@dataclass(frozen=True)
class Failure:
    """Why the worker gave up."""

    message: str


Answer: TypeAlias = int | Travelled | Description | Failure | None


def run(job: Job, connection: Connection) -> None:
    """The process's main: serve until the orchestrator hangs up or something fails."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        with closing(JavaPeer(job.java, job.name)) as peer:
            worker = Worker(job, peer)
            while (request := _next(connection)) is not None:
                connection.send(worker.answer(request))
    except DemoError as error:
        _give_up(connection, f"{job.name}: {error}")
    except Exception as error:  # a contestant's library may raise anything
        _give_up(connection, f"{job.name}: {type(error).__name__}: {error}")


def _next(connection: Connection) -> Request | None:
    """What the orchestrator asks next, or None once it has hung up."""
    try:
        request: Request = connection.recv()
    except (EOFError, ConnectionError):
        return None
    return request


def _give_up(connection: Connection, message: str) -> None:
    with suppress(OSError):  # nobody may be there to be told, after Ctrl-C
        connection.send(Failure(message))


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

    def answer(self, request: Request) -> Answer:
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
