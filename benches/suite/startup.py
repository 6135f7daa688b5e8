"""Measurements in fresh processes: import, first use, and compile times if there are any."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from demo.errors import DemoError
from suite import compiler
from suite.results import Key, Record

ROOT = Path(__file__).resolve().parents[2]

FIELDS = (9, 100, 1000)
"""Numbers of fields of the compiled schemas."""


def measure(starts: int, python: str = sys.executable) -> list[Record]:
    """Measures everything, each in this many fresh processes of a Python."""
    records = _imports(python, starts)
    if compiler.exists():
        for fields in FIELDS:
            records += _compiles(python, fields, max(2, starts // 3))
    return records


def _imports(python: str, starts: int) -> list[Record]:
    times = [_fresh(python, {}, "import") for _ in range(starts + 1)][1:]
    return [
        _record("import serow", "-", [each[0] for each in times]),
        _record("first dumps", "-", [each[1] for each in times]),
    ]


def _compiles(python: str, fields: int, starts: int) -> list[Record]:
    """Compiles with an empty cache each time, and then with a filled one."""
    later, first_cpu, cached = [], [], []
    for _ in range(starts):
        with tempfile.TemporaryDirectory(prefix="serow-") as folder:
            environment = {"SEROW_CACHE_DIR": folder, "SEROW_TIER": "auto"}
            first = _fresh(python, environment, "compile", str(fields))
            second = _fresh(python, environment, "compile", str(fields))
        first_cpu.append(first[0])
        later.append(first[2])
        cached.append(second[1])
    return [
        _record("compile", f"{fields} fields", later),
        _record("compile first", f"{fields} fields", first_cpu),
        _record("compile from cache", f"{fields} fields", cached),
    ]


def _fresh(python: str, environment: Mapping[str, str], *arguments: str) -> list[int]:
    """Returns the output of a fresh Python."""
    path = os.pathsep.join(filter(None, (str(ROOT / "benches"), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [python, "-m", "suite.fresh", *arguments],
        env={**os.environ, **environment, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise DemoError(f"a fresh {python} failed: {done.stderr.strip()}")
    return [int(word) for word in done.stdout.split()]


def _record(scenario: str, workload: str, nanoseconds: list[int]) -> Record:
    key = Key("-", workload, scenario, "serow", "process", "-", "fresh")
    return Record(key, "-", 1, 0, tuple(map(float, nanoseconds)))
