"""Arrays of any number of dimensions in rows, which keep their shape and type."""

import io
import pickle
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest
import serow
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_np
from numpy.typing import NDArray
from serow import _native
from serow._foreign import copying

KINDS = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
KINDS += ["float16", "float32", "float64", "complex64", "complex128"]
KINDS += [">i2", ">u8", ">f2", ">f4", ">c16"]
SHAPES = [(), (0,), (3,), (0, 3), (2, 0, 4), (2, 3), (1, 1, 1), (2, 3, 4), (1,) * 20]


def same(made: Any, given: Any) -> bool:
    """Whether an array has the type, the shape and the bits of what was given."""
    return (
        type(made) is np.ndarray
        and made.dtype == given.dtype
        and made.shape == given.shape
        and made.tobytes() == given.tobytes()
        and made.flags.writeable
    )


def example(kind: str, shape: tuple[int, ...]) -> Any:
    """Give an array with the extremes of its type."""
    count = int(np.prod(shape))
    array = (np.arange(count) % 2).astype(kind)
    if count > 1 and array.dtype.kind in "iu":
        array[:2] = np.iinfo(array.dtype).min, np.iinfo(array.dtype).max
    if count > 1 and array.dtype.kind in "fc":
        array[:2] = np.nan, -0.0
    return array.reshape(shape)


def views(array: Any) -> list[Any]:
    """Give the array in other orders: in Fortran's, transposed, strided, reversed, unaligned."""
    packed = np.zeros(array.shape, np.dtype([("pad", "i1"), ("item", array.dtype)]))
    packed["item"] = array
    every = tuple(slice(None, None, -2) for _ in array.shape)
    return [array, np.array(array, order="F"), array.T, array[(..., *every)], packed["item"]]


@pytest.mark.parametrize("kind", KINDS)
def test_arrays_come_back_as_they_were(kind: str, wire: Any, access: str) -> None:
    arrays = [of for shape in SHAPES for of in views(example(kind, shape))]
    rows = [(at, of, [of, None], {"a": of, "b": "text"}) for at, of in enumerate(arrays)]
    message = serow.dumps(rows, wire=wire)
    codec = serow.Codec("ndarray", arrays="numpy", wire=wire)
    made = serow.loads(message, arrays="numpy")
    plain = serow.loads(message)
    for (_, one, two, three), row, of in zip(made, plain, arrays, strict=True):
        assert same(one, of)
        assert same(two[0], of)
        assert same(three["a"], of)
        listed = of.tolist()
        assert repr(row[1:]) == repr((listed, [listed, None], {"a": listed, "b": "text"}))
    for back, of in zip(codec.decode(codec.encode(arrays)), arrays, strict=True):
        assert same(back, of)
    for of in arrays:
        assert same(codec.decode_one(codec.encode_one(of)), of)
        assert same(serow.loads(serow.dumps([of]), arrays="numpy")[0], of)


@pytest.mark.once
def test_which_arrays_are_lists() -> None:
    def text(*rows: Any) -> str:
        return str(serow.Schema.infer(list(rows)))

    assert text(np.ones(3)) == text(np.ones(0)) == "[f64]"
    assert text(np.ones(3, "i8")) == "[i64]"
    for of in [np.ones(3, "f4"), np.ones(3, ">f8"), np.ones((1, 3)), np.ones(()), np.ones(2, "c8")]:
        assert text(of) == "ndarray"
    assert text(np.ones(3, "f4"), np.ones((2, 2), "?"), None) == "ndarray?"
    assert text(np.ones(3, "f4"), np.ones(3)) == "[f64]|ndarray"
    assert text((1, np.ones((2, 2)))) == "(i64, ndarray)"
    # What the rows before had does not count.
    for of in [np.ones(3, "i8"), np.ones(3, "u1"), np.ones(3, "i8")]:
        (back,) = serow.loads(serow.dumps([of]), arrays="numpy")
        assert same(back, of)
    rows = [np.arange(at % 5) for at in range(200)] + [np.ones(2, "i2"), np.arange(3)]
    for back, of in zip(serow.loads(serow.dumps(rows), arrays="numpy"), rows, strict=True):
        assert same(back, of)


@pytest.mark.once
def test_bytes_of_elements() -> None:
    vector = np.random.default_rng(0).random(256, dtype=np.float32)
    codec = serow.Codec("ndarray")
    for message in [
        serow.dumps([vector] * 20, wire="frame"),
        serow.dumps([vector] * 20, wire="row"),
    ]:
        assert len(message) < 20 * (4 * 256 + 16) + 60
    assert len(codec.encode_one(vector)) < 4 * 256 + 20
    grid = np.ones((64, 64, 3), np.uint8)
    assert len(codec.encode_one(grid)) < grid.nbytes + 24


def test_streams_and_typed_rows(access: str) -> None:
    rows = [{"id": at, "image": np.full((at % 3, 4), at % 200, "u1")} for at in range(300)]
    file = io.BytesIO()
    with serow.Writer(file) as writer:
        writer.write_rows(rows)
    file.seek(0)
    back = list(serow.Reader(file, arrays="numpy"))
    assert all(same(one["image"], row["image"]) for one, row in zip(back, rows, strict=True))
    file.seek(0)
    assert list(serow.Reader(file))[2] == {"id": 2, "image": [[2] * 4] * 2}
    assert same(serow.view(file, arrays="numpy")[7]["image"], rows[7]["image"])
    codec = serow.Codec(serow.Schema.infer(rows), arrays="numpy")
    assert same(
        pickle.loads(pickle.dumps(codec)).decode(codec.encode(rows))[1]["image"], rows[1]["image"]
    )


@dataclass
class Scan:
    """Arrays of given and of other types."""

    any: np.ndarray
    narrow: NDArray[np.float32]
    line: np.ndarray[tuple[int], np.dtype[np.float64]]
    short: np.ndarray[tuple[int], np.dtype[np.int16]]
    grid: np.ndarray[tuple[int, int], np.dtype[np.uint8]]
    waves: NDArray[np.complex64]
    large: list[NDArray[np.uint64]]
    maybe: NDArray[np.float64] | None


SCAN = Scan(
    np.arange(6.0).reshape(2, 3),
    np.ones((2, 2, 2), "f4"),
    np.ones(3),
    np.arange(4, dtype="i2"),
    np.ones((2, 0), "u1"),
    np.ones(3, "c8"),
    [np.full((1, 2), 2**64 - 1, "u8")],
    None,
)


def test_annotations_of_any_rank(wire: Any, access: str) -> None:
    codec = serow.Codec(serow.Schema.of(Scan), wire=wire)
    assert str(codec.schema) == (
        "Scan{any: [f64]|ndarray, narrow: [f64]|ndarray, line: [f64], short: [i64]|ndarray, "
        "grid: ndarray, waves: ndarray, large: [ndarray], maybe: ([f64]|ndarray)?}"
    )
    for back in (
        codec.decode(codec.encode([SCAN]))[0],
        codec.decode_one(codec.encode_one(SCAN)),
        serow.loads(serow.dumps([SCAN], wire=wire), type=Scan)[0],
    ):
        for name in ["any", "narrow", "line", "short", "grid", "waves"]:
            assert same(getattr(back, name), getattr(SCAN, name)), name
        assert same(back.large[0], SCAN.large[0])
        assert back.maybe is None


@dataclass
class Narrow:
    """An array of one type."""

    x: NDArray[np.float32]


@dataclass
class Short:
    """An array of another type."""

    x: NDArray[np.int8]


@dataclass
class Lists:
    """Lists of lists."""

    x: list[list[float]]


def test_values_become_those_of_the_annotation(wire: Any) -> None:
    def read(value: Any, of: type) -> Any:
        return serow.loads(serow.dumps([{"x": value}], wire=wire), type=of)[0].x

    grid = np.array([[0.5, np.nan], [-0.0, np.inf]])
    assert same(read(grid, Narrow), grid.astype("f4"))
    assert same(read(grid.astype(">f4"), Narrow), grid.astype("f4"))
    assert same(read([0.5, 2.0], Narrow), np.array([0.5, 2.0], "f4"))
    assert same(read(np.array([[1, -128]]), Short), np.array([[1, -128]], "i1"))
    assert read(np.ones((2, 1), "f4"), Lists) == [[1.0], [1.0]]
    assert read(np.ones((2, 1), "i2"), Lists) == [[1.0], [1.0]]
    for value, of, text in [
        (np.array([[0.1]]), Narrow, r"field x .*0\.1, which does not fit float32"),
        (np.array([[200]]), Short, "is 200, which does not fit int8"),
        (np.array([[2**64 - 1]], "u8"), Short, "which does not fit int8"),
        (np.array([[2**53 + 1]]), Lists, r"2\^53"),
        (np.array([[1.5]]), Short, "is 1.5, which does not fit int8"),
        (
            np.ones((1, 1, 1), "f4"),
            Lists,
            "an array of float32 with 3 dimensions; read it as ndarray",
        ),
        (np.ones((1, 1), "c8"), Lists, "an array of complex64 with 2 dimensions"),
    ]:
        with pytest.raises(serow.DecodeError, match=text):
            read(value, of)


def test_declared_lists_take_arrays(wire: Any, access: str) -> None:
    for schema, of in [
        ("[f64]", np.ones(3, "f4")),
        ("[f64]", np.ones(3, "f2")),
        ("[f64]", np.ones(3, ">f8")),
        ("[[i64]]", np.ones((2, 2), "u1")),
        ("[int]", np.full(2, 2**64 - 1, "u8")),
        ("[complex]", np.ones(2, "c8")),
        ("f64", np.array(2.5)),
    ]:
        codec = serow.Codec(schema, wire=wire)
        assert repr(codec.decode(codec.encode([of]))) == repr([of.tolist()])
    codec = serow.Codec("(f64, [f64], ndarray)", wire=wire)
    row = (np.longdouble(0.5), np.ones(2, "f4"), np.ones((1, 2), "f4"))
    assert codec.decode(codec.encode([row])) == [(0.5, [1.0, 1.0], [[1.0, 1.0]])]
    with pytest.raises(serow.EncodeError, match=r"field 2 \(ndarray\)"):
        codec.encode([(0.5, [1.0], [[1.0]])])
    for value in (np.array(["a"]), np.array([None]), np.array(["2024"], "M8[D]")):
        with pytest.raises(serow.EncodeError):
            serow.Codec("ndarray").encode([value])


@pytest.mark.once
def test_arrays_beside_foreign_values() -> None:
    rows = [(np.longdouble(0.5), np.ones((2, 2), "f2"), {1: np.ones(2, ">u8")})]
    ((half, grid, large),) = serow.loads(serow.dumps(rows), arrays="numpy")
    assert half == 0.5
    assert same(grid, rows[0][1])
    assert same(large[1], rows[0][2][1])


@pytest.mark.once
def test_no_row_is_copied_for_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    if _native.object_access() != "direct":
        pytest.skip("arrays are read by direct access only")

    def refused(*_: Any) -> Any:
        raise AssertionError("a row was copied")

    monkeypatch.setattr(copying._Copy, "of_row", refused)
    rows = [(np.ones((3, 2)), np.zeros((1, 2, 3), ">i2"), np.ones(2, "f2"))] * 100
    serow.dumps(rows)
    codec = serow.Codec("([[f64]], [[[i64]]])")
    wide = [(np.ones((3, 2)), np.zeros((1, 2, 3), "i2"))] * 100
    assert codec.decode(codec.encode(wide)) == [([[1.0] * 2] * 3, [[[0] * 3] * 2])] * 100


@pytest.mark.once
def test_structured_arrays_are_dicts() -> None:
    fields = [("a", "i4"), ("b", "f8"), ("c", "U3"), ("t", "M8[s]"), ("image", "u1", (2, 2))]
    table = np.zeros(3, [*fields, ("inner", [("x", "f4"), ("y", ">i2")])])
    table["c"] = ["x", "y", "zz"]
    table["t"] = "2024-02-29T01:02:03"
    table["image"] = [[1, 2], [3, 4]]
    moment = pd.Timestamp("2024-02-29T01:02:03").to_pydatetime()
    plain = [
        {
            "a": 0,
            "b": 0.0,
            "c": text,
            "t": moment,
            "image": [[1, 2], [3, 4]],
            "inner": {"x": 0.0, "y": 0},
        }
        for text in ["x", "y", "zz"]
    ]
    assert serow.loads(serow.dumps(table)) == plain
    assert serow.loads(serow.dumps([(table, table[1], table.reshape(3, 1))])) == [
        (plain, plain[1], [[row] for row in plain])
    ]
    assert serow.loads(serow.dumps(table), arrays="numpy")[0]["image"].dtype == np.uint8
    frame = pd.DataFrame({"x": [1, 2], "y": ["a", "b"]}).to_records(index=False)
    assert serow.loads(serow.dumps(frame)) == [{"x": 1, "y": "a"}, {"x": 2, "y": "b"}]
    with pytest.raises(serow.EncodeError, match="memory without fields"):
        serow.dumps([np.void(b"ab")])


@pytest.mark.once
def test_few_bytes_are_no_giant_lists() -> None:
    codec = serow.Codec("ndarray")
    for shape in ((2**40, 2**20), (2**20, 2**12)):
        with pytest.raises(serow.LimitError, match="more than 4 GiB"):
            serow.dumps([np.broadcast_to(np.float32(0.5), shape)])
    message = codec.encode([np.zeros((2**40, 0))])
    assert same(serow.loads(message, arrays="numpy")[0], np.zeros((2**40, 0)))
    for read in (
        lambda: serow.loads(message),
        lambda: codec.decode_one(codec.encode_one(np.zeros((5000, 0)))),
    ):
        with pytest.raises(serow.DecodeError, match="read it as an array, with arrays='numpy'"):
            read()
    deep = codec.encode([np.zeros((100_000, *[1] * 31), "?")])
    with pytest.raises(serow.DecodeError, match="more lists than its bytes allow"):
        serow.loads(deep)
    message = codec.encode([np.zeros((100, 100))])
    with pytest.raises(serow.LimitError, match="max_memory"):
        serow.loads(message, max_memory=100_000)
    assert len(serow.loads(message, max_memory=1_000_000)[0]) == 100


def record(code: int, shape: bytes, elements: bytes) -> bytes:
    """Give a single record of an array with these components."""
    codec = serow.Codec("(i64, bytes)", fingerprint=False)
    return codec.encode_one((code, shape + elements))


@pytest.mark.once
@pytest.mark.parametrize(
    ("code", "shape", "elements"),
    [
        (10, b"\x03\x03", b"\0\0\0"),
        (10, b"\x03\x03", b"\0\0\0\0\0"),
        (0, b"\x03\x03", b"\x02"),
        (14, b"\x01", b"\0"),
        (16, b"\x01", b"\0"),
        (-1, b"\x01", b"\0"),
        (1, b"", b""),
        (1, b"\x03\x06\0", b"\0"),
        (1, bytes([65 * 2 + 1]) + b"\x03" * 65, b"\0"),
        (1, b"\x05\0" + struct.pack("<q", -1) + b"\x01", b""),
    ],
)
def test_components_of_no_array(code: int, shape: bytes, elements: bytes) -> None:
    codec = serow.Codec("ndarray", fingerprint=False)
    assert codec.decode_one(record(10, b"\x03\x03", b"\0\0\0\0")) == [0.0]
    with pytest.raises(serow.DecodeError, match="an array has no such shape"):
        codec.decode_one(record(code, shape, elements))


@pytest.mark.once
def test_arrays_are_no_keys() -> None:
    for text in ("{ndarray}", "{ndarray: i64}", "frozenset{(i64, ndarray)}"):
        with pytest.raises(serow.SchemaError, match="hash"):
            serow.Schema.parse(text)


GRIDS = st.sampled_from(KINDS).flatmap(
    lambda kind: st_np.arrays(
        kind, st_np.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)
    )
)


@pytest.mark.tiers
@given(st.lists(st.tuples(GRIDS, st.randoms()), max_size=4), st.sampled_from(["frame", "row"]))
def test_any_arrays(pairs: list[Any], wire: Any) -> None:
    arrays = []
    for of, chance in pairs:
        steps = tuple(slice(None, None, chance.choice([-2, -1, 1, 2])) for _ in of.shape)
        arrays.append(of[(..., *steps)].transpose(chance.sample(range(of.ndim), of.ndim)))
    rows = list(enumerate(arrays))
    message = serow.dumps(rows, wire=wire)
    assert repr(serow.loads(message)) == repr([(at, of.tolist()) for at, of in rows])
    if not {str(of.dtype) for of in arrays if of.ndim == 1} & {"bool", "int64", "float64"}:
        for (_, made), of in zip(serow.loads(message, arrays="numpy"), arrays, strict=True):
            assert same(made, of)
