"""A child process that answers one question at a time: its main function, and its parent's end."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import Any

from demo.errors import DemoError

ANSWER_SECONDS = 900.0
STOP_SECONDS = 10.0

_INTERRUPTS = {signal.SIGINT, signal.SIGTERM}


@dataclass(frozen=True)
class Failure:
    """The reason why a child ended."""

    message: str


def serve(
    connection: Connection,
    name: str,
    opened: Callable[[], AbstractContextManager[Callable[[Any], object]]],
) -> None:
    """The main function of a child: answers until the parent hangs up or something fails.

    `opened` gives, for as long as it takes, what answers a question.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _INTERRUPTS)
    try:
        with opened() as answer:
            while (question := _next(connection)) is not None:
                connection.send(answer(question))
    except DemoError as error:
        _give_up(connection, f"{name}: {error}")
    except Exception as error:  # a contestant's library may raise any exception
        _give_up(connection, f"{name}: {type(error).__name__}: {error}")


def _next(connection: Connection) -> object:
    """Returns the next request, or None if the parent has hung up."""
    try:
        return connection.recv()
    except (EOFError, ConnectionError):
        return None


def _give_up(connection: Connection, message: str) -> None:
    with suppress(OSError):  # after Ctrl-C the parent may be gone
        connection.send(Failure(message))


@contextmanager
def _added(environment: Mapping[str, str]) -> Iterator[None]:
    """Adds variables to this process's environment while a child is started."""
    before = {name: os.environ.get(name) for name in environment}
    os.environ.update(environment)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


class Child:
    """A child process and the connection to it. Must be closed."""

    def __init__(
        self, name: str, main: Callable[..., None], job: object, environment: Mapping[str, str]
    ) -> None:
        """Starts a process that runs `main(job, connection)`, which should end in `serve`.

        `environment` is added to that of this process. The child has it before it imports
        anything, which is when libraries read it.
        """
        context = multiprocessing.get_context("spawn")
        self.name = name
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=main, args=(job, theirs), name=name)
        # It unblocks interrupts when it starts, so it starts before they are blocked.
        resource_tracker.ensure_running()
        # This process can't end before the child has its job, and the child can't before `serve`.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTS)
        try:
            with _added(environment):
                self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()

    def close(self, at_once: bool = False) -> None:
        """Hangs up and reaps the process; with `at_once`, without waiting for its current work."""
        self._connection.close()
        if at_once:
            self._process.terminate()
        self._process.join(STOP_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()

    def send(self, question: object) -> None:
        """Sends a request without waiting for the answer."""
        try:
            self._connection.send(question)
        except OSError:  # the child has ended and may have sent the reason
            self.answer()
            raise self._died() from None

    def answer(self) -> Any:
        """Returns the answer to the oldest unanswered request."""
        try:
            if not self._connection.poll(ANSWER_SECONDS):
                raise DemoError(f"{self.name}: no answer in {ANSWER_SECONDS:.0f} s")
            answer = self._connection.recv()
        except (EOFError, ConnectionError):
            raise self._died() from None
        if isinstance(answer, Failure):
            raise DemoError(answer.message)
        return answer

    def _died(self) -> DemoError:
        self._process.join(STOP_SECONDS)
        return DemoError(f"{self.name}: its process died, exit code {self._process.exitcode}")
