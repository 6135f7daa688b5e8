"""Memory that stays: page faults of messages and of decoded rows, and `retain_memory`."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest
import serow
from serow import _native

pytestmark = pytest.mark.tiers

HEAD = """
import ctypes, gc, json, os, resource, sys
import serow
from serow import _native

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

class Allocator(ctypes.Structure):
    _fields_ = [("context", ctypes.c_void_p), ("alloc", ctypes.c_void_p), ("free", ctypes.c_void_p)]

    def __eq__(self, other):
        return bytes(self) == bytes(other)

def installed():
    found = Allocator()
    ctypes.pythonapi.PyObject_GetArenaAllocator(ctypes.byref(found))
    return found

def install(allocator):
    ctypes.pythonapi.PyObject_SetArenaAllocator(ctypes.byref(allocator))

MIB = 1 << 20
"""

COUNTING = """
import mmap

class State(ctypes.Structure):
    _fields_ = [
        ("allocs", ctypes.c_ulonglong), ("frees", ctypes.c_ulonglong),
        ("context", ctypes.c_void_p), ("alloc", ctypes.c_void_p), ("free", ctypes.c_void_p),
    ]

# Machine code, because Python's code can't run while Python allocates: inc [rdi] or [rdi+8];
# mov r8, [rdi+24] or [rdi+32]; mov rdi, [rdi+16]; jmp r8.
CODE = (
    bytes.fromhex("48ff07 4c8b4718 488b7f10 41ffe0").ljust(32),
    bytes.fromhex("48ff4708 4c8b4720 488b7f10 41ffe0"),
)
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(b"".join(CODE))
address = ctypes.addressof(ctypes.c_char.from_buffer(page))

def count():
    '''Install an allocator that counts its calls and calls the one before.'''
    before = installed()
    state = State(0, 0, before.context, before.alloc, before.free)
    install(Allocator(ctypes.addressof(state), address, address + 32))
    return before, state
"""


def child(program: str, **environment: str) -> Any:
    """Run a program, which prints JSON, in a process of its own."""
    # A compiler in the background would fault in pages too.
    own = {"PYTHONMALLOC": "pymalloc", "SEROW_TIER": "interpreter"}
    variables = {**os.environ, **own, **environment}
    done = subprocess.run(
        [sys.executable, "-c", HEAD + program], capture_output=True, text=True, env=variables
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def only(condition: bool, why: str) -> None:
    if not condition:
        pytest.skip(why)


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


class TestRetainMemory:
    """`serow.retain_memory`. It changes the process, so each test has its own."""

    def test_decoding_again_and_again_faults_in_no_pages(self) -> None:
        program = """
without = each_time(decode_and_drop)
assert serow.retain_memory(64 * MIB) == 0
kept = each_time(decode_and_drop)
assert serow.retain_memory(0) == 64 * MIB
print(json.dumps([without, kept, each_time(decode_and_drop)]))
"""
        without, kept, after = child(program)
        assert without > 2000
        assert kept < without / 20
        assert after > without / 2

    def test_the_bound_holds(self) -> None:
        program = """
decode_and_drop()
found = []
for bound in (64, 6, 2, 0, 3):
    serow.retain_memory(bound * MIB)
    for _ in range(2):
        decode_and_drop()
    found.append((bound * MIB, *_native.retained_memory(), resident()))
print(json.dumps(found))
"""
        found = child(program)
        for bound, told, kept, _ in found:
            assert told == bound
            assert kept <= bound
            # An arena has at most 1 MiB.
            assert kept > bound - (1 << 20) or bound == 64 << 20
        residents = [resident for *_, resident in found]
        assert residents[0] - residents[3] > found[0][2] / 2
        assert residents[4] - residents[3] < 5 << 20

    def test_the_former_allocator_comes_back(self) -> None:
        program = """
before = installed()
assert serow.retain_memory(0) == 0
assert installed() == before
assert serow.retain_memory(MIB) == 0
ours = installed()
assert ours != before
assert serow.retain_memory(2 * MIB) == MIB
assert installed() == ours
assert serow.retain_memory(0) == 2 * MIB
assert installed() == before
for _ in range(3):
    serow.retain_memory(32 * MIB)
    decode_and_drop()
    serow.retain_memory(0)
    decode_and_drop()
assert installed() == before
print(json.dumps(_native.retained_memory()))
"""
        assert child(program) == [0, 0]

    def test_after_another_allocator(self) -> None:
        """All arenas come from the other one and return there, and it is installed at the end."""
        only(os.uname().machine == "x86_64", "the allocator is in x86-64's machine code")
        program = """
default, state = count()
theirs = installed()
decode_and_drop()
balance = state.allocs - state.frees
serow.retain_memory(64 * MIB)
decode_and_drop()
calls = (state.allocs, state.frees)
decode_and_drop()
again = (state.allocs - calls[0], state.frees - calls[1])
kept = _native.retained_memory()[1]
serow.retain_memory(0)
assert installed() == theirs
assert state.frees - calls[1] > 0 or not kept
decode_and_drop()
install(default)
decode_and_drop()
print(json.dumps([balance, state.allocs - state.frees, *again]))
"""
        before, after, allocs, frees = child(COUNTING + program)
        assert abs(after - before) <= 2
        assert allocs <= 2
        assert frees <= 2

    def test_before_another_allocator(self) -> None:
        """Ours stays below the other one and passes its calls on. Later it can be removed."""
        only(os.uname().machine == "x86_64", "the allocator is in x86-64's machine code")
        program = """
default = installed()
serow.retain_memory(64 * MIB)
ours, state = count()
theirs = installed()
kept = each_time(decode_and_drop)
assert serow.retain_memory(0) == 64 * MIB
assert installed() == theirs
assert _native.retained_memory() == (0, 0)
without = each_time(decode_and_drop)
serow.retain_memory(64 * MIB)
assert installed() == theirs
again = each_time(decode_and_drop)
install(ours)
assert serow.retain_memory(0) == 64 * MIB
assert installed() == default
decode_and_drop()
print(json.dumps([kept, without, again, state.allocs]))
"""
        kept, without, again, calls = child(COUNTING + program)
        assert without > 2000
        assert kept < without / 20
        assert again < without / 20
        assert calls > 0

    def test_installed_again_by_another(self) -> None:
        """Someone may have got ours and set it later, when it was removed already."""
        program = """
serow.retain_memory(64 * MIB)
ours = installed()
serow.retain_memory(0)
install(ours)
without = each_time(decode_and_drop)
assert serow.retain_memory(64 * MIB) == 0
kept = each_time(decode_and_drop)
assert serow.retain_memory(0) == 64 * MIB
assert installed() != ours
decode_and_drop()
print(json.dumps([without, kept]))
"""
        without, kept = child(program)
        assert without > 2000
        assert kept < without / 20

    def test_a_forked_child_has_its_own(self) -> None:
        program = """
serow.retain_memory(64 * MIB)
decode_and_drop()
before = _native.retained_memory()
child = os.fork()
if child == 0:
    for _ in range(3):
        decode_and_drop()
    kept = each_time(decode_and_drop)
    serow.retain_memory(0)
    decode_and_drop()
    os._exit(0 if kept < 200 and _native.retained_memory() == (0, 0) else 1)
status = os.waitpid(child, 0)[1]
assert _native.retained_memory() == before
decode_and_drop()
print(json.dumps([status, each_time(decode_and_drop)]))
"""
        status, kept = child(program)
        assert status == 0
        assert kept < 200

    def test_with_threads(self) -> None:
        program = """
import threading
sys.setswitchinterval(1e-5)
rows = rows[:5000]
data = codec.encode(rows)

def work():
    for number in range(30):
        assert codec.decode(data) == rows
        serow.retain_memory((number % 4) * 4 * MIB)

threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
serow.retain_memory(0)
print(json.dumps(_native.retained_memory()))
"""
        assert child(program) == [0, 0]

    def test_without_arenas_it_is_an_error(self) -> None:
        program = """
message = None
try:
    serow.retain_memory(MIB)
except serow.SerowError as error:
    message = str(error)
assert serow.retain_memory(0) == (0 if message else MIB)
print(json.dumps(message))
"""
        assert child(program) is None
        message = child(program, PYTHONMALLOC="malloc")
        assert message == (
            "serow cannot keep memory: this Python does not use pymalloc; if PYTHONMALLOC chose "
            "another allocator, unset it"
        )

    def test_memory_is_kept_again_after_another_removed_it(self) -> None:
        program = """
before = installed()
kept = []
for _ in range(2):
    serow.retain_memory(256 * MIB)
    install(before)
    serow.retain_memory(0)
    serow.retain_memory(256 * MIB)
    decode_and_drop()
    kept.append(serow._native.retained_memory()[1] > MIB)
    install(before)
    serow.retain_memory(256 * MIB)
    decode_and_drop()
    kept.append(serow._native.retained_memory()[1] > MIB)
print(json.dumps(kept))
"""
        assert child(program) == [True] * 4

    def test_explain_says_what_is_kept(self) -> None:
        program = """
import contextlib, io

def line():
    with contextlib.redirect_stdout(io.StringIO()) as out:
        serow.explain()
    return next(line for line in out.getvalue().splitlines() if line.startswith("memory:"))

found = [line()]
serow.retain_memory(64 * MIB)
decode_and_drop()
kept = _native.retained_memory()[1]
print(json.dumps([*found, line(), kept]))
"""
        before, after, kept = child(program)
        assert before == "memory:    CPython returns freed arenas to the system"
        assert after == (
            f"memory:    up to 64.0 MiB of freed arenas are kept, now {kept / (1 << 20):.1f} MiB"
        )

    def test_bad_arguments(self) -> None:
        with pytest.raises(ValueError, match=r"^bytes must not be negative, but is -1$"):
            serow.retain_memory(-1)
        with pytest.raises(OverflowError):
            serow.retain_memory(1 << 70)
        for wrong in ("64", 64.0, None):
            with pytest.raises(TypeError):
                serow.retain_memory(wrong)  # type: ignore[arg-type]
        assert _native.retained_memory() == (0, 0)
