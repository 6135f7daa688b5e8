"""Arrays of NumPy's times in rows: lists of dates, timestamps and durations to other readers."""

import io
import pickle
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, timezone
from typing import Any

import numpy as np
import pytest
import serow
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_np
from numpy.typing import NDArray
from serow import _native
from serow._foreign import copying

DAYS = (-719_162, 2_932_896)
MOMENTS = (-62_135_596_800_000_000, 253_402_300_799_999_999)
SPANS = (-(2**63) + 1, 2**63 - 1)
#: Each type that is read as memory: the type of the arrays that its lists become, and its first and
#: last count.
READ = {
    "M8[D]": ("M8[D]", DAYS),
    "M8[7D]": ("M8[D]", (-102_737, 418_985)),
    "M8[h]": ("M8[us]", (-17_259_888, 70_389_527)),
    "M8[15m]": ("M8[us]", (-69_039_552, 281_558_111)),
    "M8[m]": ("M8[us]", (-1_035_593_280, 4_223_371_679)),
    "M8[s]": ("M8[us]", (-62_135_596_800, 253_402_300_799)),
    "M8[ms]": ("M8[us]", (-62_135_596_800_000, 253_402_300_799_999)),
    "M8[us]": ("M8[us]", MOMENTS),
    "M8[ns]": ("M8[us]", (-(2**63) // 1000 * 1000 + 1000, 2**63 // 1000 * 1000)),
    "m8[W]": ("m8[us]", (-15_250_284, 15_250_284)),
    "m8[D]": ("m8[us]", (-106_751_991, 106_751_991)),
    "m8[25s]": ("m8[us]", (-368_934_881_474, 368_934_881_474)),
    "m8[us]": ("m8[us]", SPANS),
    "m8[ns]": ("m8[us]", (-(2**63) // 1000 * 1000 + 1000, 2**63 // 1000 * 1000)),
}
#: Units that are no plain ones, and another byte order than the machine's.
FOREIGN = ["M8[W]", "M8[M]", "M8[Y]", "m8[Y]", "m8[M]", "M8[ps]", "m8[as]", ">M8[us]", ">m8[D]"]


def listed(times: Any) -> Any:
    """Give the scalars of an array, in lists."""
    return [listed(line) for line in times] if isinstance(times, np.ndarray) else times


def outcome(rows: list[Any], **options: Any) -> Any:
    """Give what rows decode to, or the error of encoding them."""
    try:
        return serow.loads(serow.dumps(rows, **options))
    except serow.EncodeError as error:
        return str(error)


def kept(made: Any, given: Any) -> bool:
    """Whether an array has the same times as another one, in the unit that lists become."""
    dtype = np.dtype(READ[given.dtype.str.strip("<")][0])
    return type(made) is np.ndarray and made.dtype == dtype and (made == given).all()


@pytest.mark.parametrize("kind", READ)
def test_arrays_come_back_as_lists_or_arrays(kind: str, wire: Any, access: str) -> None:
    counts = np.array([*READ[kind][1], 0, 1000, -1000, 17_000], "i8")
    times = counts.view(kind)
    wide = np.concatenate([times] * 60)
    unaligned = np.frombuffer(b"\0" + times.tobytes(), np.dtype((kind, len(times))), 1, 1)[0]
    shapes = [times, times[::-1], times[::2], wide[1::7], wide, unaligned, times[:0]]
    shapes.append(np.array([times, times]).T[3])
    rows = [(at, of, [of, of], {"a": of}) for at, of in enumerate(shapes)]
    plain = [(at, listed(of), [listed(of)] * 2, {"a": listed(of)}) for at, of, _, _ in rows]
    message = serow.dumps(rows, wire=wire)
    assert message == serow.dumps(plain, wire=wire)
    assert serow.Schema.infer(rows) == serow.Schema.infer(plain)
    for (_, one, two, three), of in zip(serow.loads(message, arrays="numpy"), shapes, strict=True):
        assert kept(one, of)
        assert all(kept(it, of) for it in two)
        assert kept(three["a"], of)
        assert one.flags.owndata
        assert one.flags.writeable
    codec = serow.Codec.infer(plain, wire=wire)
    for row, plain_row in zip(rows, plain, strict=True):
        assert codec.encode_one(row) == codec.encode_one(plain_row)


@pytest.mark.parametrize("kind", READ)
@pytest.mark.parametrize("beyond", ["before", "after", "none"])
def test_a_time_that_is_no_plain_one_is_as_in_a_list(
    kind: str, beyond: str, wire: Any, access: str
) -> None:
    first, last = READ[kind][1]
    count = {"before": first - 1, "after": last + 1, "none": -(2**63)}[beyond]
    if not -(2**63) <= count < 2**63:
        pytest.skip("the unit has no such count")
    times = np.array([0, count, 0], "i8").view(kind)
    for rows in ([(times, 1)], [(times[:1], 1)] * 100 + [(times, 1)], [(times.reshape(3, 1), 1)]):
        plain = [(listed(of), 1) for of, _ in rows]
        expected = outcome(plain, wire=wire)
        assert outcome(rows, wire=wire) == expected
        if beyond == "none" and not isinstance(expected, str):
            assert serow.dumps(rows, wire=wire) == serow.dumps(plain, wire=wire)
            assert serow.loads(serow.dumps(rows, wire=wire), arrays="numpy")[-1] == expected[-1]


@pytest.mark.once
@pytest.mark.parametrize("kind", FOREIGN)
def test_other_units_are_as_in_lists(kind: str) -> None:
    times = np.array([0, 10**12, 0], "i8").view(f"<{kind}" if kind[0] != ">" else kind)
    for rows in ([times], [times[:1]] * 2, [times[:0]], [times.reshape(1, 3)]):
        assert outcome(rows) == outcome([listed(of) for of in rows])


@pytest.mark.once
def test_empty_arrays_are_empty_lists() -> None:
    for kind in [*READ, *FOREIGN]:
        empty = np.zeros(0, kind)
        assert str(serow.Schema.infer([empty, np.array([1])])) == "[i64]"
        assert serow.loads(serow.dumps([empty, empty]), arrays="numpy") == [[], []]
        codec = serow.Codec("[timestamp]")
        assert codec.decode(codec.encode([empty])) == [[]]


class Subclass(np.ndarray):
    """Arrays that serow refuses."""


@pytest.mark.once
def test_arrays_of_subclasses_are_refused() -> None:
    with pytest.raises(serow.EncodeError, match="row 0: cannot encode Subclass"):
        serow.dumps([np.zeros(2, "M8[D]").view(Subclass)])


@pytest.mark.once
def test_no_row_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    if _native.object_access() != "direct":
        pytest.skip("arrays are read by direct access only")

    def refused(*_: Any) -> Any:
        raise AssertionError("a row was copied")

    monkeypatch.setattr(copying._Copy, "of_row", refused)
    rows = [(np.zeros((2, 1), "M8[D]"), np.ones(2, "m8[s]"), np.zeros(1, "M8[ns]"))] * 100
    plain = ([[date(1970, 1, 1)]] * 2, [timedelta(seconds=1)] * 2, [datetime(1970, 1, 1)])
    assert serow.loads(serow.dumps(rows)) == [plain] * 100


@pytest.mark.once
def test_an_array_beyond_the_limit_is_not_copied() -> None:
    many = np.broadcast_to(np.datetime64(1, "D"), 2**40)
    for encode in (serow.dumps, serow.Codec("[date]").encode):
        with pytest.raises(serow.LimitError, match="more than 268,435,456 elements"):
            encode([many])


@pytest.mark.once
def test_arrays_beside_lists_and_other_values() -> None:
    days = np.array([1, 2], "M8[D]")
    plain = days.tolist()
    rows = [(days, None), (plain, days), (days, "x"), (np.ones(2), None), (days.astype("M8[s]"), 1)]
    (expected, _), *_ = serow.loads(serow.dumps(rows))
    assert expected == plain
    assert outcome(rows) == outcome([(listed(of), listed(other)) for of, other in rows])
    union = serow.Codec("str|[date]?")
    assert union.decode(union.encode([days, "a", None])) == [plain, "a", None]
    optional = serow.Codec("[date?]", arrays="numpy")
    assert optional.decode(optional.encode([days])) == [plain]
    with pytest.raises(serow.EncodeError):
        serow.Codec("[timestamp]").encode([days])


@pytest.mark.once
def test_an_array_as_the_rows() -> None:
    for kind in ("M8[D]", "M8[us]", "M8[ns]", "m8[us]", "m8[ns]"):
        times = np.array([0, 5000, -(2**63)], "i8").view(kind)
        assert serow.loads(serow.dumps(times)) == serow.loads(serow.dumps(list(times)))


@dataclass
class Sample:
    """Arrays of times beside lists."""

    moments: NDArray[np.datetime64]
    spans: NDArray[np.timedelta64] | None
    days: list[date]
    nested: dict[str, list[NDArray[np.datetime64]]]


SAMPLE = Sample(
    np.array(["2024-02-29T12:30", "1969-12-31"], "M8[us]"),
    np.array([-7, 2**60], "m8[us]"),
    [date(2024, 2, 29)],
    {"x": [np.array([1, 2], "M8[us]")]},
)


def same(one: Sample, other: Sample) -> bool:
    """Whether two samples have arrays of equal types and equal elements."""
    return repr(one) == repr(other)


def test_fields_that_are_arrays(wire: Any, access: str) -> None:
    none = replace(SAMPLE, spans=None, nested={})
    codec = serow.Codec(serow.Schema.of(Sample), wire=wire)
    assert str(codec.schema) == (
        "Sample{moments: [timestamp], spans: [duration]?, days: [date], "
        "nested: {str: [[timestamp]]}}"
    )
    for back in (
        codec.decode(codec.encode([SAMPLE, none])),
        [codec.decode_one(codec.encode_one(sample)) for sample in (SAMPLE, none)],
        serow.loads(serow.dumps([SAMPLE, none], wire=wire), type=Sample),
        pickle.loads(pickle.dumps(codec)).decode(codec.encode([SAMPLE, none])),
    ):
        assert same(back[0], SAMPLE)
        assert same(back[1], none)
    coarse = replace(SAMPLE, moments=SAMPLE.moments.astype("M8[s]"))
    assert same(codec.decode(codec.encode([coarse]))[0], SAMPLE)


def test_streams_and_arrow_give_arrays(access: str) -> None:
    file = io.BytesIO()
    with serow.Writer(file) as writer:
        writer.write_rows([SAMPLE] * 3)
    file.seek(0)
    assert all(same(sample, SAMPLE) for sample in serow.Reader(file, type=Sample))
    file.seek(0)
    days = np.array(SAMPLE.days, "M8[D]")
    assert all(kept(row.days, days) for row in serow.Reader(file, arrays="numpy"))
    assert kept(serow.view(file, arrays="numpy")[2].spans, SAMPLE.spans)
    spans = np.arange(5000).astype("m8[ms]")
    rows = [(1, days, SAMPLE.moments, spans), (2, days[:0], SAMPLE.moments[:1], spans)]
    for back, row in zip(serow.from_arrow(serow.to_arrow(rows), arrays="numpy"), rows, strict=True):
        assert all(
            made.dtype.kind == of.dtype.kind and (made == of).all()
            for made, of in zip(back[1:], row[1:], strict=True)
        )
    (back,) = serow.from_arrow(serow.to_arrow([SAMPLE]), Sample)
    assert same(back, SAMPLE)


@dataclass
class Moments:
    """A list of timestamps as an array."""

    x: NDArray[np.datetime64]


def test_rows_of_another_schema_become_arrays(wire: Any) -> None:
    moment = datetime(2024, 2, 29, 12)
    for schema, rows in [
        ('{"x": [timestamp|timestamptz]}', [{"x": [moment, moment]}]),
        ('{"x": [timestamp, timestamp]}', [{"x": [moment, moment]}]),
        ('{"x": [timestamp], "y": i64}', [{"x": [moment, moment], "y": 1}]),
    ]:
        message = serow.Codec(schema, wire=wire).encode(rows)
        (back,) = serow.loads(message, type=Moments)
        assert kept(back.x, np.array([moment, moment], "M8[us]"))
    (back,) = serow.loads(serow.dumps([{"x": []}], wire=wire), type=Moments)
    assert kept(back.x, np.zeros(0, "M8[us]"))
    with pytest.raises(serow.SchemaError, match="field x"):
        serow.loads(serow.dumps([{"x": [date(2024, 2, 29)]}], wire=wire), type=Moments)


def test_other_times_stay_lists(wire: Any) -> None:
    aware = datetime(2024, 2, 29, tzinfo=timezone.utc)
    rows = [([time(12)], [aware], [None, date(2024, 2, 29)])]
    assert serow.loads(serow.dumps(rows, wire=wire), arrays="numpy") == rows


def decode(schema: str, *components: tuple[int, int], **options: Any) -> Any:
    """Decode a record with a list of these components to an array."""
    pairs = serow.Codec("[(i64, i64)]", fingerprint=False)
    codec = serow.Codec(schema, fingerprint=False, arrays="numpy", **options)
    return codec.decode_one(pairs.encode_one(list(components)))


MANY = [(5, 0)] * 100


@pytest.mark.parametrize(
    ("schema", "bad", "text"),
    [
        ("[timestamp]", (7, 1), r"no fold.*times='portable'"),
        ("[timestamp]", (7, 4), r"2 more nanoseconds; times='portable' drops them"),
        ("[timestamp]", (MOMENTS[1] + 1, 0), r"years are 1 to 9999.* 253402300800000000 micro"),
        ("[timestamp]", (MOMENTS[0] - 1, 0), "years are 1 to 9999"),
        ("[timestamp]", (-(2**63), 0), "years are 1 to 9999"),
        ("[timestamp]", (7, 2048), "years are 1 to 9999"),
        ("[timestamp]", (7, 2001), "more than 999 nanoseconds"),
        ("[duration]", (7, 1), r"1 nanoseconds; times='portable'"),
        ("[duration]", (10**9 * 86_400, 0), "at most 999999999 days"),
        ("[duration]", (2**63 // 10**6 + 1, 0), r"timedelta64\[us\] has 64 bits"),
        ("[duration]", (-(2**63) // 10**6, 224_192_000), r"timedelta64\[us\] has 64 bits"),
        ("[duration]", (7, 10**9), "more nanoseconds than a second"),
        ("[duration]", (7, -1), "more nanoseconds than a second"),
    ],
)
def test_a_time_that_an_array_lacks_is_an_error(
    schema: str, bad: tuple[int, int], text: str
) -> None:
    for components in ([bad], [*MANY, bad], [*MANY, bad, *MANY]):
        with pytest.raises(serow.DecodeError, match=text):
            decode(schema, *components)


@pytest.mark.once
def test_a_date_that_an_array_lacks_is_an_error() -> None:
    days = serow.Codec("[i64]", fingerprint=False)
    codec = serow.Codec("[date]", fingerprint=False, arrays="numpy")
    for day in (DAYS[0] - 1, DAYS[1] + 1, -(2**63)):
        with pytest.raises(serow.DecodeError, match=f"years are 1 to 9999.* {day} days"):
            codec.decode_one(days.encode_one([0] * 100 + [day]))
    assert kept(codec.decode_one(days.encode_one(list(DAYS))), np.array(DAYS, "M8[D]"))


@pytest.mark.once
def test_portable_times_drop_what_arrays_lack() -> None:
    made = decode("[timestamp]", *MANY, (7, 1), (8, 1999), times="portable")
    assert made[-2:].view("i8").tolist() == [7, 8]
    made = decode("[duration]", (7, 1_999), times="portable")
    assert made.view("i8").tolist() == [7_000_001]
    moment = datetime(2024, 10, 27, 2, 30, fold=1)
    message = serow.dumps([[moment]], times="portable")
    assert serow.loads(message, arrays="numpy")[0].tolist() == [moment]


def arrays(kinds: list[str]) -> Any:
    """Give a strategy for arrays of times, most of which have plain values."""
    near = st.integers(-(10**4), 10**4)
    count = st.one_of(near, near.map(lambda v: v * 1000), st.integers(-(2**63), 2**63 - 1))
    shapes = st_np.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4)
    return st.tuples(st.sampled_from(kinds), shapes, st.booleans()).flatmap(
        lambda of: st_np.arrays("i8", of[1], elements=near if of[2] else count).map(
            lambda counts: counts.view(of[0])
        )
    )


@pytest.mark.tiers
@given(
    st.lists(st.tuples(arrays([*READ, *FOREIGN]), st.randoms()), max_size=4),
    st.sampled_from(["frame", "row"]),
    st.booleans(),
)
def test_any_arrays_are_as_lists(pairs: list[Any], wire: Any, is_one_type: bool) -> None:
    views = []
    for of, chance in pairs:
        steps = tuple(slice(None, None, chance.choice([-2, -1, 1, 2])) for _ in of.shape)
        views.append(of[steps].transpose(chance.sample(range(of.ndim), of.ndim)))
    if is_one_type:
        views = [of for of in views if of.dtype == views[0].dtype and of.ndim == views[0].ndim]
    rows, plain = list(enumerate(views)), [(at, listed(of)) for at, of in enumerate(views)]
    assert outcome(rows, wire=wire) == outcome(plain, wire=wire)


@pytest.mark.tiers
@given(st.lists(arrays([*READ]), min_size=1, max_size=4), st.sampled_from(["frame", "row"]))
def test_any_arrays_come_back(given: list[Any], wire: Any) -> None:
    given = [of.reshape(-1) for of in given if of.size and of.dtype == given[0].dtype]
    rows = list(enumerate(given))
    first, last = READ[given[0].dtype.str.strip("<")][1] if given else (0, 0)
    counts = [int(count) for of in given for count in of.view("i8")]
    if isinstance(outcome(rows), str) or not all(first <= count <= last for count in counts):
        return
    made = serow.loads(serow.dumps(rows, wire=wire), arrays="numpy")
    assert all(kept(of, was) for (_, of), was in zip(made, given, strict=True))
