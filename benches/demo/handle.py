"""The orchestrator's end of a worker: asks it, waits for it within limits, and reaps it."""

import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from demo.errors import DemoError
from demo.trip import Travelled
from demo.worker import Answer, Description, Failure, Job, Request, run

ANSWER_SECONDS = 900.0
STOP_SECONDS = 10.0

A = TypeVar("A")


@contextmanager
def started(job: Job) -> Iterator["Handle"]:
    """A worker that ends with the block, at once if the block fails."""
    handle = Handle(job)
    try:
        yield handle
    except BaseException:
        handle.close(at_once=True)
        raise
    handle.close()


class Handle:
    """One worker's process."""

    def __init__(self, job: Job) -> None:
        """Start the process."""
        context = multiprocessing.get_context("spawn")
        self.name = job.name
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=run, args=(job, theirs), name=job.name)
        self._process.start()
        theirs.close()

    def close(self, at_once: bool = False) -> None:
        """Hang up and reap the process, `at_once` without waiting for the work in hand."""
        self._connection.close()
        if at_once:
            self._process.terminate()
        self._process.join(STOP_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()

    def begin_load(self) -> None:
        """Ask for the next portion of the rows without waiting for it."""
        self._send(Request.LOAD)

    def end_load(self) -> int:
        """The number of rows of the portion asked for."""
        return self._answer(int)

    def warm_up(self) -> None:
        """An untimed trip, and rounds inside the JVM."""
        self._send(Request.WARM_UP)
        self._answer(type(None))

    def travel(self) -> Travelled:
        """One timed trip."""
        self._send(Request.TRAVEL)
        return self._answer(Travelled)

    def describe(self) -> Description:
        """What is printed about the contestant."""
        self._send(Request.DESCRIBE)
        return self._answer(Description)

    def _send(self, request: Request) -> None:
        try:
            self._connection.send(request)
        except OSError:  # the worker has ended, and may have said why
            self._answer(Description)
            raise self._died() from None

    def _answer(self, expected: type[A]) -> A:
        try:
            if not self._connection.poll(ANSWER_SECONDS):
                raise DemoError(f"{self.name}: no answer in {ANSWER_SECONDS:.0f} s")
            answer: Answer = self._connection.recv()
        except (EOFError, ConnectionError):
            raise self._died() from None
        if isinstance(answer, Failure):
            raise DemoError(answer.message)
        if not isinstance(answer, expected):
            raise DemoError(f"{self.name}: unexpected answer {answer!r}")
        return answer

    def _died(self) -> DemoError:
        self._process.join(STOP_SECONDS)
        return DemoError(f"{self.name}: its process died, exit code {self._process.exitcode}")
