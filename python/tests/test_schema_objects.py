"""Schemas as objects: their types as values, fields, and representations that evaluate."""

import copy
import io
import pickle
from dataclasses import dataclass
from typing import Any

import pytest
import serow
from hypothesis import given
from schema_types import SCALARS, all_types, schemas
from serow import Codec, Schema, SchemaSet, types
from serow.types import (
    F64,
    I64,
    Dict,
    Enum,
    Field,
    FixedList,
    List,
    Map,
    Never,
    Optional,
    Record,
    Set,
    Str,
    Tuple,
    Type,
    Union,
    VariadicTuple,
)

pytestmark = pytest.mark.once

NAMES = {**vars(types), **{name: getattr(serow, name) for name in ("Codec", "Schema", "SchemaSet")}}

FORMS: list[tuple[str, Type]] = [
    ("never", Never()),
    ("i64?", Optional(I64())),
    ("[i64]", List(I64())),
    ("[i64,]", FixedList([I64()])),
    ("[i64, str]", FixedList([I64(), Str()])),
    ("()", Tuple([])),
    ("(i64, str)", Tuple([I64(), Str()])),
    ("(i64, ...)", VariadicTuple(I64())),
    ("{i64}", Set(I64())),
    ("{i64: str}", Map(I64(), Str())),
    ("{}", Dict([])),
    ('{"a": i64, "b"?: str}', Dict([Field("a", I64()), Field("b", Str(), True)])),
    ("Part{key: i64}", Record("Part", [Field("key", I64())])),
    ('"it\'s"{"a\\"\\\\b": i64}', Record("it's", [Field('a"\\b', I64())])),
    ("enum Color{RED, GREEN}", Enum("Color", ["RED", "GREEN"])),
    ("enum Status{OK = 200}", Enum("Status", ["OK"], [200])),
    ('enum Status{OK = "\\u{a}"}', Enum("Status", ["OK"], ["\n"])),
    ("(i64|str)?", Optional(Union([I64(), Str()]))),
    ("[i64|[f64]]", List(Union([I64(), List(F64())]))),
]


@pytest.mark.parametrize(("text", "type"), FORMS)
def test_each_form_has_a_value(text: str, type: Type) -> None:
    schema = Schema.parse(text)
    assert schema.type == type
    assert str(type) == str(schema) == text
    assert Schema(type) == schema
    assert eval(repr(type), NAMES) == type


def test_all_types_without_parts_have_one() -> None:
    with pytest.raises(serow.SchemaError) as error:
        Schema.parse("nothing")
    known = str(error.value).split("there are ")[1].split("\n")[0].split(", ")
    assert {str(Schema.parse(name).type) for name in known} == set(known)
    assert {str(one) for one in [*SCALARS, Never(), types.NdArray()]} == set(known)


@given(schemas)
def test_schemas_and_types_are_made_of_each_other(schema: Schema) -> None:
    type = schema.type
    assert Schema(type) == schema
    assert eval(repr(type), NAMES) == type
    assert hash(eval(repr(type), NAMES)) == hash(type)
    assert eval(repr(schema), NAMES) == schema
    assert Schema.parse(schema.pretty()) == schema


@given(all_types)
def test_any_type_is_a_schema_or_an_error(type: Type) -> None:
    try:
        schema = Schema(type)
    except serow.SerowError:
        assert str(type) == repr(type)
    else:
        assert str(type) == str(schema)
        assert Schema(schema.type) == schema


def test_types_match() -> None:
    def columns(type: Type) -> Any:
        match type:
            case Record(name, fields):
                return {name: [columns(field.type) for field in fields]}
            case Optional(inner):
                return [columns(inner)]
            case Enum(name, members, None):
                return f"{name}({members})"
            case I64() | F64():
                return "number"
            case _:
                return type

    schema = Schema.parse("Part{key: i64, price: f64?, color: enum Color{RED}, note: str}")
    assert columns(schema.type) == {
        "Part": ["number", ["number"], "Color(('RED',))", Str()],
    }


def test_fields() -> None:
    part = Schema.parse("Part{key: i64, tags: [str]}")
    assert part.fields == (Field("key", I64()), Field("tags", List(Str())))
    assert [str(field) for field in part.fields] == ["key: i64", "tags: [str]"]
    assert part[0] == part["key"] == I64()
    assert part[-1] == part["tags"] == List(Str())
    assert Schema.parse("Part{key: i64}?").fields == (Field("key", I64()),)
    assert Schema.parse("Part{key: i64}?")["key"] == I64()
    keys = Schema.parse('{"a"?: i64}')
    assert keys.fields == (Field("a", I64(), may_be_missing=True),)
    assert str(keys.fields[0]) == "a?: i64"
    assert Schema.parse("(i64, str)").fields == (Field(0, I64()), Field(1, Str()))
    assert Schema.parse("[i64, str]")[1] == Str()
    assert Schema.parse("i64").fields == Schema.parse("{str: i64}").fields == ()
    with pytest.raises(KeyError, match="'no'; the fields are 'key', 'tags'"):
        part["no"]
    with pytest.raises(IndexError, match=r"position 2; Part\{key: i64, tags: \[str\]\} has 2"):
        part[2]
    with pytest.raises(KeyError, match="only positions"):
        Schema.parse("(i64, str)")["a"]
    with pytest.raises(TypeError, match=r"\[i64\] has no fields"):
        Schema.parse("[i64]")[0]
    with pytest.raises(TypeError, match="NoneType"):
        part[None]  # type: ignore[index]


def test_types_are_values() -> None:
    type = Record("Part", [Field("key", Optional(I64()))])
    assert type == Record("Part", iter(type.fields))
    assert type != Record("Part", [])
    assert I64() != F64()
    assert I64() != "i64"
    assert {I64(), I64(), type, copy.deepcopy(type)} == {I64(), type}
    assert pickle.loads(pickle.dumps(type)) == type
    with pytest.raises(AttributeError, match="Record is immutable"):
        type.name = "Other"
    with pytest.raises(AttributeError, match="Field is immutable"):
        del type.fields[0].name
    with pytest.raises(AttributeError):
        type.other = 1  # type: ignore[attr-defined]


WRONG: list[tuple[str, type[Exception], str]] = [
    ("List(I64)", TypeError, r"the element of List must be a type .*, not I64; call it: I64\(\)"),
    ("List('i64')", TypeError, "must be a type of serow.types, not str"),
    ("Tuple([I64(), int])", TypeError, "item 1 must be a type of serow.types, not int"),
    ("Field('a', int)", TypeError, "the type of field 'a' must be a type"),
    ("Field(None, I64())", TypeError, "the name of a field must be a str, not NoneType"),
    ("Record('R', [I64()])", TypeError, "field 0 of Record must be a Field, not I64"),
    ("Record('R', [Field(0, I64())])", TypeError, "name of field 0 of Record must be a str"),
    ("Enum('E', 'AB')", TypeError, "several names, not str"),
    ("Enum('E', ['A'], [1, 2])", TypeError, "one for each member"),
    ("Enum('E', ['A', 'B'], [1, 'x'])", TypeError, "ints or strs"),
    ("Schema('i64')", TypeError, "not str; use Schema.parse for text"),
    ("Schema(Schema.parse('i64'))", TypeError, "it is a Schema already"),
    ("Schema(int)", TypeError, "not int; use Schema.of for classes"),
    ("Schema(Type())", TypeError, "Type is the base of all types"),
    ("Schema(Set(List(I64())))", serow.SchemaError, "must have a hash"),
    ("Schema(Record('R', [Field('a', I64()), Field('a', I64())]))", serow.SchemaError, "twice"),
    ("Schema(Record('R', [Field('a', I64(), True)]))", serow.SchemaError, "can't be missing"),
    ("Schema(Enum('E', []))", serow.SchemaError, "expected a name"),
    ("Schema(Enum('E', ['A'], [2**64]))", serow.SchemaError, "more than 64 bits"),
    ("Schema(Union([List(I64()), List(Str())]))", serow.SchemaError, "don't distinguish"),
    ("Schema(Record('\\ud800', []))", serow.SchemaError, "lone surrogate"),
    ("Schema(nested(200))", serow.SerowError, "nest"),
    ("Schema(nested(20_000))", serow.LimitError, "types nest too deep"),
]


def nested(depth: int) -> Type:
    type: Type = I64()
    for _ in range(depth):
        type = List(type)
    return type


@pytest.mark.parametrize(("expression", "error", "text"), WRONG, ids=lambda v: str(v)[:30])
def test_mistakes_are_told(expression: str, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        eval(expression, {**NAMES, "nested": nested})


@dataclass
class Part:
    key: int


CODECS = [
    Codec("(i64, str?)"),
    Codec('R{"it\'s": i64}', wire="row", threads="auto"),
    Codec("i64", compression="zstd", level=3, threads=2, times="portable", arrays="numpy"),
    Codec("i64", fingerprint=False, validate=True, schemas=SchemaSet(["f64", '"\\u{a}"{}'])),
    Codec(Schema.of(Part)),
    Codec(Schema.of(Part | None)),
]


@pytest.mark.parametrize("codec", CODECS, ids=repr)
def test_codecs_evaluate(codec: Codec) -> None:
    names = {**NAMES, "Part": Part, __name__: __import__(__name__)}
    assert eval(repr(codec), names) == codec
    assert eval(repr(codec), names).threads == codec.threads


def test_sets_evaluate_and_are_equal_by_their_schemas() -> None:
    assert repr(SchemaSet()) == "SchemaSet()"
    schemas = SchemaSet(["Part{key: i64}", '"it\'s"{}'])
    assert eval(repr(schemas), NAMES) == schemas
    assert "Part{key: i64}" in schemas
    assert Schema.parse("i64") not in schemas
    other = SchemaSet(iter(schemas))
    other.add("i64")
    assert other != schemas
    assert schemas != list(schemas)
    with pytest.raises(TypeError, match="unhashable"):
        hash(schemas)


def test_a_codec_has_its_schemas() -> None:
    schemas = SchemaSet(["i64"])
    codec = Codec("f64", schemas=schemas)
    assert codec.schemas == schemas
    schemas.add("str")
    assert "str" in codec.schemas
    alone = Codec("f64")
    assert len(alone.schemas) == 0
    alone.schemas.add("i64")
    assert alone.decode_one(Codec("i64").encode_one(7)) == 7.0


def test_a_type_of_rows_may_be_a_schema_or_a_codec() -> None:
    rows = [{"a": 1}, {"a": 2, "b": "x"}]
    message = serow.dumps(rows)
    schema = Schema.parse('{"a": f64, "b": str?}')
    expected = [{"a": 1.0, "b": None}, {"a": 2.0, "b": "x"}]
    for of in (schema, Codec(schema)):
        assert serow.loads(message, type=of) == expected
        assert list(serow.Reader(io.BytesIO(message), type=of)) == expected
        assert serow.from_arrow(serow.to_arrow(rows), type=schema) == expected
