"""The files that a caller names."""

import glob
import os
import shutil
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from serow import SerowError
from serow._view import View

#: Bytes of a pipe that are kept in memory. More go to a temporary file.
_IN_MEMORY = 64 << 20


def add_files(parser: ArgumentParser) -> None:
    """Add the argument of the names."""
    parser.add_argument(
        "files",
        nargs="*",
        metavar="file",
        help="a file or a pattern such as 'logs/*.srow'; - or none is standard input",
    )


def names_of(files: list[str]) -> list[str]:
    """Give the names, with those that fit patterns which the shell has left."""
    names = []
    for name in files or ["-"]:
        found = [] if name == "-" or os.path.exists(name) else sorted(glob.glob(name))
        names += found or [name]
    return names


def opened(name: str) -> "str | IO[bytes]":
    """Give what a view is made of: a path, or standard input, which can seek then."""
    if name != "-":
        return name
    given = sys.stdin.buffer
    if given.seekable():
        return given
    kept = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 (the view keeps it)
    shutil.copyfileobj(given, kept, 1 << 20)
    return kept


@contextmanager
def viewed(name: str, **options: Any) -> Iterator[View[Any]]:
    """Open a view of a file. Errors name the file."""
    with naming(name), View(opened(name), **options) as view:
        yield view


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Name the file in errors."""
    try:
        yield
    except SerowError as error:
        raise type(error)(f"{label(name)}: {error}") from None


def label(name: str) -> str:
    """Name a file in the output."""
    return "standard input" if name == "-" else name
