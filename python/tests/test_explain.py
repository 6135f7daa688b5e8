"""What `serow.explain` prints."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import serow
from serow import _native

pytestmark = pytest.mark.once
needs_compiler = pytest.mark.skipif(not _native.HAS_COMPILER, reason="there is no compiler")


def lines(**environment: str) -> dict[str, str]:
    program = "import serow; serow.explain()"
    variables = {**os.environ, **environment}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=variables
    )
    assert done.returncode == 0, done.stderr
    parts = [line.partition(": ") for line in done.stdout.splitlines()]
    return {name: what.strip() for name, _, what in parts}


def test_it_prints_a_line_for_each_part(capsys: pytest.CaptureFixture[str]) -> None:
    serow.explain()
    out = capsys.readouterr().out
    names = [line.partition(":")[0] for line in out.splitlines()]
    assert names == ["serow", "Python", "objects", "tier", "compiler", "its cache", "memory"]
    assert serow.__version__ in out
    assert f"{'.'.join(map(str, sys.version_info[:3]))}, {sys.executable}" in out
    if _native.HAS_COMPILER:
        assert f"LLVM {_native.compiler_self_test()['llvm']} for " in out


@needs_compiler
def test_the_tier_and_its_reason() -> None:
    assert lines(SEROW_TIER="auto")["tier"].startswith("auto: ")
    assert lines(SEROW_TIER="jit")["tier"].endswith("because SEROW_TIER says so")
    interpreter = "interpreter, because SEROW_TIER says so"
    assert lines(SEROW_TIER="interpreter")["tier"] == interpreter


@needs_compiler
def test_access_by_the_c_api(access: str, capsys: pytest.CaptureFixture[str]) -> None:
    serow.explain()
    out = capsys.readouterr().out
    assert ("direct access\n" in out) is (access == "direct")
    assert ("because the compiler needs direct access" in out) is (access == "c-api")


@needs_compiler
def test_the_cache_and_why_it_is_off(tmp_path: Path) -> None:
    assert lines(SEROW_CACHE_DIR="off")["its cache"] == "off"
    assert lines(SEROW_CACHE_DIR=str(tmp_path / "new"))["its cache"] == str(tmp_path / "new")
    tmp_path.chmod(stat.S_IRWXU | stat.S_IRWXG | stat.S_IRWXO)
    assert lines(SEROW_CACHE_DIR=str(tmp_path))["its cache"].startswith(f"off: {tmp_path}: ")
