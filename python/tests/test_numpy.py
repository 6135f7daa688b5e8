"""Values of NumPy: the plain values that they decode to, and those that are errors."""

import struct
import sys
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
import pandas as pd
import pytest
import serow
from foreign import assert_refused, check
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_np

INTS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
FLOATS = [np.float16, np.float32, np.float64]
FLOAT_EDGES = ["max", "min", "tiny", "smallest_subnormal", "eps"]


@pytest.mark.once
@pytest.mark.parametrize("kind", [*INTS, np.longlong, np.ulonglong, np.intc, np.intp])
def test_ints_at_their_edges(kind: Any, access: str) -> None:
    limits = np.iinfo(kind)
    for edge in (limits.min, -1, 0, 1, limits.max):
        if edge >= limits.min:
            check(kind(edge), int(edge))
    edges = [limits.min, 0, limits.max]
    for order in "<>":
        check(np.array(edges, np.dtype(kind).newbyteorder(order)), [int(edge) for edge in edges])


@pytest.mark.once
@pytest.mark.parametrize("kind", FLOATS)
def test_floats_at_their_edges(kind: Any, access: str) -> None:
    limits = np.finfo(kind)
    edges = [float(getattr(limits, edge)) for edge in FLOAT_EDGES]
    for edge in [*edges, 0.0, -0.0, float("inf"), -float("inf"), float("nan"), -float("nan")]:
        check(kind(edge), edge)
        for order in "<>":
            check(np.array([edge], np.dtype(kind).newbyteorder(order)), [edge])


def test_the_bits_of_a_nan_are_kept() -> None:
    bits = np.array([0x7FF0_0000_0000_0001, 0xFFF8_0000_0000_0002], np.uint64).view(np.float64)
    for rows in (bits, list(bits)):
        back = serow.loads(serow.dumps(rows))
        assert [struct.pack("<d", value) for value in back] == [
            bits[:1].tobytes(),
            bits[1:].tobytes(),
        ]


@pytest.mark.parametrize("kind", [np.complex64, np.complex128, np.clongdouble])
def test_complex_numbers(kind: Any) -> None:
    for plain in (1.5 - 0.25j, complex(-0.0, 0.0), complex("inf"), complex(float("nan"), -0.0)):
        check(kind(plain), plain)
        check(np.array([[plain]], kind), [[plain]])


def test_long_doubles_that_are_floats() -> None:
    for plain in (0.5, -0.0, float("inf"), float("nan"), 5e-324, sys.float_info.max):
        check(np.longdouble(plain), plain)
        check(np.array([plain], np.longdouble), [plain])


@pytest.mark.parametrize("text", ["", "羚羊", "a\0", "\0", "\ud800", "\U0001f600" * 50])
def test_texts_and_bytes(text: str, access: str) -> None:
    check(np.str_(text), text)
    check(np.array([text], object), [text])
    coded = text.encode("utf-8", "surrogatepass")
    check(np.bytes_(coded), coded)
    if not text.endswith("\0"):
        check(np.array([text, "a"]), [text, "a"])
        check(np.array([coded, b"a"]), [coded, b"a"])


def test_strings_of_any_length() -> None:
    check(np.array([["a", "b\0"]], np.dtypes.StringDType()), [["a", "b\0"]])


MICROSECOND = timedelta(microseconds=1)
EPOCH = datetime(1970, 1, 1)


@pytest.mark.parametrize("unit", ["h", "m", "s", "ms", "us", "ns", "ps", "25s", "1000ns"])
def test_moments_of_all_units(unit: str) -> None:
    for plain in (EPOCH, EPOCH - timedelta(hours=25), EPOCH + timedelta(hours=50)):
        moment = np.datetime64(plain).astype(f"M8[{unit}]")
        check(moment, plain)
        check(np.array([moment, "NaT"], f">M8[{unit}]"), [plain, None])
    length = np.timedelta64(-90, "m").astype(f"m8[{unit}]")
    if unit != "h":
        check(length, timedelta(minutes=-90))
    check(np.array([["NaT", 0]], f"m8[{unit}]"), [[None, timedelta(0)]])


def test_attoseconds() -> None:
    check(np.timedelta64(-(10**12), "as"), -MICROSECOND)
    check(np.datetime64(10**12, "as"), EPOCH + MICROSECOND)


def test_arrays_of_all_shapes(access: str) -> None:
    numbers = np.arange(24)
    for shape in [(24,), (2, 12), (2, 3, 4), (1, 24, 1), (2, 2, 2, 3)]:
        shaped = numbers.reshape(shape)
        check(shaped, shaped.tolist())
        check(shaped.T, shaped.T.tolist())
        check(np.asfortranarray(shaped)[::-1], shaped[::-1].tolist())
        moments = shaped.astype("M8[s]")
        check(moments[::-1], moments[::-1].tolist())
        objects = shaped.astype(object)
        check(objects, shaped.tolist())
    for shape, plain in [((0,), []), ((0, 3), []), ((3, 0), [[], [], []])]:
        for kind in ("M8[ns]", object, "U", "f2", "i4,i4"):
            check(np.empty(shape, kind), plain)
    for scalar in (5, 2.5, "a", b"a", True, None, 1j):
        check(np.array(scalar), scalar)
    check(np.array(np.datetime64("2024-02-29", "D")), date(2024, 2, 29))
    check(np.broadcast_to(np.int8(7), (2, 2)), [[7, 7], [7, 7]])


def test_arrays_of_objects() -> None:
    inner: Any = {"a": np.float32(0.5), "b": (pd.NaT, np.arange(2))}
    plain = {"a": 0.5, "b": (None, [0, 1])}
    objects = np.empty((2, 2), object)
    objects[:] = [[inner, 1], [[np.bool_(True)], None]]
    check(objects, [[plain, 1], [[True], None]])
    alone = np.array(None, object)
    alone[()] = [inner]
    check(alone, [plain])


def test_an_array_may_have_as_many_dimensions_as_rows_nest() -> None:
    deepest = np.ones((1,) * 64, "i1")
    assert serow.loads(serow.dumps([deepest])) == [deepest.tolist()]
    assert serow.loads(serow.dumps([[deepest]])) == [[deepest.tolist()]]
    texts = np.full((1,) * 64, "a")
    assert serow.loads(serow.dumps([texts])) == [texts.tolist()]
    with pytest.raises(serow.LimitError, match="64 deep"):
        serow.dumps([[texts]])


def test_items_of_arrays_are_named() -> None:
    moments = np.array([["2024-02-29", "2024-02-29T00:00:00.000000001"]], "M8[ns]")
    with pytest.raises(
        serow.EncodeError, match=r"^row 1, field 0\.0\.1.*value\.astype\('M8\[us\]'\)"
    ):
        serow.dumps([1, (moments,)])
    with pytest.raises(serow.EncodeError, match=r"^row 0, field 1: .*use value.item\(\)"):
        serow.dumps([np.array([1, np.void(b"a")], object)])


REFUSED = [
    (np.longdouble(1) / 3, "use float(value)"),
    (np.longdouble("1e4000"), "use float(value)"),
    (np.clongdouble(1j) / 3, "use float(value)"),
    (np.datetime64("2024"), "its unit is Y, so it is not a single day; use value.astype('M8[D]')"),
    (np.datetime64("2024-02"), "its unit is M, so it is not a single day"),
    (np.datetime64("2024-02-29", "W"), "its unit is W, so it is not a single day"),
    (np.datetime64(1, "ns"), "use value.astype('M8[us]')"),
    (np.datetime64(-(2**62), "ps"), "use value.astype('M8[us]')"),
    (np.datetime64(1, "as"), "its unit is as, and it is not a whole number of microseconds"),
    (np.datetime64("10000-01-01"), "years from 1 to 9999"),
    (np.datetime64("0000-12-31"), "years from 1 to 9999"),
    (np.datetime64(2**63 - 1, "s"), "years from 1 to 9999"),
    (np.datetime64(-(2**63) + 1, "D"), "years from 1 to 9999"),
    (np.timedelta64(1, "Y"), "its unit is Y, which has no fixed length; use days"),
    (np.timedelta64(1, "M"), "its unit is M, which has no fixed length"),
    (np.timedelta64(1), "it has no unit"),
    (np.timedelta64(-1, "ns"), "use value.astype('m8[us]')"),
    (np.timedelta64(2**62, "s"), "exceeds the range of timedelta"),
    (np.timedelta64(10**9, "D"), "exceeds the range of timedelta"),
    (np.void(b"ab"), "use value.item()"),
    (np.ma.array([1, 2]), "filled() of a masked array"),
    (np.ma.masked, "filled() of a masked array"),
    (np.ones((1, 1)).view(np.matrix), "use numpy.asarray(value)"),
    (np.dtype("i4"), "serow knows no plain value for its class"),
    (np.sin, "serow knows no plain value for its class"),
]


@pytest.mark.once
@pytest.mark.parametrize(("value", "advice"), REFUSED, ids=lambda v: type(v).__name__)
def test_inexact_values_are_an_error(value: Any, advice: str, wire: str, access: str) -> None:
    assert_refused(value, advice, wire)


KINDS = {"M": "datetime64", "m": "timedelta64"}
UNITS = ["W", "D", "7D", "h", "15m", "s", "ms", "us", "3us", "ns", "ps", "as", "M", "Y"]
TIMES = st.tuples(st.sampled_from("Mm"), st.sampled_from(UNITS), st.booleans()).flatmap(
    lambda of: st_np.arrays(
        f"{'>' if of[2] else '<'}{of[0]}8[{of[1]}]",
        st_np.array_shapes(max_dims=2, max_side=3),
        elements=st.one_of(
            st.just("NaT"),
            st.integers(-(2**63) + 1, 2**63 - 1),
            st.integers(-5000, 5000),
            st.integers(-(10**6), 10**6).map(lambda number: number * 10**6),
        ).map(lambda number: getattr(np, KINDS[of[0]])(number, of[1])),
    )
)


@given(TIMES)
def test_arrays_of_times_are_lists_of_their_elements(times: Any) -> None:
    def outcome(rows: Any) -> Any:
        try:
            return serow.loads(serow.dumps(rows))
        except serow.EncodeError as error:
            return str(error)

    listed = [list(line) for line in times] if times.ndim > 1 else list(times)
    assert repr(outcome([(times,)])) == repr(outcome([(listed,)]))
