"""Rows and messages at the limits, and messages made to cost far more than their size."""

from __future__ import annotations

import codecs
import gc
import io
import subprocess
import sys
from typing import Any

import pytest
import serow
import wire_format
from wire_format import FRAME, ROW, RawFrame

pytestmark = pytest.mark.tiers

WIRES = ("frame", "row")


def nested(wrap: Any, leaf: Any, depth: int) -> Any:
    value = leaf
    for _ in range(depth):
        value = wrap(value)
    return value


@pytest.mark.parametrize("wrap", [lambda v: [1, v], lambda v: (v, 1), lambda v: [(v, "x"), 0.5]])
def test_nesting_costs_inference_its_depth_and_no_more(wrap: Any) -> None:
    row = nested(wrap, "x", 30)
    assert serow.loads(serow.dumps([row])) == [row]


def test_tuples_of_several_lengths_nest_as_deep_as_anything() -> None:
    rows: list[Any] = [1, "x"]
    for _ in range(30):
        rows = [(rows[0], 1), (rows[1], 1, "a")]
    assert serow.loads(serow.dumps(rows)) == rows


@pytest.mark.parametrize("wire", WIRES)
def test_a_row_is_refused_for_what_it_holds_and_not_for_those_before_it(wire: Any) -> None:
    largest = ([None] * 3_145_728,)
    before = ([None] * 1_000_000,)
    for rows in ([largest], [before, largest], [before, before, largest, largest]):
        assert serow.loads(serow.dumps(rows, wire=wire)) == rows
    for rows in ([([None] * 3_145_729,)], [before, ([None] * 3_145_729,)]):
        with pytest.raises(serow.LimitError, match="millions of nulls"):
            serow.dumps(rows, wire=wire)


@pytest.mark.once
def test_columns_that_are_there_in_one_row_each_cost_a_few_frames() -> None:
    width = 400
    rows = [tuple(i if i == j else None for j in range(width)) for i in range(width)]
    for wire, most in (("frame", 40), ("row", 40)):
        data = serow.dumps(rows, wire=wire)  # type: ignore[call-overload]
        assert serow.loads(data) == rows
        assert len(wire_format.frames(data)) < most


def test_a_frame_has_rows_in_the_row_wire_too() -> None:
    data = serow.dumps([1] * 65_536 + ["x"] + [1] * 10, wire="row")
    assert [frame.rows for frame in wire_format.frames(data)] == [65_536, 11]


def spelled(*codes: int) -> bytes:
    return bytes(code << 1 | 1 for code in codes)


def test_few_bytes_do_not_ask_for_much_memory() -> None:
    # Four million tuples of 60,000 nulls in 60 KB.
    nulls = spelled(11, 5) + spelled(9) * 60_000 + spelled(7)
    many = (4_194_304 << 4 | 1 << 3).to_bytes(4, "little")
    body = len(many).to_bytes(4, "little") + many
    # 62 nested tuples around each of two million equal integers.
    chain = spelled(11) + spelled(5) * 62 + spelled(1) + spelled(7) * 62
    constant = (2_000_000 << 3 | 1 << 2).to_bytes(4, "little")[:3]
    lengths = (4_000_000 << 4 | 1 << 3).to_bytes(4, "little")
    directory = b"\x00\x03" + bytes([4 << 1 | 1]) + b"\x00" + constant + b"\x03"
    columns = lengths + b"\x01" + directory + len(directory).to_bytes(4, "little")
    for frame in (RawFrame(ROW, 1, nulls, body), RawFrame(FRAME, 1, chain, columns)):
        with pytest.raises(serow.DecodeError, match=r"more (nulls|lists)"):
            serow.loads(wire_format.message(frame))


def test_a_buffer_that_changes_while_it_is_decoded_makes_no_difference() -> None:
    rows = ["\ud800" + "a" * 40, "b" * 40] * 50
    data = bytearray(serow.dumps(rows, wire="row"))

    def overwrite(*_: Any) -> None:
        data[-2000:] = b"\xff" * 2000

    gc.callbacks.append(overwrite)
    threshold = gc.get_threshold()
    gc.set_threshold(1)
    try:
        assert serow.loads(data) == rows
    finally:
        gc.callbacks.remove(overwrite)
        gc.set_threshold(*threshold)


def test_handlers_of_errors_are_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[Exception] = []
    usual = codecs.lookup_error("surrogatepass")
    codecs.register_error("surrogatepass", lambda e: (called.append(e), usual(e))[1])
    try:
        rows = ["\ud800", "é\udfff😀", ("\ud83d\ude00", "a")]
        for wire in WIRES:
            assert serow.loads(serow.dumps(rows, wire=wire)) == rows  # type: ignore[call-overload]
    finally:
        codecs.register_error("surrogatepass", usual)
    assert not called


def test_two_threads_may_be_the_first_to_use_it() -> None:
    program = """
import builtins, threading, time
import serow
usual = builtins.__import__
def slow(*args, **kwargs):
    time.sleep(0.02)
    return usual(*args, **kwargs)
builtins.__import__ = slow
threads = [threading.Thread(target=serow.dumps, args=([1],)) for _ in range(4)]
[t.start() for t in threads]
[t.join() for t in threads]
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def shared(levels: int, elements: list[object]) -> list[object]:
    """Give a list that contains one list twice, which contains one twice, and so on."""
    for _ in range(levels):
        elements = [elements, elements]
    return elements


@pytest.mark.once
@pytest.mark.parametrize("before", [[], [([1],)] * 100])
def test_lists_that_stand_in_a_row_many_times_end_in_an_error(
    before: list[object], wire: str
) -> None:
    with pytest.raises(serow.LimitError, match=r"row \d+: the row has more than .* elements"):
        serow.dumps([*before, (shared(40, []),)], wire=wire)


def test_a_row_that_a_codec_would_write_for_ever_ends_in_an_error(wire: str) -> None:
    codec = serow.Codec("[" * 41 + "i64" + "]" * 41, wire=wire)
    with pytest.raises(serow.LimitError, match=r"row 0, field .* elements"):
        codec.encode([shared(40, [1])])


def test_elements_of_a_decoded_row_are_counted_in_every_tier() -> None:
    # One row of 15,790,321 empty lists, each of which counts as 17 elements; and bytes, so that the
    # frame may have so many values.
    count, padding = 15_790_321, 1_500_000
    lengths = wire_format.varint(2 * padding)
    columns = [
        (1, wire_format.varint(2 * count)),
        (count, b"\x01"),
        (0, b"\x01"),
        (1, wire_format.varint(len(lengths) + 1) + b"\x00" + lengths + bytes(padding)),
    ]
    directory = b"".join(
        b"\x00" + wire_format.varint(values) + wire_format.varint(len(chunk))
        for values, chunk in columns
    )
    body = (
        b"".join(chunk for _, chunk in columns) + directory + len(directory).to_bytes(4, "little")
    )
    schema = serow.Schema.parse("([[i64]], bytes)")
    codes = b"".join(map(wire_format.varint, schema.type_list))
    message = wire_format.message(RawFrame(FRAME, 1, codes, body))
    codec = serow.Codec(schema)
    for read in (serow.loads, codec.decode):
        with pytest.raises(serow.LimitError, match=r"row 0, .* more than 268,435,456 elements"):
            read(message)
    codec.compile()
    with pytest.raises(serow.LimitError, match=r"row 0, .* more than 268,435,456 elements"):
        codec.decode(message)


def test_rows_may_take_as_much_memory_as_the_caller_says(wire: str) -> None:
    rows: list[Any] = [("equal", i % 3, [1.5] * 20, {"a": None}) for i in range(10_000)]
    message = serow.dumps(rows, wire=wire)
    codec = serow.Codec.infer(rows, wire=wire)
    for read in (serow.loads, codec.decode):
        assert read(message, max_memory=50_000_000) == rows
        with pytest.raises(serow.LimitError, match=r"frame 0, row \d+.* max_memory") as caught:
            read(message, max_memory=1_000_000)
        assert caught.value.row is not None
        assert 100 < caught.value.row < 5_000
        with pytest.raises(serow.LimitError):
            read(message, max_memory=0)
        assert read(serow.dumps([], wire=wire), max_memory=0) == []
        with pytest.raises(OverflowError):
            read(message, max_memory=-1)


@pytest.mark.parametrize(
    "row",
    [
        (1.5, 2**40, "a text", "é" * 50, [1.5] * 30, b"bytes", None),
        {"a": [2**40], "b": {1.5, 2.5}, "c": (True, False)},
        [{"key": i, "more": (i + 2**40,)} for i in range(10)],
    ],
    ids=["tuple", "dict", "list"],
)
def test_memory_is_counted_about_as_python_does(row: Any) -> None:
    def size(value: Any) -> int:
        inside: Any = ()
        if isinstance(value, dict):
            inside = value.values()
        elif isinstance(value, list | tuple | set):
            inside = value
        own = 0 if value is None or isinstance(value, bool) else sys.getsizeof(value)
        return own + sum(map(size, inside))

    rows = [row] * 100
    message = serow.dumps(rows, wire="row")
    whole = 100 * size(row)
    assert serow.loads(message, max_memory=2 * whole) == rows
    with pytest.raises(serow.LimitError):
        serow.loads(message, max_memory=whole // 2)


def test_a_stream_holds_no_frame_that_its_rows_could_not_need() -> None:
    frame = RawFrame(ROW, 1, spelled(1), b"", body_len=10_000_000)
    claim = wire_format.HEADER + frame.to_bytes()
    most = 2 * 1_000 + 4 * (65_536 + 2**20)
    with pytest.raises(serow.LimitError, match=f"has 10000033 bytes, and .* {most} at most"):
        list(serow.Reader(io.BytesIO(claim), max_memory=1_000))
