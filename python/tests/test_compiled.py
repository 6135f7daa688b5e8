"""Compiled codecs against interpreted ones: the same bytes, the same rows and the same errors."""

import os
import random
import subprocess
import sys
import threading
from typing import Any

import pytest
import serow
from hypothesis import given
from hypothesis import strategies as st
from serow import _native
from strategies import Table, rows, seeds, values


@pytest.fixture(params=["row", "frame"])
def wire(request: pytest.FixtureRequest) -> str:
    """Run the test for every wire that has compiled encoders."""
    if _native.object_access() != "direct" or os.environ.get("SEROW_TIER") == "interpreter":
        pytest.skip("nothing is compiled")
    return request.param


def codecs(schema: serow.Schema, wire: str) -> tuple[serow.Codec, serow.Codec]:
    """Give an interpreted and a compiled codec; both are compiled under `SEROW_TIER=jit`."""
    interpreted, compiled = (_native.codec_alone(schema, wire=wire) for _ in range(2))
    compiled.compile("encode")
    assert (interpreted.tier, compiled.tier) == ("interpreter", "jit")
    return interpreted, compiled


def outcome(codec: serow.Codec, rows: list[Any]) -> bytes | tuple[type, str]:
    """Give the message, or the error."""
    try:
        message = codec.encode(rows)
    except serow.SerowError as error:
        return type(error), str(error)
    buffer = bytearray(len(message))
    assert codec.encode_into(rows, buffer) == len(message)
    assert bytes(buffer) == message
    return message


def same(schema: serow.Schema, wire: str, rows: list[Any]) -> bytes | tuple[type, str]:
    """Assert that both codecs give the same result, and give it."""
    interpreted, compiled = codecs(schema, wire)
    expected = outcome(interpreted, rows)
    assert outcome(compiled, rows) == expected
    return expected


@given(rows())
def test_any_rows(wire: str, rows: list[Any]) -> None:
    assert isinstance(same(serow.Schema.infer(rows), wire, rows), bytes)


@given(seeds)
def test_tables(wire: str, seed: int) -> None:
    rows = Table(seed).rows()
    assert isinstance(same(serow.Schema.infer(rows), wire, rows), bytes)


def test_ints_around_every_power_of_two(wire: str) -> None:
    powers = (sign << bits for bits in range(64) for sign in (1, -1))
    ints = [power + more for power in powers for more in (-2, -1, 0, 1, 2)]
    rows = [(n, [-n]) for n in ints if abs(n) < 1 << 63] + [(-1 << 63, [])]
    message = same(serow.Schema.parse("(i64, [i64])"), wire, rows * 5)
    assert isinstance(message, bytes)
    assert serow.loads(message) == rows * 5
    for n in (1 << 63, (-1 << 63) - 1, 1 << 90, -1 << 90, 1 << 120):
        assert isinstance(same(serow.Schema.parse("i64"), wire, [1] * 50 + [n]), tuple)


@given(seeds, values(), st.integers(0, 1500))
def test_a_row_that_does_not_fit(wire: str, seed: int, value: Any, at: int) -> None:
    rows = Table(seed).rows()
    schema = serow.Schema.infer(rows)
    rows.insert(min(at, len(rows)), value)
    same(schema, wire, rows)


@given(seeds, seeds)
def test_a_table_of_another_schema(wire: str, seed: int, other: int) -> None:
    same(serow.Schema.infer(Table(seed).rows()), wire, Table(other).rows())


UNUSUAL = [
    (1, "é", 1.0, True, None, [1]),
    (1, "€" * 100, 1.0, True, 3, []),
    (2**62, "\ud800", -0.0, False, 2**63 - 1, [-(2**63)]),
    (1, "x" * 70_000, 1.0, True, None, list(range(10_000))),
]
MISFITS = [
    (2**63, "a", 1.0, True, None, []),
    (True, "a", 1.0, True, None, []),
    (1, b"a", 1.0, True, None, []),
    (1, "a", 1, True, None, []),
    (1, "a", 1.0, 1, None, []),
    (1, "a", 1.0, True, "b", []),
    (1, "a", 1.0, True, None, ()),
    (1, "a", 1.0, True, None, [1, 2, "c"]),
    (1, "a", 1.0, True, None),
    [1, "a", 1.0, True, None, []],
    None,
]
SCHEMA = serow.Schema.parse("(i64, str, f64, bool, i64?, [i64])")


def usual(i: int) -> tuple[Any, ...]:
    return (i, f"text {i}", i / 4, i % 2 == 0, None if i % 3 else -i, [i] * (i % 4))


@pytest.mark.parametrize("row", UNUSUAL)
def test_an_unusual_row_among_usual_ones(wire: str, row: Any) -> None:
    rows = [usual(i) for i in range(5000)]
    rows[0] = rows[70] = rows[3000] = rows[-1] = row
    assert isinstance(same(SCHEMA, wire, rows), bytes)


@pytest.mark.parametrize("row", MISFITS)
def test_a_misfit_among_usual_rows(wire: str, row: Any) -> None:
    for at in (0, 1, 63, 64, 4999):
        rows: list[Any] = [usual(i) for i in range(5000)]
        rows[at] = row
        error = same(SCHEMA, wire, rows)
        assert isinstance(error, tuple)
        assert error[0] is serow.EncodeError
        assert error[1].startswith(f"row {at}, ")


def test_mostly_unusual_rows(wire: str) -> None:
    rows = [random.Random(i).choice([*UNUSUAL[:3], usual(i)]) for i in range(3000)]
    assert isinstance(same(SCHEMA, wire, rows), bytes)


def test_frames_end_with_the_same_rows(wire: str) -> None:
    many = [usual(i) for i in range(70_000)]
    large: list[Any] = [(i, "x" * 5_000, 0.5, True, None, [i] * 100) for i in range(4_000)]
    assert isinstance(same(SCHEMA, wire, many), bytes)
    assert isinstance(same(SCHEMA, wire, large), bytes)
    empty = serow.Schema.parse("(i64, null, (), [null])")
    assert isinstance(same(empty, wire, [(i, None, (), [None] * 500) for i in range(5_000)]), bytes)
    few, lots = [(1, None, (), [])], [(2, None, (), [None] * 5_000_000)]
    assert isinstance(same(empty, wire, few * 10 + lots), tuple)


@pytest.mark.once
def test_wide_and_deep_rows(wire: str) -> None:
    cells = [Table(seed).column(2) for seed in range(300)]
    rows = [tuple(cell(i) for cell in cells) for i in range(30)]
    assert isinstance(same(serow.Schema.infer(rows), wire, rows), bytes)
    deep: Any = 1
    text = "i64"
    for i in range(60):
        deep, text = ((deep, i), f"({text}, i64)") if i % 2 else ([deep, "x"], f"[{text}, str]")
    assert isinstance(same(serow.Schema.parse(text), wire, [deep] * 100), bytes)


def test_a_buffer_that_is_too_small(wire: str) -> None:
    _, compiled = codecs(SCHEMA, wire)
    rows = [usual(i) for i in range(2000)]
    need = len(compiled.encode(rows))
    for size in (0, 1, 100, need // 2, need - 1):
        with pytest.raises(serow.BufferTooSmall, match=f"takes {need} bytes"):
            compiled.encode_into(rows, bytearray(size))


def test_a_compiled_codec_is_compiled_for_direct_access_only(wire: str) -> None:
    interpreted, compiled = codecs(SCHEMA, wire)
    rows = [usual(i) for i in range(100)]
    expected = interpreted.encode(rows)
    try:
        _native.object_access(only_c_api=True)
        assert compiled.tier == "c-api"
        assert set(compiled.tiers.values()) == {"c-api"}
        assert compiled.encode(rows) == expected
        with pytest.raises(serow.SerowError, match="directly: direct access is turned off"):
            compiled.compile()
        assert compiled.ir() is None
    finally:
        _native.object_access(only_c_api=False)
    assert compiled.tier == "jit"


def test_the_ir_can_be_read(wire: str) -> None:
    ir = serow.Codec(SCHEMA, wire=wire).ir()
    assert ir is not None
    assert "define i64 @serow(" in ir
    assert "@serow_py_float" in ir


def test_equal_codecs_share_their_code(wire: str) -> None:
    schema = serow.Schema.parse("(i64, (str, f64?), [bool])")
    first, other = serow.Codec(schema, wire=wire), serow.Codec(str(schema), wire=wire)
    alone = _native.codec_alone(schema, wire=wire)
    first.compile("encode")
    assert (first.tier, other.tier, alone.tier) == ("jit", "jit", "interpreter")
    rows = [(i, ("x", None), [True] * (i % 3)) for i in range(10)]
    assert serow.Codec.infer([*rows, (1, ("x", 0.5), [True])], wire=wire).tier == "jit"
    del first, other
    assert serow.Codec(schema, wire=wire).tier == "interpreter"


def test_compiling_while_others_encode(wire: str) -> None:
    codec = _native.codec_alone(SCHEMA, wire=wire)
    rows = [usual(i) for i in range(500)]
    expected = codec.encode(rows)
    wrong = []

    def encode() -> None:
        for _ in range(100):
            if codec.encode(rows) != expected:
                wrong.append(codec.tier)

    threads = [threading.Thread(target=encode) for _ in range(3)]
    threads += [threading.Thread(target=codec.compile) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (wrong, codec.tier) == ([], "jit")


def test_a_compiled_codec_works_in_a_child_by_fork(wire: str) -> None:
    program = (
        "import os, serow, sys\n"
        f"codec = serow.Codec('(i64, str)', wire={wire!r})\n"
        "codec.compile('encode')\n"
        "rows = [(i, str(i)) for i in range(100)]\n"
        "expected = codec.encode(rows)\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        f"    other = serow.Codec('(i64, [str])', wire={wire!r})\n"
        "    other.compile('encode')\n"
        "    more = [(i, ['x'] * i) for i in range(20)]\n"
        "    works = codec.encode(rows) == expected and other.decode(other.encode(more)) == more\n"
        "    os._exit(0 if works else 1)\n"
        "sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    assert run(program) == ""


def run(program: str, **environment: str) -> str:
    """Run a program in another process and give its output."""
    done = subprocess.run(
        # Since 3.12 Python warns of forks in programs with threads, which this test needs.
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


HEAD = """
import gc, os, threading, time, serow
rows = [(i, f"text {i}", i / 4, None if i % 3 else i) for i in range(20_000)]
"""
#: Encode until compiled code is used, or give up after a long time.
UNTIL_COMPILED = """
expected = codec.encode(rows)
end = time.monotonic() + 60
while codec.tier != "jit" and time.monotonic() < end:
    assert codec.encode(rows) == expected
assert codec.encode(rows) == expected
print(codec.tier)
"""


def test_a_codec_is_compiled_once_that_pays(wire: str) -> None:
    codec = f"codec = serow.Codec.infer(rows, wire={wire!r})\n"
    few = "codec.encode(rows[:10]); time.sleep(0.1); print(codec.tier)\n"
    # The time spent on rows counts. It goes on while a busy machine runs other programs.
    assert any(run(HEAD + codec + few, SEROW_TIER="auto") == "interpreter" for _ in range(5))
    assert run(HEAD + codec + UNTIL_COMPILED, SEROW_TIER="auto") == "jit"


def test_a_process_may_end_or_fork_while_a_codec_is_compiled(wire: str) -> None:
    codec = f"codec = serow.Codec.infer(rows, wire={wire!r})\n"
    many = "for i in range(3): codec.encode(rows)\n"
    fork = (
        "expected = codec.encode(rows)\n"
        "for i in range(10):\n"
        "    other = serow.Codec(f'(i64, str, f64, i64{\"?\" * (i % 2)})', wire=codec.wire)\n"
        "    codec.encode(rows)\n"
        "    if os.fork() == 0:\n"
        "        for j in range(5): assert codec.encode(rows) == expected\n"
        "        raise SystemExit\n"
        "    assert os.wait()[1] == 0\n"
    )
    for program in (many, fork):
        run(HEAD + codec + program, SEROW_TIER="auto")


def test_a_tier_for_all_of_a_process(wire: str) -> None:
    codec = f"codec = serow.Codec.infer(rows, wire={wire!r})\n"
    one = "expected = codec.encode(rows); codec.compile(); print(codec.tier)\n"
    assert run(HEAD + codec + one, SEROW_TIER="interpreter") == "interpreter"
    first = f"""
assert codec.encode(rows[:1]) and codec.tier == "jit"
assert serow.loads(serow.dumps(rows, wire={wire!r})) == rows
print(codec.tier)
"""
    assert run(HEAD + codec + first, SEROW_TIER="jit") == "jit"


def test_dumps_is_compiled_once_that_pays(wire: str) -> None:
    program = f"""
expected = serow.dumps(rows, wire={wire!r})
for _ in range(20): assert serow.dumps(rows, wire={wire!r}) == expected
mixed = rows + [(1, "x", "y", None)] + rows
assert serow.loads(serow.dumps(mixed, wire={wire!r})) == mixed
"""
    for tier in ("auto", "jit", "interpreter"):
        run(HEAD + program, SEROW_TIER=tier)


def test_an_unknown_tier_is_an_error() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import serow"],
        capture_output=True,
        text=True,
        env={**os.environ, "SEROW_TIER": "fast"},
    )
    assert "SEROW_TIER must be 'auto', 'interpreter' or 'jit'" in done.stderr
