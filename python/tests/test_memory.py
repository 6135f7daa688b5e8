"""Memory that stays: page faults of messages."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest
import serow

HEAD = """
import gc, json, os, resource
import serow

gc.disable()

def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

def each_time(work, times=4):
    '''Give the greatest number of page faults of a call, after some calls.'''
    for _ in range(3):
        work()
    counts = []
    for _ in range(times):
        before = faults()
        work()
        counts.append(faults() - before)
    return max(counts)

rows = [(i, f"name {i}", i / 7, f"tag {i}") for i in range(60_000)]
codec = serow.Codec("(i64, str, f64, str)")
data = codec.encode(rows)

def decode_and_drop():
    assert codec.decode(data)[-1] == rows[-1]

MIB = 1 << 20
"""


def child(program: str, **environment: str) -> Any:
    """Run a program, which prints JSON, in a process of its own."""
    variables = {**os.environ, "PYTHONMALLOC": "pymalloc", **environment}
    done = subprocess.run(
        [sys.executable, "-c", HEAD + program], capture_output=True, text=True, env=variables
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


SHAPES = {
    "alike": "i, 'x' * 60",
    "longer at the end": "i, 'x' * (20 + i // 600)",
    "shorter at the end": "i, 'x' * (120 - i // 600)",
    "one is long": "i, 'x' * (900_000 if i == 50_000 else 50)",
    "the first are long": "i, 'x' * (20_000 if i < 100 else 30)",
}
"""What row `i` of 60,000 is: a number and a text."""


class TestMessages:
    """A message that was dropped leaves its memory to the next one."""

    @pytest.mark.parametrize("shape", SHAPES)
    def test_encoding_again_and_again_faults_in_no_pages(self, wire: str, shape: str) -> None:
        program = f"""
rows = [({SHAPES[shape]}) for i in range(60_000)]
codec = serow.Codec("(i64, str)", wire={wire!r})
print(json.dumps([each_time(lambda: codec.encode(rows)), len(codec.encode(rows)),
                  each_time(lambda: serow.dumps(rows, wire={wire!r}))]))
"""
        encode, length, dumps = child(program)
        pages = length // 4096
        assert encode < 20 + pages // 10, (encode, pages)
        assert dumps < 20 + pages // 10, (dumps, pages)

    @pytest.mark.parametrize("shape", SHAPES)
    def test_messages_that_are_kept_share_no_memory(self, wire: str, shape: str) -> None:
        rows = eval(f"[({SHAPES[shape]}) for i in range(60_000)]")
        codec = serow.Codec("(i64, str)", wire=wire)
        kept = [codec.encode(rows[:n]) for n in (60_000, 59_999, 300, 40_000, 60_000)]
        assert kept[0] == kept[-1]
        for message, n in zip(kept, (60_000, 59_999, 300, 40_000), strict=False):
            assert codec.decode(message) == rows[:n]
            assert sys.getsizeof(message) == len(message) + sys.getsizeof(b"")

    def test_a_message_takes_no_more_memory_than_its_bytes(self) -> None:
        """Memory that was expected but not needed goes back."""
        program = """
rows = [(i, "x" * (20_000 if i < 100 else 30)) for i in range(60_000)]
codec = serow.Codec("(i64, str)", wire="row")
before = resident()
kept = [codec.encode(rows) for _ in range(8)]
print(resident() - before, sum(map(len, kept)))
""".replace("print(", "print(json.dumps([").replace("kept)))", "kept))]))")
        grown, length = child(program)
        assert grown < length * 1.2 + (8 << 20)
