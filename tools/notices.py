"""Writes THIRD-PARTY-NOTICES: what the wheel and the jar contain besides serow, with its licences.

    python tools/notices.py            write the file
    python tools/notices.py --check    fail if it differs

Cargo names the crates that are linked in, and their packages have the licences. tools/notices/ has
the notices of everything else, one file each: a title, the licence's name, an empty line, the text.
Such a file is needed for LLVM, Rust's standard library, each static library in STATIC of
crates/codegen/build.rs (libz.txt), each dependency of java/serow/pom.xml that is not optional, and
a crate whose package lacks a licence.
"""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
NOTICES = ROOT / "THIRD-PARTY-NOTICES"
KEPT = ROOT / "tools" / "notices"
TARGET = "x86_64-unknown-linux-gnu"
#: The crates of the wheel's library and of the jar's.
LIBRARIES = ("serow-py", "serow-jvm")

HEAD = """\
serow is under the Apache License 2.0, see the file LICENSE. Its wheel and its jar also contain the
software of others that this file names.

"""
APACHE = """\
These are under the Apache License 2.0 too, or offer it as one of several licences:

"""


class Notice(NamedTuple):
    """A component, its licence, and the text that must go along with it."""

    title: str
    licence: str
    text: str


def main() -> int:
    """Write or check the file. Returns 1 if it differs."""
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    notices = [*kept_notices(), *crate_notices()]
    expected = whole(notices)
    if not sys.argv[1:]:
        NOTICES.write_text(expected)
        return 0
    found = NOTICES.read_text() if NOTICES.exists() else ""
    if found == expected:
        return 0
    lines = set(found.splitlines())
    missing = [notice.title for notice in notices if notice.title not in lines]
    print(
        f"{NOTICES.name} differs from what is linked in"
        + (f", and lacks {', '.join(missing)}" if missing else "")
        + "; run python tools/notices.py and read what changes",
        file=sys.stderr,
    )
    return 1


def whole(notices: list[Notice]) -> str:
    """Give the text of the file. A notice without a text is only named."""
    named = "".join(f"{notice.title}\n" for notice in notices if not notice.text)
    rule = "=" * 80
    texts = (
        f"\n{rule}\n{notice.title}\n{notice.licence}\n{rule}\n\n{notice.text}\n"
        for notice in notices
        if notice.text
    )
    return HEAD + APACHE + named + "".join(texts)


def kept_notices() -> Iterator[Notice]:
    """Yield the notices in tools/notices of all that is not a crate."""
    libraries = (f"lib{name}" for name in static_libraries())
    for name in ("LLVM", "rust-std", *libraries, *java_dependencies()):
        yield kept(name) or sys.exit(
            f"{KEPT / name}.txt is missing: what is the licence of {name}?"
        )


def kept(name: str) -> Notice | None:
    """Give a notice in tools/notices."""
    file = KEPT / f"{name}.txt"
    if not file.exists():
        return None
    title, licence, text = file.read_text().split("\n", 2)
    return Notice(title, licence, text.strip("\n"))


def static_libraries() -> list[str]:
    """Give the libraries that LLVM needs, as the build script names them."""
    script = (ROOT / "crates" / "codegen" / "build.rs").read_text()
    names = re.search(r"const STATIC: &\[&str\] = &\[(.*?)\];", script, re.DOTALL)
    return re.findall(r'"(.+?)"', names[1]) if names else sys.exit("build.rs has no STATIC")


def java_dependencies() -> list[str]:
    """Give what the jar contains, by its name in Maven: the dependencies that are not optional."""
    pom = ElementTree.parse(ROOT / "java" / "serow" / "pom.xml").getroot()
    return [
        dependency.findtext("{*}artifactId", "")
        for dependency in pom.findall("{*}dependencies/{*}dependency")
        if dependency.findtext("{*}scope", "compile") in ("compile", "runtime")
        and dependency.findtext("{*}optional", "false") == "false"
    ]


def crate_notices() -> Iterator[Notice]:
    """Yield the notices of the crates that are linked in."""
    crates = [argument for name in LIBRARIES for argument in ("--package", name)]
    tree = cargo(
        *("tree", "--edges", "normal,no-proc-macro", "--target", TARGET, *crates),
        *("--prefix", "none", "--no-dedupe", "--format", "{p}"),
    )
    linked = {tuple(line.split()[:2]) for line in tree.splitlines() if line}
    metadata = json.loads(cargo("metadata", "--format-version", "1", "--filter-platform", TARGET))
    for package in sorted(metadata["packages"], key=lambda package: package["name"]):
        # A crate without a source is one of serow's own.
        if package["source"] and (package["name"], f"v{package['version']}") in linked:
            yield crate_notice(package)


def cargo(command: str, *arguments: str) -> str:
    """Give what cargo prints."""
    done = subprocess.run(
        ["cargo", command, "--quiet", "--locked", *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout


def crate_notice(package: dict[str, Any]) -> Notice:
    """Give the notice of a crate. Its text lacks the Apache licence, which is in LICENSE."""
    name, licence = package["name"], package["license"] or "see below"
    title = f"{name} {package['version']}"
    folder = Path(package["manifest_path"]).parent
    files = [*folder.glob("NOTICE*"), *inner_licences(folder)]
    if "Apache-2.0" not in re.split(" OR |/", licence):
        own = [file for file in folder.iterdir() if re.match("licen[cs]e|copying", file.name, re.I)]
        if not own:
            notice = kept(name) or sys.exit(
                f"{title} ({licence}) has no licence in its package: write {KEPT / name}.txt"
            )
            return notice._replace(title=title)
        # One of several is enough.
        files += [file for file in own if "MIT" in file.name.upper()] or own
    texts = (file.read_text().replace("\r\n", "\n").strip("\n") for file in sorted(files))
    return Notice(title, licence, "\n\n".join(texts))


def inner_licences(folder: Path) -> Iterator[Path]:
    """Yield the licences of what a crate's package contains of others, such as a library in C."""
    for file in folder.glob("*/**/*"):
        if re.fullmatch(r"licen[cs]e(\.txt|\.md)?", file.name, re.I):
            yield file


if __name__ == "__main__":
    sys.exit(main())
