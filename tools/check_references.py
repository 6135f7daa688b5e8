"""Check that what Markdown files refer to exists: files, sections, targets of make, and names.

- A path in backquotes names a file or a folder of the repository, whole or by its last parts:
  `stream/seek.rs`. It has the ending of a source file, or its first part is the name of a folder.
  An `X` in it stands for any name.
- A link goes to a file, and what follows `#` is a heading there.
- `make lint` in backquotes, or at the begin of an indented line, is a target of the Makefile.
- A name in backquotes whose form English words do not have, `snake_case` or `camelCase`, occurs in
  a source file, or is a file's name, or is in `names_of_others.txt`, the names of other projects.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]
OTHERS = ROOT / "tools" / "names_of_others.txt"
SOURCES = r"\.(rs|py|pyi|java|kt|scala|sh)$"
# No source files: they have what somebody measured, or what the pages say.
NO_SOURCES = {".md", ".csv", ".svg"}
# Files that examples in the docs name, and the checkout lacks.
EXAMPLES = {"PartServer.java"}
NAME_OF_CODE = r"\b(?=\w*(?:[a-z0-9]_[a-z]|[A-Z]_[A-Z]|[a-z][A-Z]))[A-Za-z_]\w*"


def listed() -> list[PurePosixPath]:
    """Return the files that git tracks or would add."""
    command = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    paths = (PurePosixPath(line) for line in output.splitlines())
    return [path for path in paths if (ROOT / path).exists()]


def is_made(path: str) -> bool:
    """Return whether a path is of a file that a program makes, which git ignores."""
    command = ["git", "-C", str(ROOT), "check-ignore", "--quiet", path]
    return subprocess.run(command, check=False).returncode == 0


def unfolded(path: str) -> list[str]:
    """Return the paths that a path with one pair of braces stands for."""
    match = re.fullmatch(r"(.*)\{(.*)\}(.*)", path)
    if match is None:
        return [path]
    begin, choices, end = match.groups()
    return [begin + choice + end for choice in choices.split(",")]


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", without_blocks(page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in headings}


def without_blocks(text: str) -> str:
    """Return a page with blanks in the place of its fenced programs."""
    fenced = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
    return fenced.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


class References:
    """What the repository has."""

    def __init__(self) -> None:
        """Read all source files."""
        self.files = listed()
        paths = {*self.files, *(one for file in self.files for one in file.parents if one.parts)}
        # All that a path may be called: its last part, its last two, and so on.
        self.paths = {"/".join(path.parts[i:]) for path in paths for i in range(len(path.parts))}
        self.roots = {path.name for path in paths - {*self.files}}
        self.targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
        self.names = {*OTHERS.read_text().split(), *(file.stem for file in self.files)}
        for file in self.files:
            if file.suffix not in NO_SOURCES:
                self.names.update(re.findall(r"\w+", (ROOT / file).read_text(errors="ignore")))

    def missing(self, page: PurePosixPath) -> Iterator[tuple[int, str]]:
        """Yield what a page refers to and does not exist, each with its place in the text."""
        text = (ROOT / page).read_text()
        prose = without_blocks(text)
        yield from self._paths(text)
        yield from self._targets(text)
        yield from self._names(prose)
        yield from self._links(page, prose)

    def _paths(self, text: str) -> Iterator[tuple[int, str]]:
        for match in re.finditer(r"`([\w./{},+-]+)`", text):
            first, slash, _ = match[1].partition("/")
            is_path = re.search(SOURCES, match[1]) or (slash and first in self.roots)
            stands_for_any = any(re.fullmatch(r"X(\.\w+)?", part) for part in match[1].split("/"))
            if is_path and not stands_for_any and match[1] not in EXAMPLES:
                for path in unfolded(match[1]):
                    if path.strip("/") not in self.paths and not is_made(path):
                        yield match.start(), path

    def _targets(self, text: str) -> Iterator[tuple[int, str]]:
        command = re.compile(r"(?:`|^    )(?:\w+=\S* )*make\s([a-z][\w-]*)", re.MULTILINE)
        for match in command.finditer(text):
            if match[1] not in self.targets:
                yield match.start(), f"make {match[1]}"

    def _names(self, text: str) -> Iterator[tuple[int, str]]:
        for span in re.finditer(r"`([^`]+)`", text):
            for name in re.findall(NAME_OF_CODE, span[1]):
                if name not in self.names:
                    yield span.start(), f"{name} in a source file or in {OTHERS.name}"

    def _links(self, page: PurePosixPath, text: str) -> Iterator[tuple[int, str]]:
        for match in re.finditer(r"\]\(([^)\s#]*)(?:#([^)\s]+))?\)", text):
            if re.match(r"\w+:", match[1]):
                continue
            target = (ROOT / page.parent / match[1]) if match[1] else ROOT / page
            needs_section = match[2] is not None and target.suffix == ".md"
            if not target.exists() or (needs_section and match[2] not in anchors(target)):
                yield match.start(), match[0][2:-1]


def main() -> int:
    """Print what does not exist; return 1 if there is anything."""
    known = References()
    is_wrong = False
    for page in (file for file in known.files if file.suffix == ".md"):
        text = (ROOT / page).read_text()
        for place, what in known.missing(page):
            print(f"{page}:{text.count(chr(10), 0, place) + 1}: there is no {what}")
            is_wrong = True
    return int(is_wrong)


if __name__ == "__main__":
    sys.exit(main())
