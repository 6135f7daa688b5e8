"""The subcommand `recover`."""

from argparse import ArgumentParser, Namespace

import serow


def add_recover(parser: ArgumentParser) -> None:
    """Add the arguments of `recover`."""
    parser.add_argument("file", help="the file; what is damaged is cut out, and kept beside it")
    parser.epilog = "example:\n  serow recover events.srow"


def recover(given: Namespace) -> int:
    """Make a file whole. The exit code is 1 if damaged bytes stay."""
    found = serow.recover(given.file)
    print(f"{given.file}: {found.rows:,} rows in {found.bytes:,} bytes")
    if found.damaged_bytes:
        print(
            f"{found.damaged_bytes:,} bytes between whole frames are damaged; readers can skip them"
        )
    return 1 if found.damaged_bytes else 0
