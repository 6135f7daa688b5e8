"""A progress bar on a terminal. Elsewhere a line after each quarter."""

import sys
import time
from typing import TextIO

WIDTH = 30


class Progress:
    """The progress of a run of `steps` steps, on standard error."""

    def __init__(self, steps: int, stream: TextIO = sys.stderr) -> None:
        """Shows nothing before the first step or `now`."""
        self._steps = max(1, steps)
        self._stream = stream
        self._is_terminal = stream.isatty()
        self._done = 0
        self._begin = time.monotonic()

    def close(self) -> None:
        """Removes the bar."""
        if self._is_terminal:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def now(self, what: str) -> None:
        """Shows the current activity, without completing a step."""
        if self._is_terminal:
            filled = min(WIDTH, WIDTH * self._done // self._steps)
            bar = "█" * filled + "·" * (WIDTH - filled)
            seconds = time.monotonic() - self._begin
            self._stream.write(f"\r\x1b[K{bar} {seconds:4.0f} s  {what}")
            self._stream.flush()

    def step(self) -> None:
        """Completes one step."""
        before, self._done = 4 * self._done // self._steps, self._done + 1
        if not self._is_terminal and 4 * self._done // self._steps > before:
            percent = min(100, 100 * self._done // self._steps)
            seconds = time.monotonic() - self._begin
            self._stream.write(f"{percent:3d} % of the rounds after {seconds:.0f} s\n")
            self._stream.flush()
