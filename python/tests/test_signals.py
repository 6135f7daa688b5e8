"""Ctrl-C and other signals during long calls: their handlers run within milliseconds."""

import os
import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.once

#: Maximum delay of a handler in seconds. The calls take far longer on any machine.
PATIENCE = 3

#: Sends Ctrl-C, and tells whether the call ended soon after it. A Python thread can't send it,
#: because the call holds the GIL. Several attempts, because the machine may be busy.
PRELUDE = f"""
import gc, os, signal, subprocess, sys, time
import serow

def rows(count):
    return [(i, i / 7, f"text {{i}}", [i]) for i in range(100_000)] * (count // 100_000)

def shared(depth):
    value = [1]
    for _ in range(depth):
        value = [value, value]
    return value

def send(delay):
    kill = f"sleep {{delay}}; date +%s.%N; kill -INT {{os.getpid()}}"
    return subprocess.Popen(["sh", "-c", kill], stdout=subprocess.PIPE, text=True)

def call_to_end(call):
    try:
        call()
    except serow.LimitError:
        # One row with very many elements.
        pass

def try_once(call, delay, patience):
    sender = send(delay)
    try:
        try:
            call_to_end(call)
        except KeyboardInterrupt:
            ended = time.time()
            return ended - float(sender.communicate()[0]) < patience
        # The signal came too late.
        sender.wait()
        time.sleep(1)
    except KeyboardInterrupt:
        pass
    return False

def is_soon(call, is_endless):
    if is_endless:
        tries = [(0.3, {PATIENCE})]
    else:
        begun = time.time()
        call_to_end(call)
        whole = time.time() - begun
        # If the call ignored the signal, most of it would remain afterwards.
        tries = [(whole * share, whole * 0.5) for share in (0.2, 0.1, 0.05, 0.02, 0.01, 0)]
    return any(try_once(call, delay, patience) for delay, patience in tries)

# A program in the background of a shell ignores Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
gc.disable()
"""

#: Programs that assign `call`. Each call takes about a second.
CALLS = {
    "dumps": "data = rows(20_000_000); call = lambda: serow.dumps(data, wire=WIRE)",
    "a codec": """
        data = rows(20_000_000)
        codec = serow.Codec.infer(data[:100], wire=WIRE)
        call = lambda: codec.encode(data)
    """,
    "inference": "data = rows(1_000_000); call = lambda: serow.Schema.infer(data)",
    "what is iterated": "call = lambda: serow.dumps(range(10**9), wire=WIRE)",
    "loads": """
        message = serow.dumps(rows(2_000_000), wire=WIRE)
        call = lambda: serow.loads(message)
    """,
}

#: The same, interpreted: compiled code checks for signals only between rows.
INTERPRETED = {
    "one row": "data = [rows(2_000_000)]; call = lambda: serow.dumps(data, wire=WIRE)",
    "loads of one row": """
        message = serow.dumps([rows(1_000_000)], wire=WIRE)
        call = lambda: serow.loads(message)
    """,
}

COMPILED = {
    "compile": """
        codec = serow.Codec("(" + ", ".join(["[(i64, str?)]"] * 1_000) + ")", wire=WIRE)
        call = codec.compile
    """,
}


def run(program: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


#: Calls that take many seconds on any machine, and that behave differently when repeated.
ENDLESS = ("what is iterated", "compile")


@pytest.mark.once
@pytest.mark.parametrize(
    ("tier", "calls"),
    [
        ("auto", CALLS),
        pytest.param("interpreter", INTERPRETED, marks=pytest.mark.long),
        pytest.param("auto", COMPILED, marks=pytest.mark.long),
    ],
)
def test_ctrl_c_ends_long_calls(tier: str, calls: dict[str, str], wire: str) -> None:
    program = PRELUDE
    for name, setup in calls.items():
        program += textwrap.dedent(setup).replace("WIRE", repr(wire))
        program += f"\nprint({name!r}, is_soon(call, {name in ENDLESS}), flush=True)\n"
        program += "call = data = codec = message = None\n"
    # Exit without waiting for the compiler.
    program = program.removesuffix("call = data = codec = message = None\n") + "os._exit(0)\n"
    output = run(program, SEROW_CACHE_DIR="off", SEROW_TIER=tier)
    assert output == "".join(f"{name} True\n" for name in calls)


def test_rows_with_very_many_elements_are_refused_at_once() -> None:
    """Shared lists that occur very often are counted without a walk."""
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
    # Walking them would take hours.
    assert float(seconds) < 20


@pytest.mark.once
def test_a_handler_that_returns_lets_encoding_go_on(wire: str) -> None:
    """The rows are encoded in the state that the handler left them in."""
    program = f"""{PRELUDE}
data, calls = [], []

def handler(number, frame):
    calls.append(number)
    data[:] = [1, 2, 3]

signal.signal(signal.SIGINT, handler)
for delay in (0.2, 0.1, 0.05, 0.02, 0):
    data[:] = rows(10_000_000)
    calls.clear()
    sender = send(delay)
    message = serow.dumps(data, wire={wire!r})
    was_during = bool(calls)
    sender.wait()
    if was_during:
        break
print(was_during, len(message) < 1000 and serow.loads(message), flush=True)
os._exit(0)
"""
    assert run(program) == "True [1, 2, 3]\n"
