"""The compiler inside the extension: whether it works here, and that it waits until it is asked."""

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
