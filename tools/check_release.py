"""Checks the jars of a release, as a repository of packages would before it takes them.

    python tools/check_release.py <JDK's home> java/serow java/serow-arrow java/serow-spark

Each folder is a Maven project that `mvn -Prelease package` has built. The POM that it publishes
must say what it is and whose, without a parent; there must be jars with sources and
documentation, without native libraries. The complete jar of serow and its parts must run on the
class path and on the module path.
"""

import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
import zipfile
from collections.abc import Iterator
from pathlib import Path

#: What a POM must have, by paths of elements.
NEEDED = (
    *("groupId", "artifactId", "version", "name", "description", "url"),
    *("licenses/license/name", "licenses/license/url", "developers/developer/name"),
    *("scm/url", "scm/connection"),
)

PROGRAM = """
import io.github.serow.*;
import java.util.*;

class Main {
  record Part(long key, String name) {}

  public static void main(String[] args) {
    Codec<Part> codec = Codec.of(Part.class).withWire(Wire.ROW);
    List<Part> parts = List.of(new Part(7, "bolt"));
    System.out.println(codec.tier() + " " + codec.decodeAll(codec.encodeAll(parts)).equals(parts));
  }
}
"""


def main() -> int:
    """Check the folders named on the command line. Returns 1 if one has a problem."""
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    java = Path(sys.argv[1], "bin", "java")
    failed = False
    for folder in map(Path, sys.argv[2:]):
        pom = Pom(folder)
        print(f"{folder}: {pom.text('artifactId')} {pom.text('version')}")
        for problem in (*pom.problems(), *jar_problems(folder / "target", pom, java)):
            failed = True
            print(f"{folder}: {problem}", file=sys.stderr)
    return int(failed)


class Pom:
    """The POM that a project publishes, which needs no other."""

    def __init__(self, folder: Path) -> None:
        """Read the files of a project."""
        self.root = ElementTree.parse(folder / "target" / "published-pom.xml").getroot()
        project = ElementTree.parse(folder / "pom.xml").getroot()
        #: The name that Maven gives the jars.
        self.stem = project.findtext("{*}build/{*}finalName") or (
            f"{self.text('artifactId')}-{self.text('version')}"
        )

    def text(self, path: str) -> str:
        """Give the text of an element; empty if there is none."""
        wild = "/".join(f"{{*}}{part}" for part in path.split("/"))
        return (self.root.findtext(wild) or "").strip()

    def problems(self) -> Iterator[str]:
        """Yield what is missing."""
        for path in NEEDED:
            if not self.text(path):
                yield f"the POM has no {path}"
        if self.root.find("{*}parent") is not None:
            yield "the POM has a parent, which repositories lack"
        if self.text("version").endswith("SNAPSHOT"):
            yield f"version {self.text('version')} is not one of a release"


def jar_problems(target: Path, pom: Pom, java: Path) -> Iterator[str]:
    """Yield the problems of the jars in a folder."""
    is_serow = pom.text("artifactId") == "serow"
    kinds = ["", "-sources", "-javadoc", *(["-core", "-natives-linux-x86_64"] if is_serow else [])]
    jars = {kind: target / f"{pom.stem}{kind}.jar" for kind in kinds}
    missing = [jar.name for jar in jars.values() if not jar.exists()]
    yield from (f"{name} is missing" for name in missing)
    if missing:
        return
    for kind, jar in jars.items():
        names = zipfile.ZipFile(jar).namelist()
        has_native = is_serow and kind in ("", "-natives-linux-x86_64")
        if any(name.endswith(".so") for name in names) != has_native:
            yield f"{jar.name} has {'no' if has_native else 'a'} native library"
        if kind != "-javadoc" and "META-INF/LICENSE" not in names:
            yield f"{jar.name} has no licence"
    if not is_serow:
        return
    whole, core, natives = (jars[kind] for kind in ("", "-core", "-natives-linux-x86_64"))
    for jar in (whole, core, natives):
        if "META-INF/THIRD-PARTY-NOTICES" not in zipfile.ZipFile(jar).namelist():
            yield f"{jar.name} has no notices of the software in it"
    tiers = [([whole], "INTERPRETER"), ([core], "JAVA"), ([core, natives], "INTERPRETER")]
    for parts, tier in tiers:
        for on_modules in (False, True):
            said = run(java, parts, on_modules)
            if said != f"{tier} true":
                where = "module path" if on_modules else "class path"
                yield f"{' and '.join(jar.name for jar in parts)} on the {where}: {said}"


def run(java: Path, jars: list[Path], on_modules: bool) -> str:
    """Give what a small program prints."""
    path = ":".join(map(str, jars))
    options = ["-p", path, "--add-modules", "ALL-MODULE-PATH"] if on_modules else ["-cp", path]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "Main.java")
        source.write_text(PROGRAM)
        command = [str(java), "--enable-native-access=ALL-UNNAMED", *options, str(source)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return done.stdout.strip() or done.stderr.strip() or f"exit code {done.returncode}"


if __name__ == "__main__":
    sys.exit(main())
