"""Records that are decoded to dicts, and codecs of classes."""

import dataclasses
import io
import json
import pickle
import pprint
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Any, NamedTuple

import pydantic
import pytest
import serow
from serow._records import record_class

pytestmark = pytest.mark.tiers


class Color(Enum):
    """An enum, which stays one."""

    RED = 1


class Size(NamedTuple):
    """A record in others."""

    width: int
    unit: str


@dataclass
class Part:
    """A record of records."""

    key: int
    size: Size | None
    others: list[Size]
    by_name: dict[str, Size]
    color: Color
    __slots__ = ("by_name", "color", "key", "others", "size")


def part(n: int) -> Part:
    size = Size(n, "mm")
    return Part(n, size if n % 3 else None, [size] * (n % 4), {str(n): size}, Color.RED)


def as_dict(n: int) -> dict[str, Any]:
    size = {"width": n, "unit": "mm"}
    shown = size if n % 3 else None
    return {"key": n, "size": shown, "others": [size] * (n % 4), "by_name": {str(n): size}}


def without_color(row: dict[str, Any]) -> dict[str, Any]:
    assert row.pop("color").name == "RED"
    return row


COUNT = 300
DICTS = [as_dict(n) for n in range(COUNT)]


def test_records_are_dicts_at_all_depths(wire: Any) -> None:
    data = serow.dumps([part(n) for n in range(COUNT)], wire=wire)
    rows = serow.loads(data, records="dict")
    assert [without_color(row) for row in rows] == DICTS
    assert {type(row) for row in rows} == {dict}
    assert list(rows[0]) == ["key", "size", "others", "by_name"]
    # Dicts are not shared with other rows or calls.
    rows[1]["key"] = rows[1]["size"]["width"] = "changed"
    assert without_color(serow.loads(data, records="dict")[1]) == DICTS[1]
    assert serow.loads(data)[1].key == 1


def test_a_codec_makes_dicts(wire: Any) -> None:
    of_parts = serow.Codec(Part, wire=wire)
    codec = serow.Codec(str(of_parts.schema), wire=wire, records="dict")
    data = of_parts.encode([part(n) for n in range(COUNT)])
    assert [without_color(row) for row in codec.decode(data)] == DICTS
    record = serow.Codec(Part).encode_one(part(7))
    assert without_color(codec.decode_one(record)) == DICTS[7]
    assert codec.records == "dict"
    assert serow.Codec("i64").records is None
    assert "records='dict'" in repr(codec)
    assert pickle.loads(pickle.dumps(codec)) == codec
    assert codec != serow.Codec(str(of_parts.schema), wire=wire)


def test_readers_make_dicts() -> None:
    file = io.BytesIO()
    with serow.Writer(file, Part) as writer:
        writer.write_rows(part(n) for n in range(COUNT))
    data = file.getvalue()
    rows: list[Any] = list(serow.Reader(io.BytesIO(data), records="dict"))
    assert [without_color(row) for row in rows] == DICTS
    assert without_color(serow.view(io.BytesIO(data), records="dict")[7]) == DICTS[7]


def test_different_records_in_one_place() -> None:
    rows = [Size(1, "mm"), (2, 3), {"a": 1}, None, Size(3, "m")]
    assert serow.loads(serow.dumps(rows), records="dict") == [
        {"width": 1, "unit": "mm"},
        (2, 3),
        {"a": 1},
        None,
        {"width": 3, "unit": "m"},
    ]


def test_memory_is_limited_as_for_records() -> None:
    data = serow.dumps([Size(n, "mm") for n in range(10_000)])
    with pytest.raises(serow.LimitError):
        serow.loads(data, records="dict", max_memory=100_000)
    assert len(serow.loads(data, records="dict", max_memory=10_000_000)) == 10_000


@pytest.mark.once
def test_other_arguments_are_errors() -> None:
    data = serow.dumps([Size(1, "mm")])
    for call in (
        lambda: serow.loads(data, type=Size, records="dict"),  # type: ignore[call-overload]
        lambda: serow.Codec(Size, records="dict"),
        lambda: serow.Reader(io.BytesIO(data), type=Size, records="dict"),
        lambda: serow.view(io.BytesIO(data), type=Size, records="dict"),
    ):
        with pytest.raises(ValueError, match="rows without a type"):
            call()
    with pytest.raises(ValueError, match="records must be 'dict' or None, not \"list\""):
        serow.loads(data, records="list")  # type: ignore[call-overload]
    # A dict has no hash.
    in_set = serow.dumps([{Size(1, "mm")}])
    with pytest.raises(serow.DecodeError, match="unhashable"):
        serow.loads(in_set, records="dict")


@pytest.mark.once
class TestRecordsAsDataclasses:
    """`dataclasses` knows decoded records."""

    def test_dicts_of_records(self) -> None:
        (record,) = serow.loads(serow.dumps([part(5)]))
        (expected,) = serow.loads(serow.dumps([part(5)]), records="dict")
        assert dataclasses.asdict(record) == expected
        assert record._asdict() == {**expected, **dict(zip(record._fields, record, strict=True))}
        assert [field.name for field in dataclasses.fields(record)] == list(record._fields)
        assert dataclasses.is_dataclass(record)
        # They are tuples as before.
        assert pprint.pformat(record) == repr(record)
        assert serow.loads(serow.dumps([record])) == [record]

    @pytest.mark.parametrize("name", ["class", "a b", "_asdict", "__len__", ""])
    def test_names_that_are_no_attributes(self, name: str) -> None:
        codec = serow.Codec(f"Part{{key: i64, {json.dumps(name)}: i64}}")
        (record,) = codec.decode(codec.encode([record_class("Part", ("key", name))(1, 2)]))
        assert record._asdict() == {"key": 1, name: 2}
        assert not dataclasses.is_dataclass(record)
        assert codec.decode(codec.encode([record])) == [record]


@pytest.mark.once
def test_json_takes_the_dicts() -> None:
    rows = [Size(1, "mm"), Size(2, "m")]
    assert json.loads(json.dumps(serow.loads(serow.dumps(rows), records="dict"))) == [
        {"width": 1, "unit": "mm"},
        {"width": 2, "unit": "m"},
    ]


class TestCodecsOfClasses:
    """A class or annotation in place of a schema."""

    @pytest.mark.parametrize(
        ("annotation", "rows"),
        [
            (Part, [part(1), part(2)]),
            (Size, [Size(1, "mm")]),
            (int, [1, 2]),
            (list[int], [[1], []]),
            (int | None, [1, None]),
            (tuple[int, Decimal], [(1, Decimal("1.5"))]),
        ],
    )
    def test_rows_come_back(self, annotation: Any, rows: list[Any]) -> None:
        codec = serow.Codec(annotation)
        assert codec.decode(codec.encode(rows)) == rows
        assert codec == serow.Codec(serow.Schema.of(annotation))

    def test_generic_names_may_be_used_at_run_time(self) -> None:
        for generic in (serow.Codec, serow.Reader, serow.Writer, serow.view):
            assert generic[Part].__origin__ is generic
            assert generic[Part].__args__ == (Part,)
        codec: serow.Codec[Part] = serow.Codec[Part](Part)
        assert codec.decode(codec.encode([part(1)])) == [part(1)]

    def test_a_class_without_a_type_is_an_error(self) -> None:
        with pytest.raises(serow.SchemaError, match="Iterable has no type in a schema"):
            serow.Codec(Iterable)
        with pytest.raises(TypeError, match="or a class or an annotation, not int"):
            serow.Codec(5)


class Given(pydantic.BaseModel):
    a: int
    b: int = 0


def test_models_are_dicts_of_their_fields(wire: Any, access: str) -> None:
    rows = [Given(a=1), Given(a=2, b=3)]
    back = serow.loads(serow.dumps(rows, wire=wire), records="dict")
    assert back == [{"a": 1, "b": 0}, {"a": 2, "b": 3}]
    json.dumps(back)
