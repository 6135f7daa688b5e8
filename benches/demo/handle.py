"""The orchestrator's end of a worker: what can be asked of it, and what is answered."""

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
    """A worker that ends with the block, at once if the block fails."""
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
        """Start the process."""
        super().__init__(job.name, run, job, ENVIRONMENTS.get(job.name, {}))

    def begin_load(self) -> None:
        """Ask for the next portion of the rows without waiting for it."""
        self.send(Request.LOAD)

    def end_load(self) -> int:
        """The number of rows of the portion asked for."""
        return self._expect(int)

    def warm_up(self) -> None:
        """An untimed trip, and rounds inside the JVM."""
        self.send(Request.WARM_UP)
        self._expect(type(None))

    def travel(self) -> Travelled:
        """One timed trip."""
        self.send(Request.TRAVEL)
        return self._expect(Travelled)

    def describe(self) -> Description:
        """What is printed about the contestant."""
        self.send(Request.DESCRIBE)
        return self._expect(Description)

    def _expect(self, kind: type[A]) -> A:
        answer = self.answer()
        if not isinstance(answer, kind):
            raise DemoError(f"{self.name}: unexpected answer {answer!r}")
        return answer
