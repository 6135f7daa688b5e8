"""Lack of memory during encoding or decoding raises a MemoryError."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.heavy

ROWS = {
    "dicts": "[{'a': i} for i in range(30_000)]",
    "nested": "[({'a': 1, 'b': 2.5},) * 20] * 20_000",
    "texts": "[(f'a text of its own {i}', f'é {i % 100}', None) for i in range(30_000)]",
    "one row": "[[(i, 'x' * i) for i in range(3_000)] * 50]",
    "sets": "[({i, -i}, frozenset([str(i)]), {i: [i]}) for i in range(30_000)]",
    "components": "[(Decimal(i) / 7, date(2000, 1, 1 + i % 28), 2**70 + i, b'x' * i)"
    " for i in range(5_000)]",
    "classes": "[Part(f'name {i}', i) for i in range(30_000)]",
}

PRELUDE = """
import gc, resource, sys
from datetime import date
from decimal import Decimal
from typing import NamedTuple
import serow

class Part(NamedTuple):
    name: str
    size: int

gc.disable()
SETUP

def call():
    try:
        result = CALL
    except MemoryError:
        return 1
    del result
    return 0
"""

#: The current address space, and a little more in steps.
LIMITED = """
for step in range(9):
    used = int(open("/proc/self/statm").read().split()[0]) * 4096
    resource.setrlimit(resource.RLIMIT_AS, (used + (step << 20), resource.RLIM_INFINITY))
    # Rows may fit into freed memory; no exception but MemoryError is raised.
    call()
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(True, call())
"""

#: Every allocation of Python fails in turn, alone or with all later ones.
COUNTED = """
from _testcapi import remove_mem_hooks, set_nomemory
call()
errors = 0
for n in range(100):
    for stop in (n + 1, 0):
        set_nomemory(n, stop)
        failed = call()
        remove_mem_hooks()
        errors += failed
print(errors > 0, call())
"""


def run(call: str, rows: str, wire: str, program: str) -> None:
    setup = f"""
rows, wire = {rows}, {wire!r}
codec = serow.Codec.infer(rows[:100], wire=wire)
codec.compile()
message = codec.encode(rows)
"""
    whole = PRELUDE.replace("SETUP", setup).replace("CALL", call) + program
    done = subprocess.run(
        [sys.executable, "-c", whole], capture_output=True, text=True, timeout=100
    )
    assert (done.returncode, done.stdout) == (0, "True 0\n"), done.stderr[:2000]


CALLS = {
    "encode": "codec.encode(rows)",
    "dumps": "serow.dumps(rows, wire=wire)",
    "decode": "codec.decode(message)",
    "loads": "serow.loads(message)",
}


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited as Linux does it")
@pytest.mark.parametrize("rows", ROWS)
def test_little_address_space_for_rows(rows: str, wire: str) -> None:
    run(CALLS["loads"], ROWS[rows], wire, LIMITED)


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("call", CALLS)
def test_every_allocation_may_fail(call: str, rows: str, wire: str) -> None:
    pytest.importorskip("_testcapi")
    if rows == "classes" and call in ("encode", "dumps"):
        pytest.skip("a class that cannot be looked at for want of memory is said to have no type")
    run(CALLS[call], f"({ROWS[rows]})[:3]".replace("3_000", "30"), wire, COUNTED)


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited as Linux does it")
def test_small_messages_of_large_rows(wire: str) -> None:
    """These rows once ended the process, in every tier."""
    program = f"""
import resource, sys
import serow
rows = [{{"a": 1}}] * 1_500_000
message = serow.dumps(rows, wire={wire!r})
del rows
used = int(open("/proc/self/statm").read().split()[0]) * 4096
for megabytes in (20, 50, 100, 150, 200, 201, 210):
    resource.setrlimit(resource.RLIMIT_AS, (used + (megabytes << 20), resource.RLIM_INFINITY))
    try:
        serow.loads(message)
    except MemoryError:
        print(megabytes)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=100
    )
    assert (done.returncode, done.stdout[:6]) == (0, "20\n50\n"), done.stderr[:2000]
