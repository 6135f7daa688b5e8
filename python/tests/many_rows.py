"""Sends very many rows from hypothesis through both wires: `python many_rows.py 100000`.

Decoded rows must have the same types and bits at every node. This is a program and not a test of
pytest, because so many examples take minutes: it distributes them to the processors, and runs once
and not for each version of Python.
"""

import argparse
import os
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).parents[2] / "tests" / "golden"
sys.path.insert(0, str(GOLDEN))

import rowtext  # noqa: E402
import serow  # noqa: E402
from hypothesis import HealthCheck, given, seed, settings  # noqa: E402
from hypothesis.strategies import SearchStrategy  # noqa: E402
from strategies import drawn_rows, values  # noqa: E402

#: Examples in one run of hypothesis. A run stores its examples and becomes slower with each.
RUN = 1000

#: Types whose values are the same if they are equal.
PLAIN = (type(None), bool, int, str, bytes, bytearray)


def same(a: Any, b: Any) -> bool:
    """Tell whether two values have the same types and bits. Comparing their text is slow.

    Records decode to named tuples.
    """
    if type(a) in PLAIN or type(b) in PLAIN:
        return type(a) is type(b) and bool(a == b)
    if type(a) is type(b) is float:
        return struct.pack("<d", a) == struct.pack("<d", b)
    if type(a) is type(b) and type(a) in (list, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return rowtext.canonical(a) == rowtext.canonical(b)


def run(examples: int, start: int) -> None:
    """Check this number of examples in this process."""
    for done in range(0, examples, RUN):
        # Values that hypothesis draws piece by piece take ten times as long as values of one draw.
        strategy = values() if done // RUN % 25 == 0 else drawn_rows
        run_once(strategy, min(RUN, examples - done), start + done)


def run_once(strategy: SearchStrategy[Any], examples: int, start: int) -> None:
    """Check this number of examples in one run of hypothesis."""

    @seed(start)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def comes_back(row: Any) -> None:
        for wire in ("frame", "row"):
            (back,) = serow.loads(serow.dumps([row], wire=wire))
            assert same(back, row), (wire, row, back)

    comes_back()


def main() -> int:
    """Distribute the examples and wait; give 1 if any fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("examples", type=int)
    parser.add_argument("--seed", type=int, default=None, help="run one share, of this seed, here")
    options = parser.parse_args()
    if options.seed is not None:
        run(options.examples, options.seed)
        return 0
    began = time.monotonic()
    shares = os.cpu_count() or 1
    each = -(-options.examples // shares)
    seeds = [int.from_bytes(os.urandom(4), "little") for _ in range(shares)]
    print(f"{shares} times {each} rows, seeds {seeds}", flush=True)
    command = [sys.executable, __file__, str(each), "--seed"]
    running = [subprocess.Popen([*command, str(start)]) for start in seeds]
    failed = any([process.wait() for process in running])
    print(f"{'some rows differ' if failed else 'all came back'}, {time.monotonic() - began:.0f} s")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
