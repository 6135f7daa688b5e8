"""A child process that answers requests. A request and its answer are a line of JSON each.

A request is {"do": ..., and more}, on standard input. The answer, on standard output, is
{"value": ...}, or {"error": "..."} as the last one.
"""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TextIO, TypeVar

from demo.errors import DemoError

STOP_SECONDS = 10.0

T = TypeVar("T")

Answer = Callable[[str, dict[str, Any]], object]
"""Does what a request wants. Returns a value that JSON can express."""


class JsonProcess:
    """The parent's end of a process. Must be closed."""

    def __init__(
        self,
        command: Sequence[str],
        what: str,
        environment: Mapping[str, str],
        descriptors: Sequence[int] = (),
    ) -> None:
        """Starts it. `what` names it in errors; `environment` is its whole environment.

        It inherits the file descriptors.
        """
        self._what = what
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=dict(environment),
                pass_fds=descriptors,
            )
        except OSError as error:
            raise DemoError(f"{what} does not start: {error}") from None

    def ask(self, do: str, **more: object) -> Any:
        """Sends a request and returns the answer."""
        self.send(do, **more)
        return self.answer()

    def send(self, do: str, **more: object) -> None:
        """Sends a request."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"do": do, **more}) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise self._died() from None

    def answer(self) -> Any:
        """Waits for the answer to a request."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise self._died()
        said = json.loads(line)
        if "error" in said:
            raise DemoError(f"{self._what}: {said['error']}")
        return said["value"]

    def close(self) -> None:
        """Hangs up and waits for the end of the process."""
        process = self._process
        try:
            process.communicate(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()

    def _died(self) -> DemoError:
        status = self._process.wait(STOP_SECONDS)
        return DemoError(f"{self._what}: its process died, exit code {status}")


def main(answer: Answer) -> int:
    """Is the child's `main`. Only answers go to standard output; prints go to standard error."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hangs up on Ctrl-C
    answers, sys.stdout = sys.stdout, sys.stderr
    return _serve(answer, sys.stdin, answers)


def _serve(answer: Answer, requests: Iterable[str], answers: TextIO) -> int:
    """Answers until there are no more requests or one fails. Returns the exit status."""
    for line in requests:
        request = json.loads(line)
        said: dict[str, object]
        try:
            said = {"value": answer(request.pop("do"), request)}
        except Exception as error:  # serow or the check of its rows may raise any exception
            said = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(said) + "\n")
        answers.flush()
        if "error" in said:
            return 1
    return 0


def rotated(sides: Sequence[T], number: int) -> Sequence[T]:
    """Returns them beginning with another in each round, so that none is always after the same."""
    begin = number % len(sides) if sides else 0
    return [*sides[begin:], *sides[:begin]]
