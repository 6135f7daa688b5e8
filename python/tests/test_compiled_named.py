"""Sets, dicts, records and enums in compiled code: as in the interpreter, and without leaks."""

import enum
import gc
import os
import random
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

import leaks
import pytest
import rowtext
import serow
import wire_format as format
from serow import _native


@pytest.fixture(params=["row", "frame"])
def wire(request: pytest.FixtureRequest) -> str:
    """Run the test in every wire."""
    if _native.object_access() != "direct" or os.environ.get("SEROW_TIER") == "interpreter":
        pytest.skip("nothing is compiled")
    return request.param


@dataclass
class Part:
    key: int
    size: int | None


@dataclass(slots=True)
class Slotted:
    key: int
    label: str


class Point(NamedTuple):
    x: float
    y: float


class Color(enum.Enum):
    RED = 1
    GREEN = "g"
    BLUE = None


class Size(enum.Enum):
    S = 0
    L = 1


def usual(i: int) -> dict[str, Any]:
    """Give a row with every kind of value, and keys in an order of its own."""
    some = range(i % 4)
    row: dict[str, Any] = {
        "id": i,
        "color": list(Color)[i % 3],
        "part": Part(i, None if i % 2 else i),
        "slotted": Slotted(i, f"label {i % 7}"),
        "point": Point(i / 4, -i / 4),
        "tags": {f"tag {n}" for n in some},
        "pairs": frozenset((n, str(n)) for n in some),
        "points": {Point(float(n), 0.5) for n in some},
        "counts": {n: n / 2 for n in some},
        "by color": {color: {"n": i} for color in list(Color)[: i % 3]},
        "on": date.fromordinal(i + 1),
        "inner": {"x": i, "y": {"z": [i] * (i % 3)}},
        "either": [
            Part(i, 1),
            Color.RED,
            Size.L,
            {i},
            frozenset({i}),
            {"z": True},
            Point(0.5, 0.25),
            None,
            [Decimal(i)],
        ][i % 9],
    }
    if i % 5:
        row["late"] = f"late {i}"
    if i % 3 == 0:
        keys = list(row)
        random.Random(i).shuffle(keys)
        row = {key: row[key] for key in keys}
    return row


ROWS = [usual(i) for i in range(900)]


Codecs = tuple[serow.Codec, serow.Codec]


def of_schema(schema: serow.Schema | str, wire: str) -> Codecs:
    """Give an interpreted codec and a compiled one."""
    interpreted, compiled = (_native.codec_alone(schema, wire=wire) for _ in range(2))
    compiled.compile()
    assert (compiled.tiers["encode"], compiled.tiers["decode"]) == ("jit", "jit")
    return interpreted, compiled


def both(rows: list[Any], wire: str) -> Codecs:
    """Give both codecs for the schema of `rows`."""
    return of_schema(serow.Schema.infer(rows), wire)


def encoded(codec: serow.Codec, rows: list[Any]) -> bytes | str:
    """Give the message, or the text of the error."""
    try:
        return codec.encode(rows)
    except serow.SerowError as error:
        return f"{type(error).__name__}: {error}"


def decoded(codec: serow.Codec, data: bytes, step: int = 1) -> list[str] | str:
    """Give each `step`th row with types and bits at every node, or the text of the error."""
    try:
        return [rowtext.line(row) for row in codec.decode(data)[::step]]
    except serow.SerowError as error:
        return f"{type(error).__name__}: {error}"


def same(codecs: Codecs, rows: list[Any], step: int = 1) -> bytes | str:
    """Assert that both codecs encode rows alike, and decode each `step`th of them alike."""
    expected = encoded(codecs[0], rows)
    assert encoded(codecs[1], rows) == expected
    if isinstance(expected, bytes):
        assert decoded(codecs[1], expected, step) == decoded(codecs[0], expected, step)
    return expected


@pytest.mark.long
def test_usual_rows(wire: str) -> None:
    codecs = both(ROWS, wire)
    assert isinstance(same(codecs, ROWS), bytes)
    # Enough rows for several frames and for prefetching. Only some are compared, but rows of every
    # kind, because making their text takes longest.
    assert isinstance(same(codecs, ROWS * 80, step=37), bytes)


def test_rows_of_one_kind(wire: str) -> None:
    kinds: list[list[Any]] = [
        [{"a": i, "b": str(i)} for i in range(3000)],
        [{"a": i} if i % 2 else {} for i in range(300)],
        [{} for _ in range(300)],
        [{i: [i]} for i in range(300)],
        [{str(i): Color.RED} for i in range(3000)],
        [Part(i, None) for i in range(300)],
        [Slotted(i, "é" * (i % 3)) for i in range(300)],
        [Point(i / 2, float("nan")) for i in range(3000)],
        [list(Color)[i % 3] for i in range(300)],
        [{i, i + 1} for i in range(300)],
        [frozenset({(Color.RED, i), (Color.BLUE, -i)}) for i in range(300)],
        [{frozenset({i}): {i}} for i in range(300)],
        [set() for _ in range(300)],
    ]
    for rows in kinds:
        assert isinstance(same(both(rows, wire), rows), bytes)


class Sub(dict[str, Any]):
    pass


def otherwise(**fields: Any) -> dict[str, Any]:
    return {**usual(5), **fields}


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in usual(5).items() if name != key}


UNUSUAL: list[Any] = [
    without("late"),
    otherwise(id=2**62, late="é"),
    otherwise(tags={"\ud800", "€", ""}),
    otherwise(tags={f"many {n}" for n in range(5000)}),
    otherwise(counts={n: 0.5 for n in range(-3000, 3000)}),
    otherwise(inner={"y": {"z": []}, "x": -(2**63)}),
    otherwise(**{"".join(["i", "d"]): 7}),
    Sub(usual(5)),
    OrderedDict(usual(5)),
]
MISFITS: list[Any] = [
    *(without(key) for key in usual(5) if key != "late"),
    otherwise(more=1),
    otherwise(id="a"),
    {**usual(5), 7: 1},
    {**usual(5), "\ud800": 1},
    otherwise(color=Size.S),
    otherwise(color=1),
    otherwise(part=Slotted(1, "a")),
    otherwise(part={"key": 1, "size": 1}),
    otherwise(part=(1, 1)),
    otherwise(point=(0.5, 0.5)),
    otherwise(point=Point(1, 2)),
    otherwise(tags=frozenset()),
    otherwise(tags={1}),
    otherwise(tags=[]),
    otherwise(pairs=frozenset({(1, 2)})),
    otherwise(counts={0.5: 1.0}),
    otherwise(counts=[]),
    otherwise(inner={"x": 1}),
    otherwise(inner={"x": 1, "y": {}}),
    otherwise(either={"z": 1}),
    otherwise(either=Slotted(1, "a")),
    otherwise(either=(1, 2)),
    list(usual(5).values()),
    None,
]


@pytest.mark.parametrize("row", UNUSUAL)
def test_an_unusual_row_among_usual_ones(wire: str, row: Any) -> None:
    rows = list(ROWS)
    rows[0] = rows[70] = rows[300] = rows[-1] = row
    assert isinstance(same(both(ROWS, wire), rows), bytes)


def test_a_misfit_among_usual_rows(wire: str) -> None:
    codecs = both(ROWS, wire)
    for row in MISFITS:
        for at in (0, 1, 255, 256, 899):
            rows = list(ROWS)
            rows[at] = row
            error = same(codecs, rows)
            assert isinstance(error, str), row
            assert error.startswith(f"EncodeError: row {at}"), error


@pytest.mark.once
def test_malformed_bodies(wire: str) -> None:
    codecs = both(ROWS, wire)
    frames = format.frames(codecs[0].encode(ROWS[:60]))
    generator = random.Random(11)
    for _ in range(400):
        data = format.message(format.spoiled(frames[0], generator, generator.choice([1, 1, 2, 8])))
        assert decoded(codecs[1], data) == decoded(codecs[0], data)


@pytest.mark.parametrize(
    ("schema", "lie", "usual", "rows"),
    [
        ("{(bool|f64|i64,)}", "[(bool|f64|i64,)]", {(1,)}, [[(1,), (1.0,)]]),
        ("frozenset{(bool|i64,)}", "[(bool|i64,)]", frozenset(), [[(2,)], [(1,), (2,), (True,)]]),
        ("{str}", "[str]", {"a"}, [["a", "b", "a"]]),
        ("{i64: str}", "[(i64, str)]", {1: "a"}, [[(7, "a"), (8, "a")], [(7, "a"), (7, "b")]]),
    ],
)
def test_equal_elements_are_an_error(
    wire: str, schema: str, lie: str, usual: Any, rows: list[Any]
) -> None:
    """Malformed bytes contain equal elements, and so do sets of other languages."""
    codecs = of_schema(schema, wire)
    (honest,) = format.frames(codecs[0].encode([usual]))
    (frame,) = format.frames(_native.codec_alone(lie, wire=wire).encode([rows[0][:1], *rows]))
    error = decoded(codecs[1], format.message(replace(frame, schema=honest.schema)))
    assert error == decoded(codecs[0], format.message(replace(frame, schema=honest.schema)))
    assert isinstance(error, str)
    assert f"row {len(rows)}" in error
    assert "equal in Python" in error


def test_the_collector_knows_what_it_should(wire: str) -> None:
    interpreted, compiled = both(ROWS, wire)
    data = compiled.encode(ROWS)

    def tracked(value: Any) -> list[bool]:
        inner = list(value.values()) if isinstance(value, dict) else []
        if isinstance(value, list | tuple | set | frozenset):
            inner = sorted(value, key=repr)
        return [gc.is_tracked(value), *(known for item in inner for known in tracked(item))]

    pairs = zip(interpreted.decode(data), compiled.decode(data), strict=True)
    assert all(tracked(row) == tracked(other) for row, other in pairs)


@pytest.mark.heavy
def test_nothing_is_lost(wire: str) -> None:
    _, compiled = both(ROWS, wire)
    good = compiled.encode(ROWS)
    generator = random.Random(7)
    frame = format.frames(good)[0]
    lies = [format.message(format.spoiled(frame, generator)) for _ in range(60)]
    bad = [[*ROWS[:100], row] for row in MISFITS]
    shared = [None, 1, 7, 256, True, False, "", "a", *Color, Part, Point]

    def work() -> None:
        for data in [good, *lies] * 3:
            with suppress(serow.SerowError):
                compiled.decode(data)
        for rows in bad:
            with suppress(serow.SerowError):
                compiled.encode(rows)

    leaks.assert_none(work, shared)


def test_a_dict_of_very_many_keys(wire: str) -> None:
    rows: list[Any] = [{f"key {n}": n * i for n in range(800)} for i in range(20)]
    rows[7] = {f"key {n}": n for n in range(600)}
    rows[8] = {f"key {n}": n for n in reversed(range(800))}
    assert isinstance(same(both(rows, wire), rows), bytes)


@pytest.mark.heavy
def test_a_class_that_goes_while_codecs_stay(wire: str) -> None:
    def rows() -> list[Any]:
        @dataclass
        class Part:
            key: int
            size: int | None

        class Color(enum.Enum):
            RED = 1

        return [(Part(i, None), Color.RED) for i in range(50)]

    codecs = both(rows(), wire)
    messages = set()
    for _ in range(20):
        messages.add(same(codecs, rows()))
        gc.collect()
    assert len(messages) == 1
