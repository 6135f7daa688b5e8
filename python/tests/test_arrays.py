"""Arrays of numbers of one dimension, which are lists to a reader that does not ask for arrays."""

import array
import io
import pickle
import subprocess
import sys
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
import serow
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_np
from numpy.typing import NDArray

READ = [
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "float32",
    "float64",
]
#: Those whose arrays are lists in a message, because a list keeps their type.
LISTS = ["bool", "int64", "float64"]
#: Arrays that are foreign values like any other.
FOREIGN = ["longdouble", "U3", "S2"]


def kept(made: Any, given: Any) -> bool:
    """Whether an array has the type and the bits of what was given."""
    return (
        type(made) is np.ndarray
        and made.dtype == given.dtype
        and made.shape == given.shape
        and made.tobytes() == given.tobytes()
    )


@pytest.mark.parametrize("kind", READ)
def test_arrays_come_back_as_lists_or_arrays(kind: str, wire: Any, access: str) -> None:
    numbers = np.array([0, 1, 1, 0, 1, 1, 1, 0, 1], kind)
    if kind != "bool":
        limits = np.finfo(kind) if kind.startswith("f") else np.iinfo(kind)
        numbers[:2] = limits.min, limits.max
    wide = np.concatenate([numbers] * 40)
    unaligned = np.frombuffer(b"\0" + numbers.tobytes(), np.dtype((kind, len(numbers))), 1, 1)[0]
    shapes = [numbers, numbers[::-1], numbers[::2], numbers[:0], wide[1::7], wide, unaligned]
    shapes.append(np.array([numbers, numbers]).T[3])
    rows = [(at, of, [of, of], {"a": of}) for at, of in enumerate(shapes)]
    message = serow.dumps(rows, wire=wire)
    plain = [(at, of.tolist(), [of.tolist()] * 2, {"a": of.tolist()}) for at, of, _, _ in rows]
    assert repr(serow.loads(message)) == repr(plain)
    if kind in LISTS:
        assert serow.Schema.infer(rows) == serow.Schema.infer(plain)
    made = serow.loads(message, arrays="numpy")
    for (_, one, two, three), of in zip(made, shapes, strict=True):
        assert kept(one, of)
        assert all(kept(it, of) for it in two)
        assert kept(three["a"], of)
    codec = serow.Codec.infer(plain, wire=wire)
    assert codec.encode(rows) == codec.encode(plain)
    for row, plain_row in zip(rows, plain, strict=True):
        assert codec.encode_one(row) == codec.encode_one(plain_row)


@pytest.mark.parametrize("kind", FOREIGN)
def test_other_arrays_are_lists(kind: str) -> None:
    numbers = np.array([0, 1, 2], kind)
    (back,) = serow.loads(serow.dumps([numbers]), arrays="numpy")
    expected = serow.loads(serow.dumps([list(numbers)]))
    plain = back.tolist() if isinstance(back, np.ndarray) else back
    assert [plain] == expected


@pytest.mark.once
@pytest.mark.parametrize("code", "bBhHiIlLqQfd")
def test_arrays_of_the_module_array(code: str, access: str) -> None:
    numbers = array.array(code, [0, 1, 100])
    assert repr(serow.loads(serow.dumps([numbers, numbers]))) == repr([numbers.tolist()] * 2)
    assert serow.Schema.infer([numbers]) == serow.Schema.infer([numbers.tolist()])


@pytest.mark.once
def test_empty_arrays_are_empty_lists() -> None:
    assert str(serow.Schema.infer([np.zeros(0), array.array("h", [1])])) == "[i64]"
    assert str(serow.Schema.infer([np.zeros(0), [None]])) == "[null]"
    assert str(serow.Schema.infer([np.zeros(0), np.zeros(0, bool), []])) == "[never]"
    for kind in LISTS:
        message = serow.dumps([np.zeros(0, kind), []])
        assert serow.loads(message) == [[], []]
        assert all(kept(it, np.zeros(0, kind)) for it in serow.loads(message, arrays="numpy"))


@pytest.mark.once
def test_arrays_beside_lists_and_other_values() -> None:
    ones = np.ones(3)
    rows = [(ones, None), ([1.0], ones), (ones, "text"), (np.arange(2), None), ({1: ones}, 5)]
    plain = [([1.0] * 3, None), ([1.0], [1.0] * 3), ([1.0] * 3, "text"), ([0, 1], None)]
    assert repr(serow.loads(serow.dumps(rows))) == repr([*plain, ({1: [1.0] * 3}, 5)])
    union = serow.Codec("str|[f64]?")
    assert union.decode(union.encode([ones, "a", None])) == [[1.0] * 3, "a", None]


@pytest.mark.once
def test_an_array_as_the_rows() -> None:
    for rows in (np.arange(5), np.zeros(0), np.array([1.5, 2.5], "f4"), array.array("b", [1])):
        assert repr(serow.loads(serow.dumps(rows))) == repr(rows.tolist())


@dataclass
class Sample:
    """Arrays of several types beside lists."""

    name: str
    floats: np.ndarray
    narrow: NDArray[np.float32]
    plain: list[float]
    ints: NDArray[np.int16] | None
    flags: dict[str, list[NDArray[np.bool_]]]


SAMPLE = Sample(
    "a",
    np.arange(3.0),
    np.array([1, 2.5], "f4"),
    [0.5],
    np.array([-7], "i2"),
    {"x": [np.array([True, False])]},
)


def same(one: Sample, other: Sample) -> bool:
    """Whether two samples have arrays of equal types and equal elements."""
    return repr(one) == repr(other)


def test_fields_that_are_arrays(wire: Any, access: str) -> None:
    none = replace(SAMPLE, ints=None, flags={})
    codec = serow.Codec(serow.Schema.of(Sample), wire=wire)
    assert str(codec.schema) == (
        "Sample{name: str, floats: [f64]|ndarray, narrow: [f64]|ndarray, plain: [f64], "
        "ints: ([i64]|ndarray)?, flags: {str: [[bool]|ndarray]}}"
    )
    for back in (
        codec.decode(codec.encode([SAMPLE, none])),
        [codec.decode_one(codec.encode_one(sample)) for sample in (SAMPLE, none)],
        serow.loads(serow.dumps([SAMPLE, none], wire=wire), type=Sample),
        pickle.loads(pickle.dumps(codec)).decode(codec.encode([SAMPLE, none])),
    ):
        assert same(back[0], SAMPLE)
        assert same(back[1], none)


def test_streams_and_arrow_give_arrays(access: str) -> None:
    file = io.BytesIO()
    with serow.Writer(file) as writer:
        writer.write_rows([SAMPLE] * 3)
    file.seek(0)
    assert all(same(sample, SAMPLE) for sample in serow.Reader(file, type=Sample))
    file.seek(0)
    assert all(kept(row.plain, np.array([0.5])) for row in serow.Reader(file, arrays="numpy"))
    indexed = serow.view(file, arrays="numpy")
    assert kept(indexed[2].floats, SAMPLE.floats)
    assert same(serow.view(file, type=Sample)[1], SAMPLE)
    stream = serow.to_arrow([(1, np.arange(2.0))])
    ((_, values),) = serow.from_arrow(stream, arrays="numpy")
    assert kept(values, np.arange(2.0))
    (back,) = serow.from_arrow(serow.to_arrow([SAMPLE]), Sample)
    assert same(back, SAMPLE)


@dataclass
class Floats:
    """A list of floats as an array."""

    x: NDArray[np.float64]


@dataclass
class Bytes:
    """A list of small integers as an array."""

    x: NDArray[np.int8]


@dataclass
class Ints:
    """A list of integers."""

    x: list[int]


def test_rows_of_another_schema_become_arrays(wire: Any) -> None:
    many = list(range(1000))
    message = serow.dumps([{"x": [1, 2]}, {"x": many}, {"x": []}], wire=wire)
    for ints, back in zip([[1, 2], many, []], serow.loads(message, type=Floats), strict=True):
        assert kept(back.x, np.array(ints, "f8"))
    assert serow.loads(message, type=Ints)[0] == Ints([1, 2])
    assert kept(serow.loads(message, type=Ints, arrays="numpy")[1].x, np.array(many))
    mixed = serow.dumps([{"x": [1, 2.5]}, {"x": [3]}], wire=wire)
    assert [row.x.tolist() for row in serow.loads(mixed, type=Floats)] == [[1.0, 2.5], [3.0]]
    fixed = serow.Codec('{"x": [f64, i64]}', wire=wire).encode([{"x": [1.5, 2]}])
    (back,) = serow.loads(fixed, type=Floats)
    assert kept(back.x, np.array([1.5, 2.0]))


@pytest.mark.once
@pytest.mark.parametrize(
    ("bad", "text"),
    [
        (
            replace(SAMPLE, ints=np.array([1, 70000])),
            r"field ints .*is 70000, which does not fit int16",
        ),
        (
            replace(SAMPLE, narrow=np.array([0.5, 0.1])),
            r"field narrow .* 0\.1, which does not fit float32",
        ),
    ],
)
def test_a_value_that_an_array_lacks_is_an_error(bad: Sample, text: str) -> None:
    with pytest.raises(serow.DecodeError, match=text):
        serow.loads(serow.dumps([bad]), type=Sample)


@pytest.mark.once
def test_elements_that_are_inexact_in_an_array_are_errors() -> None:
    message = serow.dumps([{"x": [1, 2**60 + 1]}])
    with pytest.raises(serow.DecodeError, match=r"field x\.1 .*2\^53"):
        serow.loads(message, type=Floats)
    mixed = serow.dumps([{"x": [1, 200]}, {"x": [2]}])
    with pytest.raises(serow.DecodeError, match="is 200, which does not fit int8"):
        serow.loads(mixed, type=Bytes)


@pytest.mark.once
def test_nan_fits_narrow_floats() -> None:
    @dataclass
    class Narrow:
        x: NDArray[np.float32]

    given = Narrow(np.array([np.nan, -0.0, np.inf], "f4"))
    (back,) = serow.loads(serow.dumps([given]), type=Narrow)
    assert back.x.tobytes() == given.x.tobytes()


@pytest.mark.once
@pytest.mark.parametrize(
    ("annotation", "text"),
    [
        (NDArray[np.longdouble], r"an array of longdouble has no type in a schema; write numpy"),
        (NDArray[np.str_], "an array of str_"),
        (
            np.ndarray[tuple[int, int], np.dtype[np.datetime64]],
            "one dimension, and this one has 2",
        ),
    ],
)
def test_annotations_without_a_type(annotation: Any, text: str) -> None:
    with pytest.raises(serow.SchemaError, match=text):
        serow.Schema.of(list[annotation])


@pytest.mark.once
def test_an_annotation_of_one_dimension() -> None:
    kind = np.ndarray[tuple[int], np.dtype[np.float64]]
    assert str(serow.Schema.of(kind)) == "[f64]"


@pytest.mark.once
def test_the_codec_says_what_it_makes() -> None:
    codec = serow.Codec("[f64]", arrays="numpy")
    assert repr(codec) == "Codec('[f64]', wire='frame', arrays='numpy')"
    assert codec.arrays == "numpy"
    assert codec != serow.Codec("[f64]")
    assert pickle.loads(pickle.dumps(codec)) == codec
    with pytest.raises(ValueError, match="arrays must be 'numpy' or None, not \"list\""):
        serow.Codec("[f64]", arrays="list")  # type: ignore[arg-type]


@pytest.mark.once
def test_an_array_that_is_shared_or_freed() -> None:
    numbers = np.arange(1000.0)
    rows = [(numbers, numbers)] * 50
    made = serow.loads(serow.dumps(rows), arrays="numpy")
    made[0][0][0] = 7
    assert made[1][0][0] == 0
    assert numbers[0] == 0
    resized = array.array("d", [1.0])
    serow.dumps([resized])
    resized.append(2.0)  # A buffer that was not released would forbid this.
    numbers.resize(2000, refcheck=False)


@pytest.mark.once
def test_an_array_beyond_the_limit_is_not_copied() -> None:
    many = np.broadcast_to(np.float64(0.5), 2**40)
    for encode in (serow.dumps, serow.Codec("[f64]").encode):
        with pytest.raises(serow.LimitError, match="more than 268,435,456 elements"):
            encode([many])
    few = np.broadcast_to(np.float64(0.5), 1000)
    assert serow.loads(serow.dumps([few])) == [[0.5] * 1000]


ARRAYS = st.sampled_from(READ).flatmap(lambda kind: st_np.arrays(kind, st.integers(0, 300)))


@pytest.mark.tiers
@given(st.lists(ARRAYS, max_size=6), st.sampled_from(["frame", "row"]), st.booleans())
def test_any_arrays(arrays: list[Any], wire: Any, is_one_type: bool) -> None:
    if is_one_type and arrays:
        arrays = [np.asarray(of, arrays[0].dtype) for of in arrays if of.dtype == arrays[0].dtype]
    rows = [(at, of) for at, of in enumerate(arrays)]
    message = serow.dumps(rows, wire=wire)
    assert repr(serow.loads(message)) == repr([(at, of.tolist()) for at, of in rows])
    # Two types that lists keep become lists of both.
    if is_one_type or not {of.dtype.name for of in arrays} & set(LISTS):
        for (_, made), of in zip(serow.loads(message, arrays="numpy"), arrays, strict=True):
            assert kept(made, of)


@pytest.mark.once
def test_a_function_in_the_place_of_one_of_numpy_gets_no_array() -> None:
    program = """
import numpy
given = []
empty, zeros = numpy.empty, numpy.zeros
numpy.empty = lambda *args, **named: given.append(empty(*args, **named)) or given[-1]
numpy.zeros = lambda *args, **named: given.append(zeros(*args, **named)) or given[-1]
import serow
row = {"a": numpy.arange(5), "b": numpy.full((2, 2), 1j), "c": numpy.array(["2024-01-01"], "M8[D]")}
[made] = serow.loads(serow.dumps([row]), arrays="numpy")
assert all((made[name] == row[name]).all() for name in row), made
assert given == []
"""
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.once
def test_a_type_in_the_place_of_one_of_numpy_is_an_error() -> None:
    program = """
import numpy
class dtype:
    def __new__(cls, name):
        return cls
    newbyteorder = classmethod(lambda cls, order: object)
numpy.dtype = dtype
import serow
data = serow.dumps([{"a": numpy.arange(5)}])
try:
    serow.loads(data, arrays="numpy")
except TypeError as error:
    assert "numpy.dtype has no type " in str(error), error
else:
    raise AssertionError
"""
    subprocess.run([sys.executable, "-c", program], check=True)
