"""Lack of memory during encoding or decoding raises a MemoryError."""

import os
import subprocess
import sys
import textwrap

import pytest

pytestmark = [pytest.mark.heavy, pytest.mark.tiers]

ROWS = {
    "dicts": "[{'a': i} for i in range(30_000)]",
    "nested": "[({'a': 1, 'b': 2.5},) * 20] * 4_000",
    "texts": "[(f'a text of its own {i}', f'é {i % 100}', None) for i in range(30_000)]",
    "one row": "[[(i, 'x' * i) for i in range(3_000)] * 50]",
    "sets": "[({i, -i}, frozenset([str(i)]), {i: [i]}) for i in range(15_000)]",
    "components": "[(Decimal(i) / 7, date(2000, 1, 1 + i % 28), 2**70 + i, b'x' * i)"
    " for i in range(5_000)]",
    "classes": "[Part(f'name {i}', i) for i in range(30_000)]",
}

#: Limits the address space to what the process has taken, and a little more. The C library keeps
#: freed memory, and 64 MB for each thread, so all large pieces of that are taken first.
LIMIT = """
def limit(more):
    global taken
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used, resource.RLIM_INFINITY))
    for size in (1 << 20, 1 << 16):
        try:
            while True:
                taken.append(bytearray(size))
        except MemoryError:
            pass
    resource.setrlimit(resource.RLIMIT_AS, (used + more, resource.RLIM_INFINITY))

taken = []
"""

#: Runs CHECK for each of ROWS in a child of this process, because memory that one of them frees
#: would serve the next. Forking takes less time than starting Python and importing serow.
PROGRAM = """
import gc, os, resource, sys
from datetime import date
from decimal import Decimal
from typing import NamedTuple
import serow

class Part(NamedTuple):
    name: str
    size: int

gc.disable()
wire = WIRE
LIMIT

def check(rows):
    codec = serow.Codec.infer(rows[:100], wire=wire)
    codec.compile()
    message = codec.encode(rows)

    def call():
        try:
            result = CALL
        except MemoryError:
            return 1
        del result
        return 0

CHECK

for name, rows in ROWS.items():
    child = os.fork()
    if child == 0:
        check(eval(rows))
        os._exit(0)
    print(name, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""

#: The current address space, and a little more in steps.
LIMITED = """
# CPython's parser may take a lack of memory for a syntax error, so all modules are loaded before.
call()
failed = []
for megabytes in range(9):
    limit(megabytes << 20)
    # The rows may fit into the memory that an earlier step has left.
    failed.append(call())
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert failed[0] == 1, failed
assert call() == 0
"""

#: Every allocation of Python fails in turn, alone or with all later ones.
COUNTED = """
from _testcapi import remove_mem_hooks, set_nomemory
call()
failed = 0
for n in range(100):
    for stop in (n + 1, 0):
        set_nomemory(n, stop)
        now = call()
        remove_mem_hooks()
        failed += now
assert failed > 0
assert call() == 0
"""


def run(call: str, rows: dict[str, str], wire: str, check: str) -> None:
    """Check a call with each of `rows`."""
    whole = PROGRAM.replace("WIRE", repr(wire)).replace("CALL", call).replace("ROWS", repr(rows))
    whole = whole.replace("LIMIT", LIMIT)
    done = subprocess.run(
        [sys.executable, "-c", whole.replace("CHECK", textwrap.indent(check, "    "))],
        capture_output=True,
        text=True,
        timeout=100,
    )
    ends = "".join(f"{name} 0\n" for name in rows)
    assert (done.returncode, done.stdout) == (0, ends), done.stderr[:2000]


CALLS = {
    "encode": "codec.encode(rows)",
    "dumps": "serow.dumps(rows, wire=wire)",
    "decode": "codec.decode(message)",
    "loads": "serow.loads(message)",
}


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited as Linux does it")
def test_little_address_space_for_rows(wire: str) -> None:
    run(CALLS["loads"], ROWS, wire, LIMITED)


@pytest.mark.parametrize("call", CALLS)
def test_every_allocation_may_fail(call: str, wire: str) -> None:
    pytest.importorskip("_testcapi")
    few = {name: f"({rows})[:3]".replace("3_000", "30") for name, rows in ROWS.items()}
    run(CALLS[call], few, wire, COUNTED)


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited as Linux does it")
@pytest.mark.parametrize("tier", ["interpreter", "jit", "auto"])
def test_small_messages_of_large_rows(tier: str, wire: str) -> None:
    """These rows once ended the process, in every tier.

    So does a background thread that starts without memory.
    """
    program = f"""
import resource, sys
import serow
rows = [{{"a": 1}}] * 300_000
message = serow.dumps(rows, wire={wire!r})
del rows
{LIMIT}
for megabytes in (1, 4, 10, 20, 30, 40, 41, 43):
    limit(megabytes << 20)
    try:
        serow.loads(message)
    except MemoryError:
        print(megabytes)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=100,
        env={**os.environ, "SEROW_TIER": tier},
    )
    assert done.returncode == 0, done.stderr[:2000]
    # A compiler that ends in the background frees memory, so the rows may fit.
    assert done.stdout.startswith("1\n4\n10\n") or tier == "auto"
