"""The compiler in the extension: that it works here, and that it starts only on request."""

import os
import subprocess
import sys

from serow import _native


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
