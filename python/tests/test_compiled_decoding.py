"""Compiled decoding against interpreted: the same rows, types and errors, and no leaks."""

import gc
import os
import random
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Any

import leaks
import pytest
import rowtext
import serow
import wire_format as format
from hypothesis import given, settings
from hypothesis import strategies as st
from serow import _native
from strategies import Table, rows, seeds


@pytest.fixture(params=["row", "frame"])
def wire(request: pytest.FixtureRequest) -> str:
    """Run the test for messages of every wire."""
    if _native.object_access() != "direct" or os.environ.get("SEROW_TIER") == "interpreter":
        pytest.skip("nothing is compiled")
    return request.param


Codecs = tuple[serow.Codec, serow.Codec]


def codecs(schema: serow.Schema | str, wire: str) -> Codecs:
    """Give an interpreted codec and one whose decoder is compiled."""
    interpreted, compiled = (_native.codec_alone(schema, wire=wire) for _ in range(2))
    compiled.compile("decode")
    assert (compiled.tiers["encode"], compiled.tiers["decode"]) == ("interpreter", "jit")
    assert (interpreted.tier, compiled.tier) == ("interpreter", "jit")
    return interpreted, compiled


def outcome(codec: serow.Codec, data: bytes) -> list[str] | tuple[type, str]:
    """Give the rows with types and bits at every node, or the error."""
    try:
        return [rowtext.canonical(row) for row in codec.decode(data)]
    except serow.SerowError as error:
        return type(error), str(error)


def same(codecs: Codecs, data: bytes) -> list[str] | tuple[type, str]:
    """Assert that both codecs give the same result, and give it."""
    # Under `SEROW_TIER=jit` the first codec compiles its decoder with the first row, which is fine.
    expected = outcome(codecs[0], data)
    assert outcome(codecs[1], data) == expected
    return expected


def come_back(rows: list[Any], wire: str) -> None:
    pair = codecs(serow.Schema.infer(rows), wire)
    found = same(pair, pair[0].encode(rows))
    assert found == [rowtext.canonical(row) for row in rows]


@given(rows())
def test_any_rows(wire: str, rows: list[Any]) -> None:
    come_back(rows, wire)


@given(seeds)
def test_tables(wire: str, seed: int) -> None:
    come_back(Table(seed).rows(), wire)


@pytest.mark.once
@given(seeds)
@settings(max_examples=40)
def test_malformed_bodies(wire: str, seed: int) -> None:
    generator = random.Random(seed)
    table = Table(seed).rows(most=200)
    pair = codecs(serow.Schema.infer(table), wire)
    frames = format.frames(pair[0].encode(table))
    for _ in range(25):
        i = generator.randrange(len(frames))
        changed = format.spoiled(frames[i], generator, generator.choice([1, 1, 2, 8]))
        same(pair, format.message(*frames[:i], changed, *frames[i + 1 :]))


SCHEMA = "(i64, str, f64, bool, i64?, [i64], (str, [str]), i64|str, null, (i64, ...))"


def usual(i: int) -> tuple[Any, ...]:
    return (
        i,
        f"text {i}",
        i / 4,
        i % 2 == 0,
        None if i % 3 else -i,
        [i] * (i % 4),
        (["red", "green"][i % 2], [str(i)] * (i % 3)),
        i if i % 2 else "odd",
        None,
        tuple(range(i % 5)),
    )


UNUSUAL = [
    (2**62, "é", 1.0, True, None, [1], ("", []), "a", None, ()),
    (-(2**63), "€" * 100, -0.0, True, 3, [], ("😀", ["\ud800"]), 2**63 - 1, None, (1,)),
    (2**60, "x" * 70_000, 1.0, True, None, list(range(10_000)), ("", [""] * 600), "", None, ()),
]


def test_unusual_rows_among_usual_ones(wire: str) -> None:
    rows: list[Any] = [usual(i) for i in range(3000)]
    rows[0] = rows[70] = rows[-1] = UNUSUAL[0]
    rows[71] = rows[255] = rows[256] = UNUSUAL[1]
    rows[257] = rows[2000] = UNUSUAL[2]
    pair = codecs(SCHEMA, wire)
    assert same(pair, pair[0].encode(rows)) == [rowtext.canonical(row) for row in rows]


def test_ints_and_strings_at_every_edge(wire: str) -> None:
    ints = [s * (2**k) + d for k in range(63) for s in (1, -1) for d in (-1, 0, 1)]
    strings = ["x" * n for n in range(200)] + ["é" * n for n in range(40)]
    strings += ["x" * n + "é" for n in range(70)] + [chr(c) for c in range(256)]
    come_back([(i,) for i in ints], wire)
    come_back([(s,) for s in strings], wire)
    come_back([(s,) for s in strings if s.isascii()], wire)
    come_back([(s, "x") for s in strings * 20], wire)


def test_singletons_are_those_of_cpython(wire: str) -> None:
    rows = [(i, chr(i % 128), "", True, False, None, ()) for i in range(-5, 257)]
    _, compiled = codecs(serow.Schema.infer(rows), wire)
    for row, decoded in zip(rows, compiled.decode(compiled.encode(rows)), strict=True):
        assert all(a is b for a, b in zip(row, decoded, strict=True))


def test_sequences_longer_than_windows(wire: str) -> None:
    for length in (255, 256, 257, 512, 513, 3000):
        texts = ["x" * (i % 40) for i in range(length)]
        row = (list(range(length)), tuple(texts), [float(i) for i in range(length)])
        come_back([row, ([], (), []), row, row], wire)


@pytest.mark.long
def test_wide_and_deep_rows(wire: str) -> None:
    cells = [Table(seed).column(2) for seed in range(300)]
    come_back([tuple(cell(i) for cell in cells) for i in range(30)], wire)
    come_back([tuple(range(i, i + 1000)) for i in range(300)], wire)
    deep: Any = 1
    for i in range(60):
        deep = (deep, i) if i % 2 else [deep, "x"]
    come_back([deep] * 100, wire)


@pytest.mark.heavy
def test_nothing_is_lost(wire: str) -> None:
    rows = [usual(i % 300) for i in range(2000)]
    _, compiled = codecs(SCHEMA, wire)
    good = compiled.encode(rows)
    generator = random.Random(7)
    (frame,) = format.frames(good)
    lies = [format.message(format.spoiled(frame, generator)) for _ in range(60)]
    shared = [None, 1, 7, 256, True, False, "", "a"]

    def work() -> None:
        for data in [good, *lies] * 3:
            with suppress(serow.SerowError):
                compiled.decode(data)

    leaks.assert_none(work, shared)


def test_the_collector_knows_what_it_should(wire: str) -> None:
    rows = [(i, (i, "x"), [i], ((i, [i]),), (), [()]) for i in range(300)]
    for codec in codecs(serow.Schema.infer(rows), wire):
        for row in codec.decode(codec.encode(rows)):
            assert gc.is_tracked(row)
            assert not gc.is_tracked(row[1])
            assert gc.is_tracked(row[2])
            assert gc.is_tracked(row[3])
            assert gc.is_tracked(row[3][0])
            assert gc.is_tracked(row[3][0][1])
            assert gc.is_tracked(row[5])
    flat = [(i, "x") for i in range(300)]
    for codec in codecs(serow.Schema.infer(flat), wire):
        assert not any(gc.is_tracked(row) for row in codec.decode(codec.encode(flat)))


@pytest.mark.heavy
def test_cycles_through_decoded_rows_are_collected(wire: str) -> None:
    rows = [(i, [i]) for i in range(100)]
    _, compiled = codecs("(i64, [i64])", wire)
    data = compiled.encode(rows)
    gc.collect()
    blocks = sys.getallocatedblocks()
    for _ in range(20):
        for row in compiled.decode(data):
            row[1].append(row)
        del row
        gc.collect()
    assert abs(sys.getallocatedblocks() - blocks) < 500


def test_allocations_are_seen_by_tracemalloc(wire: str) -> None:
    program = (
        "import serow, tracemalloc\n"
        f"codec = serow.Codec('(i64, str, [f64])', wire={wire!r})\n"
        "rows = [(i + 1000, f'text {i}', [i / 4]) for i in range(10_000)]\n"
        "data = codec.encode(rows)\n"
        "codec.compile('decode')\n"
        "tracemalloc.start()\n"
        "found = codec.decode(data)\n"
        "size = tracemalloc.get_traced_memory()[0]\n"
        "assert found == rows and size > 10_000 * 250, size\n"
    )
    run(program)
    run(program, PYTHONMALLOC="debug")
    run(program, PYTHONMALLOC="malloc")


def run(program: str, **environment: str) -> str:
    """Run a program in another process and give its output."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


HEAD = """
import serow, time
rows = [(i, f"text {i}", i / 4, None if i % 3 else i) for i in range(20_000)]
"""


def test_decoding_is_compiled_once_that_pays(wire: str) -> None:
    few = f"""
codec = serow.Codec.infer(rows, wire={wire!r})
codec.decode(codec.encode(rows[:10]))
time.sleep(0.1)
print(codec.tiers["decode"])
"""
    # The time spent on rows counts. It goes on while a busy machine runs other programs.
    assert any(run(HEAD + few, SEROW_TIER="auto") == "interpreter" for _ in range(5))
    by_codec = f"""
codec = serow.Codec.infer(rows, wire={wire!r})
data = codec.encode(rows)
end = time.monotonic() + 60
while codec.tiers["decode"] != "jit" and time.monotonic() < end:
    assert codec.decode(data) == rows
assert codec.decode(data) == rows
print(codec.tiers["decode"])
"""
    assert run(HEAD + by_codec, SEROW_TIER="auto") == "jit"
    # A codec shares the code that `loads` compiled for the same schema.
    by_loads = f"""
data = serow.dumps(rows, wire={wire!r})
codec = serow.Codec.infer(rows, wire={wire!r})
end = time.monotonic() + 60
while codec.tiers["decode"] != "jit" and time.monotonic() < end:
    assert serow.loads(data) == rows
assert serow.loads(data) == rows
print(codec.tiers["decode"])
"""
    assert run(HEAD + by_loads, SEROW_TIER="auto") == "jit"


def test_a_tier_for_all_of_a_process(wire: str) -> None:
    program = f"""
codec = serow.Codec.infer(rows, wire={wire!r})
assert codec.decode(codec.encode(rows)) == rows
assert serow.loads(serow.dumps(rows, wire={wire!r})) == rows
print(codec.tiers["decode"])
"""
    for tier in ("jit", "interpreter"):
        assert run(HEAD + program, SEROW_TIER=tier) == tier


def test_compiling_while_others_decode(wire: str) -> None:
    codec = serow.Codec(SCHEMA, wire=wire)
    rows = [usual(i) for i in range(400)]
    data = codec.encode(rows)
    wrong = []

    def decode() -> None:
        for _ in range(60):
            if codec.decode(data) != rows:
                wrong.append(codec.tiers)

    threads = [threading.Thread(target=decode) for _ in range(3)]
    threads += [threading.Thread(target=codec.compile, args=("decode",)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (wrong, codec.tiers["decode"]) == ([], "jit")


def test_directions(wire: str) -> None:
    codec = _native.codec_alone("(i64, str)", wire=wire)
    codec.compile("encode")
    others = {"encode_one": "interpreter", "decode_one": "interpreter"}
    if wire == "row":
        others["encode_one"] = "jit"
    assert codec.tiers == {"encode": "jit", "decode": "interpreter", **others}
    codec.compile()
    if wire == "row":
        others["decode_one"] = "jit"
    assert codec.tiers == {"encode": "jit", "decode": "jit", **others}
    codec.compile("encode_one")
    codec.compile("decode_one")
    assert set(codec.tiers.values()) == {"jit"}
    for text in (codec.compile, codec.ir, codec.asm):
        with pytest.raises(ValueError, match="must be 'encode', 'decode', 'encode_one' or"):
            text("both")  # type: ignore[operator]
    for direction in ("encode", "decode", "encode_one", "decode_one"):
        ir, asm = codec.ir(direction), codec.asm(direction)  # type: ignore[arg-type]
        assert ir is not None
        assert asm is not None
        assert "define i64 @serow(" in ir
        assert "\nserow:\n" in asm
        assert "ret" in asm


@given(st.data())
@settings(max_examples=20)
def test_both_wires_are_decoded_by_either_codec(wire: str, draw: st.DataObject) -> None:
    rows = Table(draw.draw(seeds)).rows(most=100)
    schema = serow.Schema.infer(rows)
    pair = codecs(schema, wire)
    other = serow.Codec(schema, wire="row" if wire == "frame" else "frame")
    assert same(pair, other.encode(rows)) == [rowtext.canonical(row) for row in rows]
