"""An entrant's process on one of the Pythons. It has its rows and does the timed work.

    side.py ENTRANT

Reads a request from each line of standard input, and writes a line of JSON for each to standard
output: {"value": ...}, or {"error": "..."} as its last.

    {"do": "load", "workload": ..., "table": ..., "skip": ..., "count": ..., "shuffled": ...}
    {"do": "measure", "work": ..., "times": ...}
    {"do": "tier"}
"""

import json
import signal
import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

sys.path[0] = str(Path(__file__).resolve().parents[1])

from suite.entrants import ENTRANTS  # noqa: E402
from suite.python_side import Bench, Load  # noqa: E402


def answer(bench: Bench, do: str, request: dict[str, Any]) -> object:
    """Does what a request wants. Returns a value that JSON can express."""
    if do == "load":
        return bench.load(Load(**{**request, "table": Path(request["table"])}))
    if do == "measure":
        sample = bench.measure(**request)
        return None if sample is None else asdict(sample)
    if do == "tier":
        return bench.entrant.tier
    raise ValueError(f"a side cannot {do!r}")


def serve(entrant: str, requests: Iterable[str], answers: TextIO) -> int:
    """Answers until there are no more requests or one fails. Returns the exit status."""
    bench = Bench(ENTRANTS[entrant])
    for line in requests:
        request = json.loads(line)
        said: dict[str, object]
        try:
            said = {"value": answer(bench, request.pop("do"), request)}
        except Exception as error:  # serow or the check of its rows may raise any exception
            said = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(said) + "\n")
        answers.flush()
        if "error" in said:
            return 1
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hangs up on Ctrl-C
    only_answers, sys.stdout = sys.stdout, sys.stderr
    sys.exit(serve(sys.argv[1], sys.stdin, only_answers))
