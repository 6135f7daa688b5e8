"""The subcommand `inspect`."""

import json
from argparse import ArgumentParser, Namespace
from typing import Any

from serow._command._inputs import add_files, label, names_of, viewed
from serow._tables import table

#: Without `--all`, the columns of so many frames are looked at. They are spread over the file.
_FRAMES = 16


def add_inspect(parser: ArgumentParser) -> None:
    """Add the arguments of `inspect`."""
    add_files(parser)
    parser.add_argument("--frames", action="store_true", help="a line for each frame too")
    parser.add_argument(
        "--all", action="store_true", help=f"the columns of all frames, not of {_FRAMES} at most"
    )
    parser.add_argument("--json", action="store_true", help="JSON, for programs")
    parser.epilog = "example:\n  serow inspect events.srow"


def inspect(given: Namespace) -> int:
    """Say what is in each file."""
    for number, name in enumerate(names_of(given.files)):
        found = _inspected(name, every=given.all or given.frames)
        if given.json:
            print(json.dumps(found))
            continue
        if number:
            print()
        _print(found, with_frames=given.frames)
    return 0


def _inspected(name: str, *, every: bool) -> dict[str, Any]:
    """Look into a file."""
    with viewed(name) as view:
        numbers = range(len(view.frames))
        if not every and len(numbers) > _FRAMES:
            numbers = range(0, len(numbers), -(-len(numbers) // _FRAMES))
        frames = [view.describe(number) for number in numbers]
        return {
            "file": label(name),
            "bytes": view.nbytes,
            "rows": len(view),
            "frames": len(view.frames),
            "schema": str(view.schema),
            "metadata": view.metadata,
            "described": frames,
            "fields": _fields(frames),
        }


def _fields(frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Sum up what the fields of the frames take."""
    fields: dict[str, dict[str, Any]] = {}
    for field in (field for frame in frames for field in frame["fields"]):
        of = fields.setdefault(
            field["name"], {"name": field["name"], "bytes": 0, "nulls": 0, "encodings": []}
        )
        of["bytes"] += field["bytes"]
        of["nulls"] += field["nulls"]
        of["encodings"] += [it for it in field["encodings"] if it not in of["encodings"]]
    return list(fields.values())


def _print(found: dict[str, Any], *, with_frames: bool) -> None:
    frames = found["described"]
    print(
        f"{found['file']}: {found['rows']:,} rows in {found['frames']:,} frames, "
        f"{found['bytes']:,} bytes"
    )
    print("schema:      " + found["schema"])
    for what in ("wire", "compression"):
        print(f"{what}:".ljust(13) + ", ".join(dict.fromkeys(frame[what] for frame in frames)))
    for key, value in found["metadata"].items():
        print(f"metadata:    {key} = {value}")
    body, packed = (sum(frame[what] for frame in frames) for what in ("body", "packed"))
    if packed != body:
        print(f"compressed:  {packed:,} bytes of {body:,}, {packed / body:.0%}")
    if fields := found["fields"]:
        of = "" if len(frames) == found["frames"] else f" of {len(frames)} frames"
        print(f"\ncolumns{of}, without compression:")
        rows = [
            {
                "field": field["name"],
                "bytes": field["bytes"],
                "share": f"{field['bytes'] / max(body, 1):.1%}".rjust(6),
                "nulls": field["nulls"],
                "encodings": ", ".join(field["encodings"]),
            }
            for field in fields
        ]
        print(*table(rows), sep="\n")
    if with_frames:
        print("\nframes:")
        names = ("at", "bytes", "rows", "wire", "compression")
        print(*table({name: frame[name] for name in names} for frame in frames), sep="\n")
