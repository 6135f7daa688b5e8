"""Checks a wheel or a jar: its size, its licences, and the needs of its native library.

    python tools/check_package.py dist/serow-0.1.0-….whl dist/serow-0.1.0.jar

Everything but glibc and libgcc is linked statically. If the library needed another library, or a
glibc newer than the wheel's tag says, only users' machines would show it.
"""

import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LICENCES = ("LICENSE", "THIRD-PARTY-NOTICES")
MOST_BYTES = 15_000_000
NEWEST_GLIBC = (2, 34)
SPARK_JAR = "serow/spark/jars/serow-spark.jar"
ALLOWED = {"ld-linux-x86-64.so.2", "libc.so.6", "libgcc_s.so.1", "libm.so.6"}


def main() -> int:
    """Check every file named on the command line. Returns 1 if one has a problem."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    failed = False
    for package in map(Path, sys.argv[1:]):
        for problem in problems(package):
            failed = True
            print(f"{package}: {problem}", file=sys.stderr)
    return int(failed)


def problems(package: Path) -> Iterator[str]:
    """Yields the problems of a wheel or a jar."""
    size = package.stat().st_size
    print(f"{package}: {size / 1e6:.1f} MB")
    if size > MOST_BYTES:
        yield f"{size} bytes, which is more than {MOST_BYTES}"
    with zipfile.ZipFile(package) as archive, tempfile.TemporaryDirectory() as folder:
        if package.suffix == ".whl" and SPARK_JAR not in archive.namelist():
            yield f"should have {SPARK_JAR}"
        for name in LICENCES:
            copies = [copy for copy in archive.namelist() if copy.endswith(f"/{name}")]
            if not any(archive.read(copy) == (ROOT / name).read_bytes() for copy in copies):
                yield f"should have {name} as it is in the repository, and has {copies}"
        libraries = [name for name in archive.namelist() if name.endswith(".so")]
        if len(libraries) != 1:
            yield f"should have one native library, and has {libraries}"
        for name in libraries:
            for problem in library_problems(archive.extract(name, folder)):
                yield f"{name}: {problem}"


def library_problems(path: str) -> Iterator[str]:
    """Yields the problems of a shared library."""
    dynamic = readelf("--dynamic", path)
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic))
    if foreign := needed - ALLOWED:
        yield f"needs {', '.join(sorted(foreign))}"
    versions = {
        (int(major), int(minor))
        for major, minor in re.findall(r"GLIBC_(\d+)\.(\d+)", readelf("--version-info", path))
    }
    if newer := sorted(version for version in versions if version > NEWEST_GLIBC):
        yield f"needs glibc {newer[-1][0]}.{newer[-1][1]}"


def readelf(what: str, path: str) -> str:
    """Returns the output of readelf for a file."""
    done = subprocess.run(
        ["readelf", "--wide", what, path], capture_output=True, text=True, check=True
    )
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
