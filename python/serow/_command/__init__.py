"""The command `serow`: looks into files, and changes and compares them.

Each module has some subcommands: a function that adds its arguments to a parser, and one that runs
it. Modules are imported when one of their subcommands runs, so that `--help` is fast.
"""

import argparse
import signal
import sys
from collections.abc import Sequence
from importlib import import_module

from serow import SerowError, __version__

#: The subcommands: the module that has each, and what it does.
_COMMANDS = {
    "inspect": ("_inspecting", "say what is in files: rows, frames, schema, columns, bytes"),
    "schema": ("_schemas", "print the schema that fits all rows"),
    "diff": ("_schemas", "say what becomes of rows of one schema for a reader of another"),
    "head": ("_rows", "print the first rows"),
    "cat": ("_rows", "print all rows: a table on a terminal, lines of JSON elsewhere"),
    "follow": ("_rows", "print the rows of a log, and those that are appended to it"),
    "validate": ("_rows", "check every byte and value"),
    "recover": ("_logs", "make a file whole after damage"),
}

_EXAMPLES = """\
examples:
  serow inspect events.srow
  serow head -n 5 --fields user,action events.srow
  serow cat events.srow | jq .user
  serow diff old.srow new.srow
"""


def _parser(only: str | None) -> argparse.ArgumentParser:
    """Make the parser, with the arguments of one subcommand."""
    parser = argparse.ArgumentParser(
        prog="serow",
        description="Looks into files of serow's messages, streams and logs.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"serow {__version__}")
    commands = parser.add_subparsers(metavar="command", required=True)
    for name, (module, does) in _COMMANDS.items():
        command = commands.add_parser(name, help=does, allow_abbrev=False)
        if name == only:
            of = import_module(f"serow._command.{module}")
            command.description = f"{does[0].upper()}{does[1:]}."
            command.formatter_class = argparse.RawDescriptionHelpFormatter
            command.set_defaults(run=getattr(of, name))
            getattr(of, f"add_{name}")(command)
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command, and leave the process.

    The exit code is 0, or 1 if a file is not as it should be or can't be read, or 2 for wrong
    arguments.
    """
    if arguments is None:
        arguments = sys.argv[1:]
        # A reader that wants no more, such as `head`, ends this process without a word.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    only = next((it for it in arguments if it in _COMMANDS), None)
    given = _parser(only).parse_args(arguments)
    try:
        code = given.run(given)
        sys.stdout.flush()
    except (SerowError, OSError) as error:
        sys.stdout.flush()
        print(f"serow: {error}", file=sys.stderr)
        code = 1
    except KeyboardInterrupt:
        code = 130
    sys.exit(code or 0)
