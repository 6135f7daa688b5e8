"""Lists of any length that are read as lists and tuples of fixed shape."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
import serow
from hypothesis import given
from hypothesis import strategies as st
from serow import _native

TEXTS = st.text(max_size=3) | st.sampled_from(["north", "south"])
FLOATS = st.floats(allow_nan=False, allow_infinity=False)


@dataclass
class Place:
    name: str
    at: tuple[float, float]
    path: list[tuple[int, float]]
    tags: tuple[str, str | None, str] | None = None


@given(
    places=st.lists(
        st.builds(
            Place,
            st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
            st.tuples(FLOATS, FLOATS),
            st.lists(st.tuples(st.integers(-(2**53), 2**53), FLOATS), max_size=4),
            st.none() | st.tuples(TEXTS, TEXTS, TEXTS),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_rows_of_json_are_read_as_tuples(wire: Any, access: str, places: list[Place]) -> None:
    rows = json.loads(json.dumps([vars(place) for place in places]))
    data = serow.dumps(rows, wire=wire)
    assert serow.loads(data, type=Place) == places
    codec = serow.Codec(Place)
    for _ in range(2):
        assert codec.decode(data) == places
        assert codec.decode(serow.dumps(rows * 100, wire=wire)) == places * 100
        if _native.HAS_COMPILER and access == "direct":
            codec.compile()


@pytest.mark.tiers
def test_compiled_code_reads_them_too(wire: Any) -> None:
    rows = [[n, n + 1, n * 2] for n in range(5_000)] + [[0, 1, 2]]
    texts = [{"pair": [f"name {n % 7}", f"name {n % 5}"]} for n in range(5_000)]
    of_rows = serow.Codec(serow.Schema.of(tuple[int, float, int | None]))
    of_texts = serow.Codec(serow.Schema.of(dict[str, tuple[str, str]]))
    for _ in range(3):
        assert of_rows.decode(serow.dumps(rows, wire=wire)) == [tuple(row) for row in rows]
        found = of_texts.decode(serow.dumps(texts, wire=wire))
        assert found == [{"pair": tuple(row["pair"])} for row in texts]


def of_any_length(rows: list[Any], wire: Any) -> bytes:
    """Encode dicts whose lists have any length in the schema."""
    schema = '{"name": str, "at": [f64], "path": [[f64]]}'
    return serow.Codec(schema, wire=wire).encode(rows)


@pytest.mark.parametrize("before", [0, 3_000])
@pytest.mark.parametrize("length", [0, 1, 3])
def test_another_length_is_an_error(wire: Any, access: str, before: int, length: int) -> None:
    @dataclass
    class Spot:
        name: str
        at: tuple[float, float]

    good = {"name": "a", "at": [1.0, 2.0], "path": []}
    rows = [*[good] * before, good | {"at": [0.5] * length}, good]
    data = of_any_length(rows, wire)
    codec = serow.Codec(Spot)
    elements = "1 element" if length == 1 else f"{length} elements"
    for _ in range(2):
        with pytest.raises(serow.DecodeError) as raised:
            codec.decode(data)
        assert str(raised.value) == (
            f"frame 0, row {before}, field at ((f64, f64)): the list has {elements}, and the "
            "reader's tuple has 2; read it as a tuple of any length"
        )
        assert (raised.value.row, raised.value.path) == (before, ("at",))
        if _native.HAS_COMPILER and access == "direct":
            codec.compile()


def test_the_place_of_a_list_in_a_list_is_named(wire: Any) -> None:
    @dataclass
    class Path:
        path: list[tuple[float, float]]

    rows = [{"name": "a", "at": [], "path": [[1.0, 2.0], [1.0]]}]
    with pytest.raises(serow.DecodeError, match=r"field path\.1 \(\(f64, f64\)\): the list has 1"):
        serow.loads(of_any_length(rows, wire), type=Path)


def test_single_records_and_other_containers(wire: Any) -> None:
    writer = serow.Codec("(i64, ...)", wire=wire)
    reader = serow.Codec("[i64, i64]", schemas=serow.SchemaSet([writer.schema]))
    assert reader.decode_one(writer.encode_one((1, 2))) == [1, 2]
    said = "the tuple has 3 elements, and the reader's list has 2; read it as a list of any length"
    with pytest.raises(serow.DecodeError, match=said):
        reader.decode_one(writer.encode_one((1, 2, 3)))
    assert serow.Codec("()").decode(writer.encode([()])) == [()]
    with pytest.raises(serow.DecodeError, match="the tuple has 1 element, and the reader's"):
        serow.Codec("()").decode(writer.encode([(1,)]))
    with pytest.raises(serow.SchemaError, match="a set can't be read as a tuple of 2 fields"):
        serow.loads(serow.dumps([{1, 2}]), type=tuple[int, int])
    # Elements without bytes are counted too.
    nulls = serow.Codec("[null]", wire=wire).encode([[None] * 2])
    assert serow.Codec("(null, i64?)").decode(nulls) == [(None, None)]


def test_nested_values_are_taken_apart(wire: Any) -> None:
    rows = [{"p": [{"a": n, "b": [f"{n}"]}, {"a": 0, "b": []}]} for n in range(50)]

    @dataclass
    class First:
        a: int

    @dataclass
    class Second:
        b: tuple[str, ...]
        a: int

    @dataclass
    class Both:
        p: tuple[First, Second]

    for _ in range(2):
        found = serow.loads(serow.dumps(rows, wire=wire), type=Both)
        assert found == [Both((First(n), Second((), 0))) for n in range(50)]


def test_values_that_one_field_drops_and_another_reads(wire: Any) -> None:
    @dataclass
    class First:
        a: int

    @dataclass
    class Second:
        b: list[str]
        c: bytes

    @dataclass
    class Both:
        p: tuple[First, Second]

    # Columns of few different strings have dictionaries.
    first = {"b": ["north", "south"], "c": b"left out"}
    second = {"b": ["east", "north"], "c": b"read"}
    rows = [{"p": [first | {"a": n}, second | {"a": n}]} for n in range(3_000)]
    expected = [Both((First(n), Second(["east", "north"], b"read"))) for n in range(3_000)]
    codec = serow.Codec(Both)
    for data in (serow.dumps(rows, wire=wire), serow.dumps(rows, wire=wire, compression="zstd")):
        assert codec.decode(data) == expected
        if _native.HAS_COMPILER:
            codec.compile()
