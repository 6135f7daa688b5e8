"""What a reader makes of rows of another schema: `Schema.compare` and `serow.check`."""

import enum
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import serow
from hypothesis import assume, given
from hypothesis import strategies as st
from schema_types import schemas, value_of, versions
from serow import Change, Codec, Comparison, Schema, SchemaSet

pytestmark = pytest.mark.once


def compared(reader: str, writer: str) -> dict[str, tuple[str, str]]:
    """Give the kind and the reason at each path, without warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        comparison = Schema.parse(reader).compare(writer)
    return {change.path: (change.kind, change.reason) for change in comparison}


LACKS = "the writer's schema lacks it"

COMPARED: list[tuple[str, str, dict[str, tuple[str, str]]]] = [
    ("i64", "i64", {"": ("same", "")}),
    ("int", "i64", {"": ("converted", "")}),
    ("i64?", "i64", {"": ("converted", "")}),
    ("f64", "i64", {"": ("converted", "an integer beyond ±2⁵³ is an error")}),
    ("i64", "f64", {"": ("refused", "f64 can't be read as i64")}),
    ("i64", "i64?", {"": ("refused", "it may be null, but i64 may not be null")}),
    ("i64|str", "i64", {"": ("converted", "")}),
    ("[i64]", "[i64]", {"": ("same", "")}),
    ("[f64]", "[i64]", {"[]": ("converted", "an integer beyond ±2⁵³ is an error")}),
    ("[[i64]]", "[[i64]]", {"": ("same", "")}),
    (
        "[(i64, str)]",
        "[(i64, i64)]",
        {"[].0": ("same", ""), "[].1": ("refused", "i64 can't be read as str")},
    ),
    ("[i64]", "[i64,]", {"": ("converted", ""), "0": ("same", "")}),
    (
        "(i64, f64)",
        "[i64]",
        {
            "": ("converted", "another number of elements than 2 is an error"),
            "0": ("same", ""),
            "1": ("converted", "an integer beyond ±2⁵³ is an error"),
        },
    ),
    (
        "(i64, str)",
        "[i64]",
        {
            "": ("converted", "another number of elements than 2 is an error"),
            "0": ("same", ""),
            "1": ("refused", "i64 can't be read as str"),
        },
    ),
    ("(i64, i64)", "{i64}", {"": ("refused", "a set can't be read as a tuple of 2 fields")}),
    ("()", "()", {"": ("same", "")}),
    ("i64", "never", {"": ("converted", "")}),
    ("Part{a: i64, b: str}", "Part{b: str, a: i64}", {"b": ("same", ""), "a": ("same", "")}),
    (
        "Part{a: i64, c: str?, d: str}",
        "Part{a: i64, b: str}",
        {
            "a": ("same", ""),
            "b": ("dropped", ""),
            "c": ("missing", f"{LACKS}; it is null"),
            "d": (
                "refused",
                f"{LACKS}, and str has no default; make the field optional, or give it a default",
            ),
        },
    ),
    ('{"a"?: i64}', "{}", {"a": ("missing", f"{LACKS}; it stays missing")}),
    ("Part{a: i64}", '{"a": i64}', {"": ("converted", ""), "a": ("same", "")}),
    (
        "{str: i64}",
        '{"a": i64, "b": str}',
        {
            "": ("converted", ""),
            "a": ("same", ""),
            "b": ("refused", "str can't be read as i64"),
        },
    ),
    (
        "{i64: f64}",
        '{"a": i64}',
        {
            "": ("converted", ""),
            "key": ("refused", "str can't be read as i64"),
        },
    ),
    (
        "R{a: A{x: i64}}",
        "R{a: B{x: i64}}",
        {"a": ("refused", "it is record B, not A; if it was renamed, give A the former name B")},
    ),
    (
        "enum E{A, B}",
        "enum E{B, C}",
        {"": ("converted", "the reader's enum has no member C")},
    ),
    ("enum E{A, B}", "enum E{B, A}", {"": ("converted", "")}),
    (
        "(timestamp, i64)",
        "(timestamp|timestamptz, i64)",
        {"0": ("converted", "values of timestamptz are errors"), "1": ("same", "")},
    ),
    (
        "A{x: i64}",
        "A{x: i64}|B{}|i64",
        {
            "": ("converted", "values of i64, B{} are errors"),
            "x": ("same", ""),
        },
    ),
    ("A{x: i64}", "B{}|i64", {"": ("refused", "none of i64|B{} can be read as A{x: i64}")}),
    ("bytes", "bytearray", {"": ("converted", "")}),
    (
        '{"a": i64}',
        '{"a": i64?}',
        {
            "a": (
                "refused",
                "it may be null, but i64 may not be null; make the field optional, or give it a "
                "default",
            )
        },
    ),
    (
        "A{x: i64}|B{y: i64}",
        "A{x: i64, z: str}|B{y: f64}|C{}",
        {
            "": ("converted", "values of C{} are errors"),
            "x": ("same", ""),
            "z": ("dropped", ""),
            "y": ("refused", "f64 can't be read as i64"),
        },
    ),
]


@pytest.mark.parametrize(("reader", "writer", "expected"), COMPARED, ids=lambda v: str(v)[:30])
def test_each_part_is_told(reader: str, writer: str, expected: dict[str, tuple[str, str]]) -> None:
    assert compared(reader, writer) == expected


def can_decode(reader: Schema, writer: Schema, value: Any) -> bool | None:
    """Try it. None if the value itself is the trouble."""
    message = Codec(writer).encode([value])
    try:
        Codec(reader).decode(message)
    except serow.SchemaError:
        return False
    except serow.DecodeError:
        return None
    return True


def check_agreement(reader: Schema, writer: Schema) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        comparison = reader.compare(writer)
    assert comparison.reads is bool(comparison) is (not comparison.refused)
    assert (comparison.reader, comparison.writer) == (reader, writer)
    assert str(comparison)
    try:
        value = value_of(writer.type)
    except LookupError:
        assume(False)
        return
    decoded = can_decode(reader, writer, value)
    assert comparison.reads is (decoded is not False), str(comparison)
    if decoded is None:
        # Besides, elements of a set or keys may become equal.
        assert comparison.may_fail or "{" in str(reader)
    if reader == writer:
        assert {change.kind for change in comparison} <= {"same"}


@given(schemas, schemas)
def test_comparisons_agree_with_decoding(reader: Schema, writer: Schema) -> None:
    check_agreement(reader, writer)


@given(st.data(), schemas)
def test_comparisons_of_versions_agree_with_decoding(data: st.DataObject, writer: Schema) -> None:
    try:
        reader = Schema(data.draw(versions(writer.type)))
    except serow.SerowError:
        assume(False)
    check_agreement(reader, writer)
    check_agreement(writer, reader)


@given(schemas)
def test_a_schema_reads_its_own_rows(schema: Schema) -> None:
    check_agreement(schema, schema)


@dataclass
class Part:
    name: str
    key: int
    comment: str | None
    size: int = 1
    tags: list[str] = field(default_factory=list)


def test_defaults_and_ints_of_classes_count() -> None:
    message = serow.dumps([{"key": 1, "name": "peru"}])
    comparison = Schema.of(Part).compare(serow.schema_of(message))
    assert comparison.reads
    assert comparison["size"] == Change(
        "size", "missing", None, serow.types.I64(), f"{LACKS}; it gets its default"
    )
    assert comparison["comment"].reason.endswith("it is null")
    assert serow.loads(message, type=Part) == [Part("peru", 1, None)]
    wide = Schema.of(Part).compare("Part{name: str, key: int, comment: str}")
    assert wide["key"].kind == "same"
    assert not Schema.parse(str(Schema.of(Part))).compare("Part{name: str, key: int, comment: str}")


def test_types_of_classes_are_shown_as_their_schemas_have_them() -> None:
    @dataclass
    class Line:
        key: int
        sizes: list[int]
        name: str
        more: "dict[str, int | None]"

    reader = Schema.of(Line)
    writer = Schema.parse("Line{key: int, sizes: [str], name: i64, more: {str: str?}}")
    comparison = reader.compare(writer)
    assert str(comparison).splitlines() == [
        "key: int",
        "sizes.[]: REFUSED str -> i64; str can't be read as i64",
        "name: REFUSED i64 -> str; i64 can't be read as str",
        "more.key: str",
        "more.value: REFUSED str? -> i64?; str can't be read as i64",
    ]
    assert comparison["name"].writer == serow.types.I64()
    result = serow.check(writer, reader)
    assert "REFUSED str -> i64" in str(result)
    assert "-> int" not in str(result)


def test_limits_are_told() -> None:
    fields = ", ".join(f"f{n}: i64" for n in range(3_000))
    assert Schema.parse(f"R{{{fields}}}").compare(f"R{{{fields}, last: str}}")
    # Decoding takes one step for each missing key of each dict.
    keys = ", ".join(f'"k{n}"?: i64' for n in range(600))
    dicts = f"[{', '.join(['{}'] * 600)}]"
    reader, value = Schema.parse(f"[{{{keys}}}]"), [{}] * 600
    comparison = reader.compare(dicts)
    assert comparison.refused[0].path == ""
    assert "takes more than" in comparison.refused[0].reason
    with pytest.raises(serow.LimitError, match="takes more than"):
        Codec(reader).decode(Codec(dicts).encode([value]))
    large = f"({', '.join(['i64'] * 60_000)})"
    dicts = f"[{', '.join(['{}'] * 20)}]"
    with pytest.raises(serow.LimitError, match="the types of the parts of these rows"):
        Schema.parse(f'[{{"a"?: {large}}}]').compare(dicts)


class TestRenamedFields:
    def test_are_suspected_once(self) -> None:
        new = Schema.parse("Part{key: i64, comment: str?, price: f64?}")
        with pytest.warns(UserWarning, match="perhaps|renamed") as caught:
            comparison = new.compare("Part{key: i64, note: str, cost: f64}")
        assert len(caught) == 1
        assert caught[0].filename == __file__
        assert comparison.reads
        assert comparison.warnings == (
            "field comment, price is never in these rows, and field note, cost is dropped; if a "
            "field was renamed, its values are lost",
        )
        assert "warning: field comment" in str(comparison)

    def test_are_suspected_further_in(self) -> None:
        new = Schema.parse('[A{b: {"x"?: i64}}]')
        with pytest.warns(UserWarning, match=r"field x of \[\].b is never .* field y is dropped"):
            new.compare('[A{b: {"y": i64}}]')

    @pytest.mark.parametrize(
        ("new", "old"),
        [
            ("P{a: i64, b: str?}", "P{a: i64}"),
            ("P{a: i64}", "P{a: i64, b: str?}"),
            ("P{a: i64, b: str?}", "P{b: str?, a: i64}"),
            ("P{a: i64, q: Q{b: str?}}", "P{a: i64, q: Q{}, c: i64}"),
            ('{"a": i64, "b": str}', '{"a": i64, "b"?: str, "c": i64}'),
        ],
    )
    def test_are_not_suspected_without_a_reason(self, new: str, old: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert Schema.parse(new).compare(old).warnings == ()


def test_comparisons_are_shown() -> None:
    comparison = Schema.parse("Part{key: i64}").compare("Part{key: str}")
    assert str(comparison) == "key: REFUSED str -> i64; str can't be read as i64"
    assert repr(comparison) == (
        "<serow.Comparison: Schema.parse('Part{key: i64}') "
        "can't read Schema.parse('Part{key: str}')>"
    )
    with pytest.raises(KeyError, match="no"):
        comparison["no"]
    (change,) = comparison
    assert isinstance(comparison, Comparison)
    assert eval(repr(change), {**vars(serow.types), "Change": Change}) == change


class TestCheck:
    OLD = Schema.parse("Part{key: i64, name: str}")
    FITS = Schema.parse("Part{key: i64, size: i64?}")
    FAILS = Schema.parse("Part{key: str}")

    def test_of_two_schemas(self) -> None:
        result = serow.check(self.OLD, self.FITS)
        assert result
        assert result.raise_if_broken() is result
        assert [(name, bool(one)) for name, one in result.backward] == [("Part", True)]
        # Old readers need the name.
        assert [(name, bool(one)) for name, one in result.forward] == [("Part", False)]
        assert not serow.check(self.OLD, self.FITS, direction="full")
        assert not serow.check(self.OLD, self.FITS, direction="forward")
        assert serow.check(self.FITS, self.OLD, direction="forward")
        assert result.warnings == (f"Part: {result.backward[0][1].warnings[0]}",)

    def test_of_rows_of_other_names(self) -> None:
        assert serow.check(Schema.parse("A{x: i64}"), Schema.parse("B{x: f64}"))
        assert serow.check(Schema.parse("(i64,)"), Schema.parse("(f64,)"))
        assert not serow.check(list[int], list[str])
        assert serow.check(list[int], list[int] | None)

    def test_says_what_is_broken(self) -> None:
        result = serow.check([self.OLD, "Line{x: i64}"], [self.FAILS, "New{}"])
        assert not result.ok
        assert (result.added, result.removed) == (("New",), ("Line",))
        with pytest.raises(serow.SchemaError) as error:
            result.raise_if_broken()
        assert str(error.value) == (
            "Part: Part{key: str} can't read rows of Part{key: i64, name: str}\n"
            "  key: REFUSED i64 -> str; i64 can't be read as str"
        )
        shown = str(result).splitlines()
        assert shown[0] == "new readers, old rows: 0 of 1 can be read"
        assert shown[-2:] == ["added: New", "removed: Line"]

    def test_lists_what_may_fail(self) -> None:
        old = Schema.parse(
            "Part{color: enum Color{A, B}, tags: [str], pair: [i64], at: timestamp|timestamptz, "
            "price: i64, owners: {User{id: i64, name: str}}, by: {User{id: i64, name: str}: i64}}"
        )
        new = Schema.parse(
            "Part{color: enum Color{A}, tags: {str}, pair: (i64, i64), at: timestamp, price: f64, "
            "owners: {User{id: i64}}, by: {User{id: i64}: i64}}"
        )
        result = serow.check(old, new)
        assert result.raise_if_broken().ok
        assert [(name, change.path, change.reason) for name, change in result.may_fail] == [
            ("Part", "color", "the reader's enum has no member B"),
            ("Part", "tags", "an element that comes twice is an error"),
            ("Part", "pair", "another number of elements than 2 is an error"),
            ("Part", "at", "values of timestamptz are errors"),
            ("Part", "price", "an integer beyond ±2⁵³ is an error"),
            ("Part", "owners", "elements that become equal without their fields are an error"),
            ("Part", "by", "keys that become equal without their fields are an error"),
        ]
        assert "Part: may fail: tags: [str] -> {str}; an element" in str(result)
        strict = serow.check(old, new, strict=True)
        assert not strict.ok
        assert strict.broken == ()
        with pytest.raises(serow.SchemaError, match="Part: may fail: color: enum Color"):
            strict.raise_if_broken()
        assert serow.check(new, new, strict=True).ok
        assert serow.check(self.OLD, self.FITS, strict=True).ok

    def test_elements_that_become_equal_are_errors(self) -> None:
        class User(NamedTuple):
            id: int
            name: str

        data = serow.dumps([{User(1, "a"), User(1, "b")}])
        with pytest.raises(serow.DecodeError):
            Codec("{User{id: i64}}").decode(data)

    def test_of_folders_and_classes(self, tmp_path: Path) -> None:
        SchemaSet([self.OLD, "Part{key: i64, name: str, comment: str}"]).save(tmp_path)
        result = serow.check(tmp_path, [Part]).raise_if_broken()
        assert len(result.backward) == 2
        assert serow.check(str(tmp_path), Part)
        SchemaSet([self.FAILS]).save(tmp_path)
        with pytest.raises(
            serow.SchemaError, match="key: REFUSED str -> i64; str can't be read as i64"
        ):
            serow.check(tmp_path, [Part]).raise_if_broken()
        with pytest.raises(FileNotFoundError):
            serow.check(tmp_path / "none", Part)

    def test_of_several_versions_the_new_ones_count(self, tmp_path: Path) -> None:
        old = SchemaSet([self.OLD, self.FAILS])
        assert serow.check(old, old)
        assert serow.check(old, old).backward == ()
        added = SchemaSet([*old, "Part{key: i64|str}"])
        result = serow.check(old, added)
        assert result
        assert len(result.backward) == 2
        assert not serow.check(old, SchemaSet([*old, "Part{key: i64}"]))

    def test_of_dicts(self) -> None:
        old = {"points": "(i64, i64)", "names": "str"}
        assert serow.check(old, {"points": "(f64, f64)", "names": str, "more": Part})
        assert not serow.check(old, {"points": tuple[str, str]})
        assert serow.check(old, {}).removed == ("points", "names")

    def test_of_rows_without_names(self) -> None:
        assert serow.check(["(i64, str)"], ["(i64, str)", "f64"])
        with pytest.raises(ValueError, match=r"rows of \(f64, str\) have no record's name"):
            serow.check(["(i64, str)"], ["(f64, str)"])

    def test_refuses_what_is_none(self) -> None:
        with pytest.raises(ValueError, match="direction must be"):
            serow.check(self.OLD, self.OLD, direction="both")  # type: ignore[arg-type]
        with pytest.raises(serow.SchemaError, match="no type"):
            serow.check([self.OLD], ["string"])
        with pytest.raises(serow.SchemaError):
            serow.check(object(), Part)


def test_former_names_of_members() -> None:
    @serow.name(members={"CRIMSON": serow.Name(was="RED")})
    class Color(enum.Enum):
        BLUE = 1
        CRIMSON = 2

    @dataclass
    class Painted:
        color: Color

    comparison = serow.Schema.of(Painted).compare("Painted{color: enum Color{BLUE = 1, RED = 3}}")
    assert comparison.reads
    assert not comparison.may_fail


def test_several_versions_of_rows_without_a_name(tmp_path: Path) -> None:
    first, second = Schema.parse("A{x: i64}|B{y: str}"), Schema.parse("A{x: i64, z: str}|B{y: str}")
    folder = tmp_path / "schemas"
    serow.SchemaSet([first, second]).save(folder)
    for old in (folder, [first, second], serow.SchemaSet([first, second])):
        assert serow.check({"Reply": old}, {"Reply": first}).ok
        assert not serow.check({"Reply": old}, {"Reply": second}).ok
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="has no schemas, so there is nothing to compare with"):
        serow.check(tmp_path / "empty", [first])
