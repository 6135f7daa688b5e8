"""The machine and the software of a run, for the headers of CSVs."""

import os
import platform
import re
import subprocess
import time
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

import serow

from suite.settings import Settings

PYTHON_PACKAGES = ("serow", "msgspec", "protobuf", "pymongo", "orjson", "cbor2", "pyfory")
JARS = ("serow", "fory-core", "kryo", "pickle", "protobuf-java", "bson")


def computer(root: Path) -> dict[str, str]:
    """Returns place, time and state of the sources, as names and values of one line each."""
    return {
        "CPU": f"{_cpu()}, {os.cpu_count()} cores",
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "system": f"{platform.system()} {platform.release()}, {_libc()}",
        "load before": f"{os.getloadavg()[0]:.1f} in the last minute, 0 is none",
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "commit": _commit(root),
    }


def header(root: Path, settings: Settings, jar: Path, java: str) -> dict[str, str]:
    """Returns the whole header of a run of the suite."""
    return {
        **computer(root),
        "Python": f"{platform.python_version()}; "
        + ", ".join(f"{name} {package_version(name)}" for name in PYTHON_PACKAGES),
        "Java": f"{java}; " + ", ".join(_jars(jar.parent / "lib", JARS)),
        "wheel bytes": str(_size(root / "dist", "serow-*.whl")),
        "jar bytes": str(_size(root / "dist", "serow-[0-9]*.jar")),
        "garbage collection": "off in Python while anything is timed; ParallelGC in the JVM",
        "rounds": f"{settings.rounds}, of the wider rows {settings.wider_rounds}",
        "rows": f"portions of {settings.portion}, hot {settings.hot_rows} x {settings.hot_times}; "
        f"wider {settings.wider_rows}, hot {settings.hot_rows} x {settings.wider_hot_times}",
    }


def _cpu() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor()
    found = re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)
    family = re.search(r"^cpu family\s*: (.*)$", text, re.MULTILINE)
    name = found[1] if found else platform.processor()
    return f"{name} (family {family[1]})" if family else name


def _libc() -> str:
    return " ".join(platform.libc_ver())


def _commit(root: Path) -> str:
    commit = _git(root, "rev-parse", "--short=12", "HEAD")
    changed = _git(root, "status", "--porcelain", "--untracked-files=no", "--", ".", *_NO_RESULTS)
    return f"{commit}-dirty" if changed else commit or "unknown"


_NO_RESULTS = (":!benches/results",)
"""For `git`: all files but those that a benchmark writes, maybe before its last part begins."""


def _git(root: Path, *words: str) -> str:
    command = ["git", "-C", str(root), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def _jars(folder: Path, names: Iterable[str]) -> list[str]:
    """Returns a text such as `kryo 5.6.2`, from the names of the jars."""
    found = []
    for name in names:
        for path in sorted(folder.glob(f"{name}-[0-9]*.jar")):
            found.append(f"{name} {path.stem.removeprefix(f'{name}-')}")
    return found


def _size(folder: Path, pattern: str) -> int:
    return max((path.stat().st_size for path in folder.glob(pattern)), default=0)


def package_version(name: str) -> str:
    """Returns a package's version. serow may be built here and not installed."""
    return serow.__version__ if name == "serow" else version(name)


def java_version(java: str) -> str:
    """Returns a version such as `17.0.15`."""
    done = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)
    found = re.search(r'version "([^"]+)"', done.stderr)
    return found[1] if found else "unknown"
