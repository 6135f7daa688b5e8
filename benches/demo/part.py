"""The TPC-H Part table: generated once per scale factor, parsed to tuples, in portions.

Another table of TPC-H can be generated in the same way.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from itertools import islice
from pathlib import Path

from demo.errors import DemoError
from demo.rows import Row, Rows

COLUMNS = (
    "partkey",
    "name",
    "mfgr",
    "brand",
    "type",
    "size",
    "container",
    "retailprice",
    "comment",
)

ROWS_AT_SCALE_1 = 200_000
"""The size of Part at scale factor 1, by the specification."""

PORTION = 200_000
"""Rows in memory at a time, so that a high scale factor takes more time but not more memory."""


def parse_scale(text: str) -> Decimal:
    """Parses a scale factor. The error says what is expected."""
    try:
        scale = Decimal(text)
    except InvalidOperation:
        scale = Decimal(0)
    if not (scale.is_finite() and Decimal("0.0001") <= scale <= 10_000):
        raise DemoError(f"SF must be a number from 0.0001 to 10000, got {text!r}")
    return scale


def generate(scale: Decimal, folder: Path, table: str = "part") -> Path:
    """Returns the path of a table's text at this scale factor. Generates it if it is missing.

    The file gets its name only when it is whole: an interrupted run leaves nothing behind that
    a later run would take for the table.
    """
    name = f"{scale:f}"
    if "." in name:
        name = name.rstrip("0").rstrip(".")
    path = folder / f"{table}-sf{name}.tbl"
    if path.exists():
        return path
    print(
        f"generating TPC-H {table.capitalize()} at SF={name}, once, into {folder}", file=sys.stderr
    )
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=f"{table}-") as scratch:
        command = [_generator(), "tbl", "-q", "-s", name, "-T", table, "-o", scratch]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        made = Path(scratch) / f"{table}.tbl"
        if done.returncode != 0 or not made.exists():
            raise DemoError(f"tpchgen-cli could not generate {table}: {done.stderr.strip()}")
        os.replace(made, path)
    return path


def _generator() -> str:
    """Returns tpchgen-cli of this Python's environment, or the one in PATH."""
    beside = Path(sys.executable).parent / "tpchgen-cli"
    found = str(beside) if beside.exists() else shutil.which("tpchgen-cli")
    if found is None:
        raise DemoError("tpchgen-cli is missing: pip install -r python/requirements-dev.txt")
    return found


def portions(path: Path, size: int) -> Iterator[Rows]:
    """Yields the table as lists of at most `size` tuples.

    Every string is a new object, as it is with rows that come from a file or a database: a
    serializer that shares equal strings has to find them itself.
    """
    with path.open(encoding="utf-8") as lines:
        while rows := [_parse(line) for line in islice(lines, size)]:
            yield rows


def _parse(line: str) -> Row:
    key, name, mfgr, brand, kind, size, container, price, comment, _ = line.split("|")
    return int(key), name, mfgr, brand, kind, int(size), container, float(price), comment
