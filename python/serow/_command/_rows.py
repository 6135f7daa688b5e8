"""The subcommands `head`, `cat`, `follow` and `validate`."""

import sys
from argparse import ArgumentParser, Namespace
from typing import Any

from serow import DecodeError, Reader, dumps
from serow._command._inputs import add_files, label, names_of, viewed
from serow._tables import table
from serow._view import View


def _add_form(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--fields",
        metavar="a,b",
        help="only these fields, by their names, or by their numbers in tuples",
    )
    parser.add_argument(
        "--format",
        choices=["table", "json"],
        help="a table, or a line of JSON for each row; without it, a table on a terminal",
    )


def add_head(parser: ArgumentParser) -> None:
    """Add the arguments of `head`."""
    add_files(parser)
    parser.add_argument("-n", type=int, default=10, metavar="rows", help="how many (10)")
    _add_form(parser)
    parser.epilog = "example:\n  serow head -n 5 --fields user,action events.srow"


def head(given: Namespace) -> int:
    """Print the first rows of each file."""
    for name in names_of(given.files):
        with viewed(name, fields=_fields(given)) as view:
            _print(view[: max(given.n, 0)], given)
    return 0


def add_cat(parser: ArgumentParser) -> None:
    """Add the arguments of `cat`."""
    add_files(parser)
    _add_form(parser)
    parser.epilog = "example:\n  serow cat 'logs/*.srow' | jq .user"


def cat(given: Namespace) -> int:
    """Print the rows of each file."""
    for name in names_of(given.files):
        with viewed(name, fields=_fields(given)) as view:
            _print(view, given)
    return 0


def _fields(given: Namespace) -> list[str | int] | None:
    if given.fields is None:
        return None
    return [int(field) if field.isdigit() else field for field in given.fields.split(",")]


def _print(view: View[Any], given: Namespace) -> None:
    if (given.format or ("table" if sys.stdout.isatty() else "json")) == "table":
        for line in table(view):
            print(line)
        return
    sys.stdout.flush()
    for lines in view.json_lines():
        sys.stdout.buffer.write(lines)


def add_follow(parser: ArgumentParser) -> None:
    """Add the arguments of `follow`."""
    parser.add_argument("file", help="the log")
    parser.add_argument(
        "--timeout", type=float, metavar="seconds", help="end when no row has come for so long"
    )
    parser.epilog = "example:\n  serow follow events.srow | jq -c 'select(.action == \"buy\")'"


def follow(given: Namespace) -> int:
    """Print rows as they come, as lines of JSON."""
    with Reader(given.file, follow=True, timeout=given.timeout) as reader:
        for rows in reader.frames():
            for lines in View(dumps(rows)).json_lines():
                sys.stdout.buffer.write(lines)
            sys.stdout.buffer.flush()
    return 0


def add_validate(parser: ArgumentParser) -> None:
    """Add the arguments of `validate`."""
    add_files(parser)
    parser.epilog = "The exit code is 1 if a file is damaged.\n\nexample:\n  serow validate *.srow"


def validate(given: Namespace) -> int:
    """Decode all rows of each file. Name each frame that can't be decoded."""
    code = 0
    for name in names_of(given.files):
        rows = damaged = 0
        with viewed(name) as view:
            for frame in view.frames:
                try:
                    rows += sum(1 for _ in view[frame.start : frame.stop])
                except DecodeError as error:
                    print(f"{label(name)}: {error}", file=sys.stderr)
                    damaged += 1
            what = f"{damaged} of {len(view.frames)} frames damaged" if damaged else "no damage"
            print(f"{label(name)}: {rows:,} rows, {what}")
        code |= damaged > 0
    return int(code)
