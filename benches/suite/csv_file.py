"""CSV files with a header of comments: `# name: value`."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path


def write(
    path: Path,
    header: Mapping[str, str],
    columns: Sequence[str],
    lines: Iterable[Sequence[object]],
) -> None:
    """Writes the file completely or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_suffix(".part")
    with scratch.open("w", encoding="utf-8", newline="") as out:
        for name, value in header.items():
            out.write(f"# {name}: {value}\n")
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(lines)
    scratch.replace(path)


def read(path: Path) -> tuple[dict[str, str], list[dict[str, str]]]:
    """Returns the header and the lines, by the names of the columns."""
    lines = path.read_text(encoding="utf-8").splitlines()
    comments = [line[2:].split(": ", 1) for line in lines if line.startswith("# ")]
    rows = csv.DictReader(line for line in lines if not line.startswith("# "))
    return dict(comments), list(rows)
