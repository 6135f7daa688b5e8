"""An entrant's process on one of the Pythons. It has its rows and does the timed work.

    side.py ENTRANT

`suite/json_process.py` describes how it is asked. The requests:

    {"do": "load", "workload": ..., "table": ..., "skip": ..., "count": ..., "shuffled": ...}
    {"do": "measure", "work": ..., "times": ...}
    {"do": "tier"}
"""

import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).resolve().parents[1])

from suite.entrants import ENTRANTS  # noqa: E402
from suite.json_process import main  # noqa: E402
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


if __name__ == "__main__":
    sys.exit(main(partial(answer, Bench(ENTRANTS[sys.argv[1]]))))
