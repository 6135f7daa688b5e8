"""Measurements in fresh processes: import, first use, and compile times if there are any."""

import itertools
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
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


CLASSES = 100
CALLS = 10_000
"""Classes of records that a fresh JVM converts in turns, and how often each."""


def jvm(java: str, jar: Path, starts: int) -> list[Record]:
    """Measures the warm-up of serializers on the JVM, which take turns."""
    with tempfile.TemporaryDirectory(prefix="serow-") as folder:
        _compile_rows(java, Path(folder))
        command = [java, "--enable-native-access=ALL-UNNAMED", "-cp", f"{jar}:{folder}"]
        command.append("io.github.serow.bench.WarmUp")
        return [
            *_in_turns("first record", command, starts, ("serow", "jackson"), "first"),
            *_in_turns(
                "warm-up",
                command,
                max(2, starts // 3),
                ("serow", "kryo-class"),
                "turns",
                str(CLASSES),
                str(CALLS),
            ),
        ]


def _compile_rows(java: str, folder: Path) -> None:
    """Makes records of 4 to 12 fields, no two of them alike."""
    choose = random.Random(CLASSES)
    kinds = ("int", "long", "double", "boolean", "String", "String")
    files = []
    for i in range(CLASSES):
        fields = (f"{kind} f{n}" for n, kind in enumerate(choose.choices(kinds, k=4 + i % 9)))
        files.append(folder / f"Row{i}.java")
        files[-1].write_text(f"public record Row{i}({', '.join(fields)}) {{}}\n")
    javac = Path(java).with_name("javac")
    subprocess.run([javac, "-d", folder, *files], check=True)


def _in_turns(
    scenario: str, command: Sequence[str], starts: int, names: Sequence[str], *task: str
) -> list[Record]:
    times: dict[str, list[int]] = {name: [] for name in names}
    for _, name in itertools.product(range(starts), names):
        arguments = [*command, task[0], name.removesuffix("-class"), *task[1:]]
        done = subprocess.run(arguments, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise DemoError(f"a fresh JVM failed: {done.stderr.strip()}")
        times[name].append(int(done.stdout))
    return [_record(scenario, "-", found, name) for name, found in times.items()]


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


def _record(scenario: str, workload: str, nanoseconds: list[int], entrant: str = "serow") -> Record:
    key = Key("-", workload, scenario, entrant, "process", "-", "fresh")
    return Record(key, "-", 1, 0, tuple(map(float, nanoseconds)))
