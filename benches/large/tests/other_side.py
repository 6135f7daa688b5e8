"""Replaces the processes of the stream by some with a fault."""

import os
import sys
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).resolve().parents[2])

from large.pipe_side import Pipe  # noqa: E402
from suite.json_process import main  # noqa: E402

FAULT = os.environ["SEROW_TEST_FAULT"]


class Faulty(Pipe):
    """Does what the environment says."""

    def answer(self, do: str, request: dict[str, Any]) -> object:
        """Does what a request wants, or something else."""
        if FAULT == "reader dies" and do == "read":
            os._exit(3)
        if FAULT == "writer dies" and do == "write":
            os.write(request["pipe"], b"SROW")
            os._exit(3)
        answer = super().answer(do, request)
        if FAULT == "other rows" and do == "load":
            self._rows[-1] = (8429, *self._rows[-1][1:])
        return answer


if __name__ == "__main__":
    sys.exit(main(Faulty().answer))
