"""The orchestrator's end of a worker: the requests and the answers."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from demo.contestants import ENVIRONMENTS
from demo.errors import DemoError
from demo.process import Child
from demo.trip import Travelled
from demo.worker import Description, Job, Request, run

A = TypeVar("A")


@contextmanager
def started(job: Job) -> Iterator["Handle"]:
    """A worker that ends with the block, without waiting if the block fails."""
    handle = Handle(job)
    try:
        yield handle
    except BaseException:
        handle.close(at_once=True)
        raise
    handle.close()


class Handle(Child):
    """One worker's process."""

    def __init__(self, job: Job) -> None:
        """Starts the process."""
        super().__init__(job.name, run, job, ENVIRONMENTS.get(job.name, {}))

    def begin_load(self) -> None:
        """Asks for the next portion of the rows without waiting for it."""
        self.send(Request.LOAD)

    def end_load(self) -> int:
        """Returns the number of rows of the portion asked for."""
        return self._expect(int)

    def warm_up(self) -> None:
        """Runs an untimed trip, and rounds inside the JVM."""
        self.send(Request.WARM_UP)
        self._expect(type(None))

    def travel(self) -> Travelled:
        """Runs one timed trip."""
        self.send(Request.TRAVEL)
        return self._expect(Travelled)

    def describe(self) -> Description:
        """Returns the text about the contestant."""
        self.send(Request.DESCRIBE)
        return self._expect(Description)

    def _expect(self, kind: type[A]) -> A:
        answer = self.answer()
        if not isinstance(answer, kind):
            raise DemoError(f"{self.name}: unexpected answer {answer!r}")
        return answer
