"""Schemas: joined types, the text, the type list, the fingerprint, and mistakes in each."""

import enum
import random
from typing import Any

import pytest
import serow
import wire_format
import xxhash
from hypothesis import given
from hypothesis import strategies as st
from parts import COUNTS, INT, parts_of
from rowtext import fields_of, name_of
from serow import Schema
from strategies import Table, rows, seeds

pytestmark = pytest.mark.once

INFERRED: list[tuple[list[Any], str]] = [
    ([], "never"),
    ([1], "i64"),
    ([1.0], "f64"),
    ([True], "bool"),
    ([None], "null"),
    (["x"], "str"),
    # Types join to an optional or a union; no value is converted.
    ([1, None], "i64?"),
    ([None, None], "null"),
    ([1, 2.5], "i64|f64"),
    ([1, True], "i64|bool"),
    ([2.5, 1, None], "(i64|f64)?"),
    ([True, "x", 2.5, 1], "i64|f64|str|bool"),
    ([1, [1]], "i64|[i64]"),
    ([1, (1,)], "i64|(i64,)"),
    (["x", ["y"], None], "(str|[str])?"),
    # A list whose elements join to one type is a sequence.
    ([[1, 2]], "[i64]"),
    ([[1, None]], "[i64?]"),
    ([[1], [2, 3]], "[i64]"),
    ([[]], "[never]"),
    ([[], []], "[never]"),
    ([[], [1.0]], "[f64]"),
    ([[None]], "[null]"),
    ([[], [None]], "[null]"),
    ([[[]], [[1]]], "[[i64]]"),
    ([[(1, "a"), (2, "b")]], "[(i64, str)]"),
    ([[(1, "a"), (2, None)]], "[(i64, str?)]"),
    # Other lists have a fixed shape if all have the same length.
    ([[1, "a"]], "[i64, str]"),
    ([[1, "a"], [2, "b"]], "[i64, str]"),
    ([[1, "a"], [2, None]], "[i64, str?]"),
    ([[1, "a"], ["b", 2]], "[i64|str, i64|str]"),
    ([[1, "a"], [1, "a", 2.5]], "[i64|f64|str]"),
    ([[1, "a"], []], "[i64|str]"),
    ([[1, "a"], ["b"], None], "[i64|str]?"),
    ([[1, None, "a"]], "[i64, null, str]"),
    # A tuple has a fixed shape, unless tuples of one element type have several lengths.
    ([(1, 2)], "(i64, i64)"),
    ([(1, "a")], "(i64, str)"),
    ([(1,)], "(i64,)"),
    ([()], "()"),
    ([(1, 2), (3, 4)], "(i64, i64)"),
    ([(1, 2), (3, "a")], "(i64, i64|str)"),
    ([(1,), (1, 2)], "(i64, ...)"),
    ([(), (1,)], "(i64, ...)"),
    ([(), ()], "()"),
    ([(1,), (1, None)], "(i64?, ...)"),
    ([(1,), (1, "a")], "(i64,)|(i64, str)"),
    ([(1, "a"), (1, "a", 2.5)], "(i64, str)|(i64, str, f64)"),
    ([(1, "a"), None, (2, None)], "(i64, str?)?"),
    ([((1,), (1, 2))], "((i64,), (i64, i64))"),
    ([[(1,), (1, 2)]], "[(i64, ...)]"),
    # Lists and tuples are different types.
    ([[1], (1,)], "(i64,)|[i64]"),
    ([[1, "a"], (1, "a")], "[i64, str]|(i64, str)"),
    ([8429, [8429, (31.49, "hello")]], "i64|[i64, (f64, str)]"),
]


@pytest.mark.parametrize(("rows", "text"), INFERRED, ids=lambda v: str(v)[:40])
def test_rows_join_to(rows: list[Any], text: str, access: str) -> None:
    assert str(Schema.infer(rows)) == text
    assert str(Schema.infer(rows[::-1])) == text
    assert str(Schema.infer(rows * 3)) == text
    assert serow.Codec.infer(rows).schema == Schema.parse(text)


def test_tuples_of_many_lengths_are_one_sequence() -> None:
    few = [(1, *["x"] * n) for n in range(1, 17)]
    assert str(Schema.infer(few)).count("(i64") == 16
    many = [(1, *["x"] * n) for n in range(1, 18)]
    assert str(Schema.infer(many)) == "(i64|str, ...)"
    assert serow.loads(serow.dumps(many * 10)) == many * 10


def test_a_very_long_row_is_a_sequence() -> None:
    assert str(Schema.infer([(1,) * 4096])).count("i64") == 4096
    assert str(Schema.infer([(1,) * 4097])) == "(i64, ...)"
    assert str(Schema.infer([[1, "x"] * 2048])).count("i64") == 2048
    assert str(Schema.infer([[1, "x"] * 2049])) == "[i64|str]"


@given(rows())
def test_the_order_of_rows_makes_no_difference(rows: list[Any]) -> None:
    # Except the keys of dicts, which have the order of their first occurrence.
    shuffled = random.Random(len(rows)).sample(rows, len(rows))
    assert sorted(Schema.infer(rows).type_list) == sorted(Schema.infer(shuffled).type_list)
    assert Schema.infer(rows + rows) == Schema.infer(rows)


def fits(kind: Any, value: Any) -> bool:
    """Tell whether `value` is of a type, according to the documentation of types alone."""
    code = kind[0]
    scalars = {1: int, 2: float, 3: str, 8: bool, 9: type(None)}
    if code == INT:
        return type(value) is int
    if code in COUNTS:
        made = parts_of(value)
        return made is not None and made.code == code
    if code in scalars:
        return type(value) is scalars[code] and parts_of(value) is None
    if code == 10:
        return value is None or fits(kind[1], value)
    if code in (4, 5):
        return (
            type(value) is (list if code == 4 else tuple)
            and len(value) == len(kind[1])
            and all(map(fits, kind[1], value))
        )
    if code in (11, 12):
        return type(value) is (list if code == 11 else tuple) and all(
            fits(kind[1], v) for v in value
        )
    if code in (28, 29):
        return type(value) is (set if code == 28 else frozenset) and all(
            fits(kind[1], v) for v in value
        )
    if code == 30:
        return type(value) is dict and all(
            fits(kind[1], k) and fits(kind[2], v) for k, v in value.items()
        )
    if code == 31:
        fields = {name: (maybe, field) for name, maybe, field in kind[2]}
        return (
            type(value) is dict
            and value.keys() <= fields.keys()
            and all(maybe or name in value for name, (maybe, _) in fields.items())
            and all(fits(fields[name][1], v) for name, v in value.items())
        )
    if code == 32:
        found = fields_of(value)
        return (
            found is not None
            and name_of(value) == kind[1]
            and list(found) == [name for name, _, _ in kind[2]]
            and all(fits(field, found[name]) for name, _, field in kind[2])
        )
    if code in (36, 37, 38):
        if not isinstance(value, enum.Enum) or type(value).__name__ != kind[1]:
            return False
        members = list(type(value))
        same_values = code == 36 or tuple(members) == kind[3]
        is_of_code = isinstance(value, {36: object, 37: int, 38: str}[code])
        is_plain = not isinstance(value, (int, str))
        names = tuple(member.name for member in members)
        return names == kind[2] and same_values and is_of_code and is_plain == (code == 36)
    return code == 13 and sum(fits(arm, value) for arm in kind[1]) == 1


def is_canonical(kind: Any) -> bool:
    """Tell whether a type has the canonical form of docs/wire-format.md."""
    code = kind[0]
    if code == 10:
        return kind[1][0] not in (9, 10, 15) and is_canonical(kind[1])
    if code in (11, 12, 28, 29):
        return is_canonical(kind[1])
    if code == 30:
        return is_canonical(kind[1]) and is_canonical(kind[2])
    if code in (31, 32):
        names = [name for name, _, _ in kind[2]]
        return len(names) == len(set(names)) and all(is_canonical(f) for _, _, f in kind[2])
    if code in (4, 5):
        return all(map(is_canonical, kind[1]))
    if code == 13:
        arms = kind[1]
        codes = [arm[0] for arm in arms]
        tuples = [len(arm[1]) for arm in arms if arm[0] == 5]
        return (
            len(arms) >= 2
            and not {9, 10, 13, 15} & set(codes)
            and codes == sorted(codes)
            and tuples == sorted(set(tuples))
            and all(codes.count(code) <= 1 for code in (1, 2, 3, 8, 28, 29, *COUNTS))
            and codes.count(30) + codes.count(31) <= 1
            and not {1, INT} <= set(codes)
            and codes.count(4) + codes.count(11) <= 1
            and codes.count(12) + bool(tuples) <= 1
            and all(map(is_canonical, arms))
        )
    return True


@given(rows())
def test_every_row_fits_what_rows_join_to(rows: list[Any]) -> None:
    kind = wire_format.parse(list(Schema.infer(rows).type_list))
    assert is_canonical(kind)
    for row in rows:
        assert fits(kind, row)


@given(rows())
def test_text_list_and_bytes_come_back(rows: list[Any]) -> None:
    schema = Schema.infer(rows)
    assert Schema.parse(str(schema)) == schema
    assert str(Schema.parse(str(schema))) == str(schema)
    assert Schema.parse(" ".join(map(str, schema.type_list))) == schema
    assert Schema.parse(", ".join(map(str, schema.type_list))) == schema
    assert hash(Schema.parse(str(schema))) == hash(schema)
    spelled = wire_format.spelled(list(schema.type_list))
    if max(schema.type_list) < 128:
        assert spelled == bytes(code << 1 | 1 for code in schema.type_list)
    assert schema.fingerprint == xxhash.xxh3_64_intdigest(spelled)


@given(seeds)
def test_a_message_has_the_bytes_of_its_schema(seed: int) -> None:
    table = Table(seed).rows(most=100)
    codec = serow.Codec.infer(table)
    for frame in wire_format.frames(codec.encode(table))[:1]:
        assert tuple(wire_format.codes(frame.schema)) == codec.schema.type_list


LISTS = [
    ("[i64, (f64, str)]", (4, 1, 5, 2, 3, 7, 6)),
    ("(i64, str, str?, [f64])", (5, 1, 3, 10, 3, 11, 2, 7)),
    ("bool", (8,)),
    ("null", (9,)),
    ("never", (15,)),
    ("[never]", (11, 15)),
    ("(i64, ...)", (12, 1)),
    ("(i64|f64)?", (10, 13, 1, 2, 14)),
    ("[]", (4, 6)),
    ("()", (5, 7)),
    ("[i64,]", (4, 1, 6)),
    ("(i64,)", (5, 1, 7)),
    ("i64|()|(i64, str)|bool|[str?]", (13, 1, 5, 7, 5, 1, 3, 7, 8, 11, 10, 3, 14)),
]


@pytest.mark.parametrize(("text", "type_list"), LISTS, ids=str)
def test_type_lists(text: str, type_list: tuple[int, ...]) -> None:
    schema = Schema.parse(text)
    assert schema.type_list == type_list
    assert str(schema) == text
    assert repr(schema) == f"Schema.parse('{text}')"
    assert Schema.parse(" ".join(map(str, type_list))) == schema


SAME = [
    ("i64??", "i64?"),
    ("never?", "null"),
    ("null?", "null"),
    ("null|null", "null"),
    ("i64|i64", "i64"),
    ("i64|never", "i64"),
    ("i64|null", "i64?"),
    ("i64?|str", "(i64|str)?"),
    ("str|i64", "i64|str"),
    ("(i64|str)|f64", "i64|f64|str"),
    ("((i64))", "i64"),
    ("(i64)?", "i64?"),
    ("(i64,str,)", "(i64, str)"),
    ("[ i64 , str , ]", "[i64, str]"),
    ("(i64,...)", "(i64, ...)"),
    ("\n(i64,\t str)\n", "(i64, str)"),
    ("  4 1 5 2 3 7 6 ", "[i64, (f64, str)]"),
    ("10,10,1", "i64?"),
    ("13 3 1 14", "i64|str"),
]


@pytest.mark.parametrize(("text", "canonical"), SAME, ids=repr)
def test_one_schema_can_be_spelled_in_several_ways(text: str, canonical: str) -> None:
    assert str(Schema.parse(text)) == canonical
    assert Schema.parse(text) == Schema.parse(canonical)
    assert serow.Codec(text).schema == Schema.parse(canonical)


def test_schemas_are_values() -> None:
    one, same, other = Schema.parse("(i64,)"), Schema.infer([(1,)]), Schema.parse("[i64,]")
    assert one == same
    assert one != other
    assert one != "(i64,)"
    assert {one: 1}[same] == 1
    assert len({one, same, other}) == 2
    with pytest.raises(AttributeError):
        one.fingerprint = 1  # type: ignore[misc]
    with pytest.raises(TypeError):
        Schema()


MISTAKES = [
    ("", 1, "expected a type"),
    ("   ", 4, "expected a type"),
    ("integer", 1, '"integer"'),
    ("(i64, strr)", 7, '"strr"'),
    ("(i64", 5, "expected ',' or ')'"),
    ("[i64", 5, "expected ',' or ']'"),
    ("(i64, str]", 10, "expected ',' or ')'"),
    ("(i64 str)", 6, "expected ',' or ')'"),
    ("i64)", 4, "end of the schema"),
    ("i64 i64", 5, "end of the schema"),
    ("i64|", 5, "expected a type"),
    ("|i64", 1, "expected a type"),
    ("?", 1, "expected a type"),
    ("(,)", 2, "expected a type"),
    ("[i64,,]", 6, "expected a type"),
    ("(...)", 2, "expected a type"),
    ("(i64, str, ...)", 12, "expected a type"),
    ("(i64, ..., str)", 10, "expected ',' or ')'"),
    ("[i64, ...]", 7, "expected a type"),
    ("(i64, 5)", 7, "5"),
    ("(é, i64)", 2, '"é"'),
    ("(str, =)", 7, "expected a type"),
    ("(str, 😀)", 7, '"😀"'),
    ("([i64]|[str],)", 2, "don't distinguish"),
    ("(i64,)|(str,)", 1, "don't distinguish"),
    ("(i64, ...)|(str,)", 1, "don't distinguish"),
    ("1 2 x", 5, '"x"'),
    ("5 1 -1", 5, '"-1"'),
    ("5 99999999999 7", 3, '"99999999999"'),
    ("1.5", 1, '"1.5"'),
]


@pytest.mark.parametrize(("text", "column", "what"), MISTAKES, ids=repr)
def test_a_mistake_is_pointed_at(text: str, column: int, what: str) -> None:
    for make in (Schema.parse, serow.Codec):
        with pytest.raises(serow.SchemaError) as caught:
            make(text)
        first, shown, pointer = str(caught.value).split("\n")
        assert first.startswith(f"schema, column {column}: ")
        assert what in first
        assert shown == "  " + text.replace("\n", " ")
        assert pointer.index("^") == column + 1


@pytest.mark.parametrize(
    ("text", "index", "what"),
    [
        ("0", 0, "code 0"),
        ("1 1", 1, "expected the end"),
        ("50", 0, "code 50"),
        ("5 1", 2, "end of the list"),
        ("5 1 6", 2, "code 6"),
        ("10", 1, "end of the list"),
        ("13 11 1 11 2 14", 0, "don't distinguish"),
        ("5 13 5 1 7 5 2 7 14 7", 1, "don't distinguish"),
    ],
    ids=repr,
)
def test_a_mistake_in_a_type_list_names_its_index(text: str, index: int, what: str) -> None:
    with pytest.raises(serow.SchemaError, match=what) as caught:
        Schema.parse(text)
    assert str(caught.value).startswith(f"type list, index {index}: ")


def test_a_mistake_in_a_long_text_is_shown_with_what_is_around_it() -> None:
    text = "(" + "i64, " * 1000 + "what, " + "i64, " * 1000 + ")"
    with pytest.raises(serow.SchemaError) as caught:
        Schema.parse(text)
    first, shown, pointer = str(caught.value).split("\n")
    assert "column 5002" in first
    assert len(shown) < 100
    assert shown[pointer.index("^") :].startswith("what")


def test_limits() -> None:
    assert Schema.parse("[" * 64 + "i64" + "]" * 64).type_list == (11,) * 64 + (1,)
    for deep in ("[" * 65 + "i64" + "]" * 65, "[" * 100_000, "(" * 100_000, "11 " * 66 + "1"):
        with pytest.raises((serow.LimitError, serow.SchemaError), match="64 deep"):
            Schema.parse(deep)
    assert len(Schema.parse("(" + "i64," * 65_534 + ")").type_list) == 65_536
    for wide in ("(" + "i64," * 65_535 + ")", "5 " + "1 " * 200_000 + "7"):
        with pytest.raises(serow.LimitError, match="65536 codes"):
            Schema.parse(wide)


@given(st.text("i64strfnulbo()[],.?| 0123456789\n", max_size=40) | st.text(max_size=20))
def test_any_text_is_a_schema_or_a_mistake(text: str) -> None:
    try:
        schema = Schema.parse(text)
    except (serow.SchemaError, serow.LimitError):
        return
    assert Schema.parse(str(schema)) == schema
    assert is_canonical(wire_format.parse(list(schema.type_list)))


def test_only_text_is_parsed() -> None:
    for wrong in (None, 5, b"i64", [1]):
        with pytest.raises(TypeError):
            Schema.parse(wrong)  # type: ignore[arg-type]


def test_every_row_is_looked_at_and_the_first_that_has_no_type_is_named() -> None:
    rows: list[Any] = [(1, "a")] * 5000
    rows[4321] = (1, None)
    assert str(Schema.infer(rows)) == "(i64, str?)"
    assert str(Schema.infer(iter(rows))) == "(i64, str?)"
    rows[4000] = (1, object)
    rows[4400] = object()
    with pytest.raises(serow.EncodeError, match=r"^row 4000, field 1: cannot encode <class"):
        Schema.infer(rows)
