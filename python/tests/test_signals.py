"""Ctrl-C and other signals while serow works for long: their handlers run after milliseconds."""

import subprocess
import sys
import textwrap

import pytest

#: Seconds that a signal may wait for its handler, on a busy machine. The calls take far longer.
PATIENCE = 0.4

#: What sends Ctrl-C, and prints how long after it the call has ended. No thread of Python's can
#: send it, since the call holds the GIL.
PRELUDE = """
import gc, os, signal, subprocess, sys, time
import serow

def rows(count):
    return [(i, i / 7, f"text {i}", [i]) for i in range(100_000)] * (count // 100_000)

def shared(depth):
    value = [1]
    for _ in range(depth):
        value = [value, value]
    return value

def waited(call, delay):
    kill = f"sleep {delay}; date +%s.%N; kill -INT {os.getpid()}"
    sender = subprocess.Popen(["sh", "-c", kill], stdout=subprocess.PIPE, text=True)
    try:
        call()
    except KeyboardInterrupt:
        ended = time.time()
    else:
        sys.exit("it was not interrupted")
    print(ended - float(sender.communicate()[0]), flush=True)
    # The rows need not be freed, nor the compiler be waited for.
    os._exit(0)

gc.disable()
"""

CALLS = {
    "dumps": "data = rows(10_000_000); call = lambda: serow.dumps(data, wire=WIRE)",
    "a codec": """
        data = rows(10_000_000)
        codec = serow.Codec.infer(data[:100], wire=WIRE)
        call = lambda: codec.encode(data)
    """,
    "inference": "data = rows(10_000_000); call = lambda: serow.Schema.infer(data)",
    "one row": "data = [rows(10_000_000)]; call = lambda: serow.dumps(data, wire=WIRE)",
    "what is iterated": "call = lambda: serow.dumps(range(10**9), wire=WIRE)",
    "loads": """
        message = serow.dumps(rows(10_000_000), wire=WIRE)
        call = lambda: serow.loads(message)
    """,
    "loads of one row": """
        message = serow.dumps([rows(5_000_000)], wire=WIRE)
        call = lambda: serow.loads(message)
    """,
    "compile": """
        codec = serow.Codec("(" + ", ".join(["[(i64, str?)]"] * 1_000) + ")", wire=WIRE)
        call = codec.compile
    """,
}


def run(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("call", CALLS)
def test_ctrl_c_ends_a_long_call(call: str, wire: str) -> None:
    setup = textwrap.dedent(CALLS[call]).replace("WIRE", repr(wire))
    assert float(run(f"{PRELUDE}{setup}\nwaited(call, 0.3)")) < PATIENCE


def test_rows_with_very_many_elements_are_refused_at_once() -> None:
    """A few lists that are met again and again are counted, and not walked over."""
    program = f"""{PRELUDE}
data = [1, "a", shared(40)]
begun = time.monotonic()
try:
    serow.dumps(data)
except serow.LimitError as error:
    print(time.monotonic() - begun, error.row)
"""
    seconds, row = run(program).split()
    assert row == "2"
    assert float(seconds) < 1


def test_a_handler_that_returns_lets_encoding_go_on(wire: str) -> None:
    """The rows are encoded as the handler has left them."""
    program = f"""{PRELUDE}
data, calls = rows(10_000_000), []

def handler(number, frame):
    calls.append(number)
    data.clear()
    data.extend([1, 2, 3])

signal.signal(signal.SIGINT, handler)
subprocess.Popen(["sh", "-c", f"sleep 0.3; kill -INT {{os.getpid()}}"])
print(serow.loads(serow.dumps(data, wire={wire!r})), calls == [signal.SIGINT])
sys.stdout.flush()
os._exit(0)
"""
    assert run(program) == "[1, 2, 3] True\n"
