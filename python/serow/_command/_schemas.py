"""The subcommands `schema` and `diff`."""

import os
import warnings
from argparse import ArgumentParser, Namespace

from serow import Schema, schema_of
from serow._command._inputs import add_files, label, names_of, naming, opened


def add_schema(parser: ArgumentParser) -> None:
    """Add the arguments of `schema`."""
    add_files(parser)
    parser.add_argument("--fingerprint", action="store_true", help="print its fingerprint instead")
    parser.epilog = "example:\n  serow schema events.srow > events.schema"


def schema(given: Namespace) -> int:
    """Print the schema of each file."""
    names = names_of(given.files)
    for name in names:
        found = _of_rows(name)
        text = f"{found.fingerprint:016x}" if given.fingerprint else found.pretty()
        print(f"{label(name)}: {text}" if len(names) > 1 else text)
    return 0


def add_diff(parser: ArgumentParser) -> None:
    """Add the arguments of `diff`."""
    for name, of in (("writer", "of the rows"), ("reader", "that a reader expects")):
        parser.add_argument(
            name,
            help=f"the schema {of}: a file with rows, a file with a schema's text, or the text",
        )
    parser.epilog = (
        "The exit code is 1 if the reader can't read the rows.\n\n"
        'example:\n  serow diff events.srow \'{"user": str, "action": str?}\''
    )


def diff(given: Namespace) -> int:
    """Say what becomes of each part of a row."""
    writer, reader = _schema(given.writer), _schema(given.reader)
    with warnings.catch_warnings():
        # The report has them too.
        warnings.simplefilter("ignore")
        report = reader.compare(writer)
    print(report)
    return 0 if report else 1


def _of_rows(name: str) -> Schema:
    with naming(name):
        return schema_of(opened(name))


def _schema(given: str) -> Schema:
    """Give the schema of a file with rows, or that of a text."""
    if given != "-" and not os.path.exists(given):
        return Schema.parse(given)
    if given != "-":
        with open(given, "rb") as file:
            begin = file.read(4)
        if begin != b"SROW":
            with open(given, encoding="utf-8") as file:
                return Schema.parse(file.read())
    return _of_rows(given)
