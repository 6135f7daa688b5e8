"""One entrant in both languages: a Python process and its JVM, and rows streamed between them.

Messages are decoded as they arrive, while later ones are still being encoded. The measurement is
wall time, from before the first row is encoded until the other side reports that all are decoded.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, BinaryIO, cast

from demo import framing
from demo.clock import collector_off, timed
from demo.compare import first_difference
from demo.digest import digest
from demo.errors import DemoError
from demo.java_peer import JavaPeer
from demo.process import Child, serve
from demo.protocol import Kind
from demo.rows import Rows
from suite import workloads
from suite.entrants import Spec
from suite.entrants.entrant import Entrant, create, cut
from suite.python_side import Load
from suite.work import Sample
from suite.workloads import PART, WORKLOADS

BUFFER = 1 << 16
MOST_BY_ROW = 50_000
"""Rows of a portion that are streamed in single messages. It takes long, and all rows are alike."""

ROWS_AT_ONCE = 100
"""Rows that are encoded one by one before their messages are written."""


@dataclass(frozen=True)
class Stream:
    """Rows in one direction. `unit` is batch or row."""

    to_java: bool
    unit: str


@dataclass(frozen=True)
class WarmUp:
    """Rows to stream in every way, untimed."""

    rows: int


@dataclass(frozen=True)
class Job:
    """The arguments of a process."""

    name: str
    spec: Spec
    java: Sequence[str]


class SocketSide(Child):
    """The parent's end."""

    def __init__(self, job: Job) -> None:
        """Starts the process, which starts its JVM."""
        super().__init__(job.name, run, job, job.spec.environment)

    def begin_load(self, load: Load) -> None:
        """Asks both sides to load rows and to stream them both ways, compared and untimed."""
        self.send(load)

    def end_load(self) -> int:
        """Returns the number of rows. Raises if the rows did not come back equal."""
        return int(self.answer())

    def warm_up(self, rows: int) -> None:
        """Asks it to stream this many rows in every way, untimed."""
        self.send(WarmUp(rows))
        self.answer()

    def stream(self, stream: Stream) -> Sample:
        """Returns a sample of a stream."""
        self.send(stream)
        sample = self.answer()
        assert isinstance(sample, Sample)
        return sample


def run(job: Job, connection: Connection) -> None:
    """The main function of the process."""
    serve(connection, job.name, lambda: _opened(job))


@contextmanager
def _opened(job: Job) -> Iterator[Callable[[object], object]]:
    with closing(StreamPeer([*job.java, PART.name], job.name)) as peer:
        bench = Bench(job.spec, peer)

        def answer(question: object) -> object:
            if isinstance(question, Load):
                return bench.load(question)
            if isinstance(question, WarmUp):
                bench.warm_up(question.rows)
                return None
            assert isinstance(question, Stream)
            return bench.stream(question)

        yield answer


class StreamPeer(JavaPeer):
    """A JVM that sends and receives streams of messages."""

    def send_rows(self, entrant: Entrant, batches: Sequence[Any], unit: str) -> int:
        """Encodes, sends, and waits until the JVM has decoded all. Returns the number of bytes."""
        messages = sum(map(len, batches)) if unit == "row" else len(batches)
        size = 0
        with self._writer() as out:
            framing.write(out, Kind.ASK, f"receive {unit} {messages}".encode())
            for message in _messages(entrant, batches, unit):
                framing.write(out, Kind.DATA, message)
                size += len(message)
            out.flush()
        self._answer(Kind.TOLD)
        return size

    def receive_digest(self) -> str:
        """Returns the digest of what the JVM received. The JVM sends it last."""
        return self._answer(Kind.TOLD).decode().strip().removeprefix("digest=")

    def receive_rows(self, entrant: Entrant, unit: str) -> tuple[list[Any], int]:
        """Asks the JVM to send its rows and decodes them. Returns them and the number of bytes."""
        rows: list[Any] = []
        size = 0
        decode = entrant.decode_rows if unit == "row" else entrant.decode
        most = MOST_BY_ROW if unit == "row" else -1
        framing.send(self._open(), Kind.ASK, f"send {unit} {most}".encode())
        with self._reader() as stream:
            (count,) = framing.unpack_numbers(_expect(stream, Kind.MESSAGES), 1)
            while count:
                some = min(count, ROWS_AT_ONCE if unit == "row" else 1)
                messages = [_expect(stream, Kind.DATA) for _ in range(some)]
                size += framing.total(messages)
                rows += decode(messages)
                count -= some
            _expect(stream, Kind.TOLD)
        return rows, size

    def _writer(self) -> BinaryIO:
        return cast(BinaryIO, self._open().makefile("wb", BUFFER))

    def _reader(self) -> BinaryIO:
        """Opens a file that must be read to the end of an answer, so that its buffer is empty."""
        return cast(BinaryIO, self._open().makefile("rb", BUFFER))


def _expect(stream: BinaryIO, kind: Kind) -> bytes:
    got, payload = framing.read(stream)
    if got == Kind.FAILED:
        raise DemoError(f"the JVM failed: {payload.decode('utf-8', 'replace')}")
    if got != kind:
        raise DemoError(f"expected {kind.name} from the JVM, got kind {got}")
    return payload


def _messages(entrant: Entrant, batches: Sequence[Any], unit: str) -> Iterator[Any]:
    for batch in batches:
        if unit == "row":
            for some in cut(batch, ROWS_AT_ONCE):
                yield from entrant.encode_rows([some])
        else:
            yield from entrant.encode([batch])


class Bench:
    """The rows of both sides, which are the same."""

    def __init__(self, spec: Spec, peer: StreamPeer) -> None:
        """Nothing is loaded yet."""
        self._spec = spec
        self._peer = peer
        self._batches: dict[str, list[Sequence[Any]]] = {}

    def load(self, load: Load) -> int:
        """Loads rows on both sides, streams them once in every way, and compares."""
        workload = WORKLOADS[load.workload]
        self._entrant = create(self._spec, workload)
        rows = workloads.rows(workload, load.table, load.skip, load.count)
        there = int(self._peer.ask(f"load {load.skip} {load.count} {load.table}")["rows"])
        if there != len(rows):
            raise DemoError(f"Python reads {len(rows):,} rows and the JVM {there:,}")
        size = self._entrant.stream_batch
        self._batches = {"batch": cut(rows, size), "row": cut(rows[:MOST_BY_ROW], size)}
        for unit in ("batch", "row"):
            self._check(rows if unit == "batch" else rows[:MOST_BY_ROW], unit)
        return len(rows)

    def _check(self, rows: Rows, unit: str) -> None:
        self._peer.send_rows(self._entrant, self._batches[unit], unit)
        if self._peer.receive_digest() != digest(rows).hex():
            raise DemoError(f"Python to JVM, a {unit} a message: the digests of the rows differ")
        received, _ = self._peer.receive_rows(self._entrant, unit)
        if (difference := first_difference(rows, received)) is not None:
            raise DemoError(f"JVM to Python, a {unit} a message: {difference}")

    def warm_up(self, rows: int) -> None:
        """Streams until this many rows have gone in every way."""
        for unit, batches in self._batches.items():
            for to_java in (True, False):
                for _ in range(0, rows, sum(map(len, batches))):
                    self.stream(Stream(to_java, unit))

    def stream(self, stream: Stream) -> Sample:
        """Runs one timed stream."""
        batches = self._batches[stream.unit]
        with collector_off():
            if stream.to_java:
                size, seconds = timed(
                    lambda: self._peer.send_rows(self._entrant, batches, stream.unit)
                )
                self._peer.receive_digest()
            else:
                (received, size), seconds = timed(
                    lambda: self._peer.receive_rows(self._entrant, stream.unit)
                )
                del received
        return Sample(seconds * 1e9, sum(map(len, batches)), size)
