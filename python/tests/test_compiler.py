"""The compiler in the extension: that it works here, and that it starts only on request."""

import os
import subprocess
import sys

import pytest
from serow import _native

pytestmark = pytest.mark.tiers


def test_the_two_instruction_plan_runs_compiled() -> None:
    report = _native.compiler_self_test()
    assert report["plan"].splitlines() == ["0  i64, int 0", "1  end"]
    assert report["llvm"].startswith("22.")
    assert report["rows"] > 300


def test_a_process_that_has_compiled_ends_well() -> None:
    program = (
        "import threading; from serow import _native\n"
        "threads = [threading.Thread(target=_native.compiler_self_test) for _ in range(4)]\n"
        "for thread in threads: thread.start()\n"
        "_native.compiler_self_test()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_code_never_lies_in_writable_memory() -> None:
    program = (
        "from serow import _native\n"
        "_native.compiler_self_test()\n"
        "print(*(line.split()[1] for line in open('/proc/self/maps')))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert not [protection for protection in done.stdout.split() if "wx" in protection]


# Debug builds of Python have this function, and serow takes any Python that has it for one.
DEBUG_BUILD = "import sys; sys.gettotalrefcount = lambda: 0\n"
WHY = "this is a debug build of Python"


def python(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, "SEROW_TIER": "auto", "PYTHONWARNINGS": "default", **environment}
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=variables
    )


def test_a_python_without_direct_access_says_why_it_is_slow() -> None:
    program = DEBUG_BUILD + (
        "import serow\n"
        "codec = serow.Codec('(i64, str?)')\n"
        "rows = [(1, 'a'), (2, None)]\n"
        "for direction in (None, 'encode', 'decode_one'):\n"
        "    try: codec.compile(direction)\n"
        "    except serow.SerowError as error: print(error)\n"
        "print(codec.tier, codec.tiers['decode'], codec.ir())\n"
        "print(codec.decode(codec.encode(rows)) == rows == serow.loads(serow.dumps(rows)))\n"
        "serow.explain()\n"
    )
    done = python(program)
    assert done.returncode == 0, done.stderr
    *errors, tiers, same = done.stdout.splitlines()[:5]
    assert len(errors) == 3
    assert all("nothing can be compiled" in error and WHY in error for error in errors)
    assert (tiers, same) == ("c-api c-api None", "True")
    assert f"no compiler: {WHY}\n" in done.stdout
    assert done.stderr.count("RuntimeWarning: serow is several times slower") == 1
    assert f"Codec.compile raises an error: {WHY}." in done.stderr


def test_compile_does_nothing_where_the_compiler_is_turned_off() -> None:
    program = "import serow; codec = serow.Codec('i64'); codec.compile(); print(codec.tier)"
    off = python(program, SEROW_TIER="interpreter")
    assert (off.returncode, off.stdout) == (0, "interpreter\n")
    off = python(DEBUG_BUILD + program, SEROW_TIER="interpreter")
    assert (off.returncode, off.stdout) == (0, "c-api\n")


def test_a_python_with_direct_access_warns_of_nothing() -> None:
    done = python("import serow; serow.Codec('i64').compile()", PYTHONWARNINGS="error")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_nothing_is_compiled_where_memory_is_short() -> None:
    program = (
        "import os, resource, serow\n"
        "used = int(open('/proc/self/statm').read().split()[0]) * os.sysconf('SC_PAGE_SIZE')\n"
        "resource.setrlimit(resource.RLIMIT_AS, (used + (48 << 20),) * 2)\n"
        "codec = serow.Codec(serow.Schema.infer([(1, 'a')]))\n"
        "try: codec.compile()\n"
        "except serow.SerowError as error: print(error)\n"
        "print(codec.tier, codec.decode(codec.encode([(2, 'b')])))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "SEROW_TIER": "auto"},
        capture_output=True,
        text=True,
        check=True,
    )
    said, after = done.stdout.splitlines()
    assert "too little memory to compile" in said
    assert after == "interpreter [(2, 'b')]"
