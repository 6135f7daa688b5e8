"""Replaces the processes in Rust and Java, so that tests need not build them."""

import os
import sys
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).resolve().parents[2])

import serow  # noqa: E402

from parallel.python_side import Bench  # noqa: E402
from suite.json_process import main  # noqa: E402


class Other(Bench):
    """Answers what the process in Rust or Java answers."""

    def answer(self, do: str, request: dict[str, Any]) -> object:
        """Does what a request wants."""
        if do == "start":
            return 5e-5
        if do == "load":
            with serow.Reader(request["stream"]) as rows:
                self.rows = list(rows)[: request["rows"]]
            if "SEROW_TEST_OTHER_ROWS" in os.environ:
                self.rows[0] = (*self.rows[0][:-1], "another comment, which is longer than all")
            return len(self.rows)
        if do in ("count", "write", "frames"):
            raise ValueError(f"the other process cannot {do!r}")
        return super().answer(do, request)


if __name__ == "__main__":
    sys.exit(main(Other().answer))
