"""Check that the paths in backquotes in Markdown files exist.

A path names a file or a folder of the repository, whole or by its last parts: `stream/seek.rs`. It
has the ending of a source file, or its first part is the name of a folder. An `X` in it stands for
any name.
"""

import re
import subprocess
import sys
from pathlib import PurePosixPath

ROOT = PurePosixPath(__file__).parents[1]
SOURCES = r"\.(rs|py|pyi|java|kt|scala|sh)$"
# Files that examples in the docs name, and the checkout lacks.
EXAMPLES = {"PartServer.java"}


def listed() -> list[PurePosixPath]:
    """Return the files that git tracks or would add."""
    command = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [PurePosixPath(line) for line in output.splitlines()]


def is_made(path: str) -> bool:
    """Return whether a path is of a file that a program makes, which git ignores."""
    command = ["git", "-C", str(ROOT), "check-ignore", "--quiet", path]
    return subprocess.run(command, check=False).returncode == 0


def endings(paths: set[PurePosixPath]) -> set[str]:
    """Return all that a path may be called: its last part, its last two, and so on."""
    return {"/".join(path.parts[i:]) for path in paths for i in range(len(path.parts))}


def unfolded(path: str) -> list[str]:
    """Return the paths that a path with one pair of braces stands for."""
    match = re.fullmatch(r"(.*)\{(.*)\}(.*)", path)
    if match is None:
        return [path]
    begin, choices, end = match.groups()
    return [begin + choice + end for choice in choices.split(",")]


def main() -> int:
    """Print the paths that do not exist; return 1 if there are any."""
    files = listed()
    folders = {parent for file in files for parent in file.parents if parent.parts}
    known = endings({*files, *folders})
    roots = {folder.name for folder in folders}
    missing = 0
    for page in (file for file in files if file.suffix == ".md"):
        with open(ROOT / page) as lines:
            for number, line in enumerate(lines, 1):
                for token in re.findall(r"`([\w./{},+-]+)`", line):
                    first, slash, _ = token.partition("/")
                    is_path = re.search(SOURCES, token) or (slash and first in roots)
                    stands_for_any = any(
                        re.fullmatch(r"X(\.\w+)?", part) for part in token.split("/")
                    )
                    if not is_path or stands_for_any or token in EXAMPLES:
                        continue
                    for path in unfolded(token):
                        if path.strip("/") not in known and not is_made(path):
                            print(f"{page}:{number}: there is no {path}")
                            missing += 1
    return min(missing, 1)


if __name__ == "__main__":
    sys.exit(main())
