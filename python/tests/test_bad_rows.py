"""Rows that can't be encoded: the error, and that it names row, field and value."""

import re
import subprocess
import sys
import zoneinfo
from array import array
from collections import UserString
from collections.abc import Iterator
from datetime import datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID, SafeUUID
from zoneinfo import ZoneInfo

import pytest
import serow
from hypothesis import given
from hypothesis import strategies as st


class Field:
    """A field that subclasses of plain classes have, and that decoding would lose."""

    def __init__(self, *args: Any, **_: Any) -> None:
        if isinstance(self, (list, set)):
            super().__init__(*args)
        self.unit = "kg"


class Text(Field, str):
    pass


class Real(Field, float):
    pass


class Items(Field, list[int]):
    pass


class Elements(Field, set[int]):
    pass


class Entries(dict[str, int]):
    __slots__ = ("unit",)

    def __init__(self, **entries: int) -> None:
        super().__init__(**entries)
        self.unit = "kg"


class Stamp(Field, datetime):
    pass


class Money(Field, Decimal):
    pass


class Octets(Field, bytes):
    pass


class OwnZone(tzinfo):
    """A zone with rules of its own."""

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        return moment and timedelta(hours=moment.minute % 2)

    def dst(self, moment: datetime | None) -> timedelta:
        return timedelta(0)


class OwnInt:
    """Not an int at all, to put into a UUID."""


def unsafe_uuid() -> UUID:
    return UUID(int=5, is_safe=SafeUUID.safe)


def spoilt_uuid(held: Any) -> UUID:
    """Give a UUID that its constructor would refuse."""
    uuid = UUID(int=1)
    object.__setattr__(uuid, "int", held)
    return uuid


def nameless_zone() -> ZoneInfo:
    with (Path(zoneinfo.TZPATH[0]) / "Europe/Berlin").open("rb") as file:
        return ZoneInfo.from_file(file)


def misnamed_zone(key: str) -> ZoneInfo:
    with (Path(zoneinfo.TZPATH[0]) / "Europe/Berlin").open("rb") as file:
        return ZoneInfo.from_file(file, key=key)


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError("not to be seen")


UNSUPPORTED = [
    (object(), "<object object at"),
    (int, "<class 'int'>"),
    (len, "<built-in function len>"),
    (..., "Ellipsis"),
    (Text("x"), "'x' (type test_bad_rows.Text); decoding would lose its attribute unit"),
    (Real(1.5), "decoding would lose its attribute unit"),
    (Items([1]), "decoding would lose its attribute unit"),
    (Elements([1]), "decoding would lose its attribute unit"),
    (Entries(a=1), "decoding would lose its attribute unit"),
    (Octets(b"x"), "decoding would lose its attribute unit"),
    (Money("1.5"), "decoding would lose its attribute unit"),
    (Stamp(2024, 2, 29), "decoding would lose its attribute unit"),
    (Stamp(2024, 2, 29, tzinfo=timezone.utc), "decoding would lose its attribute unit"),
    (
        memoryview(array("d", [1.5])),
        "its items are not bytes; use value.tolist()",
    ),
    (SimpleNamespace(a=1), "use vars(value)"),
    (nameless_zone(), "its own code raises PicklingError"),
    (timezone.utc, "use str(value)"),
    ({1: 2}.keys(), "use set(value)"),
    ({1: 2}.values(), "use list(value)"),
    (iter([1]), "use list(value)"),
    (UserString(Text("x")), "its data is no str; use str(value)"),
    (
        datetime(2024, 2, 29, tzinfo=OwnZone()),
        "its tzinfo, a test_bad_rows.OwnZone, may have rules of its own, which a message",
    ),
    (time(1, tzinfo=OwnZone()), "use a datetime.timezone with its offset, or zoneinfo.ZoneInfo"),
    (datetime(2024, 2, 29, tzinfo=nameless_zone()), "a ZoneInfo that was made from a file"),
    (datetime(2024, 2, 29, tzinfo=misnamed_zone("../x")), "with the key of a zone"),
    (time(1, tzinfo=misnamed_zone("")), "a ZoneInfo that was made from a file"),
    (time(1, tzinfo=misnamed_zone("=x")), "a ZoneInfo that was made from a file"),
    (unsafe_uuid(), "use UUID(int=value.int)"),
    (spoilt_uuid(-1), "whose int has 128 bits"),
    (spoilt_uuid(2**128), "whose int has 128 bits"),
    (spoilt_uuid(-(2**200)), "whose int has 128 bits"),
    (spoilt_uuid(OwnInt()), "whose int has 128 bits"),
    (spoilt_uuid(True), "whose int has 128 bits"),
    (object.__new__(UUID), "whose int has 128 bits"),
    (Unprintable(), "Unprintable"),
]


def type_name(value: Any) -> str:
    return type(value).__qualname__


@pytest.mark.parametrize(("value", "shown"), UNSUPPORTED, ids=lambda v: str(type(v).__name__))
class TestUnsupported:
    def test_as_a_row(self, value: Any, shown: str, wire: str, access: str) -> None:
        with pytest.raises(serow.EncodeError) as caught:
            serow.dumps([1, 2, value], wire=wire)
        assert str(caught.value).startswith("row 2, (i64): cannot encode ")
        assert shown in str(caught.value)
        assert type_name(value) in str(caught.value)

    def test_in_a_field_of_a_late_row(self, value: Any, shown: str, wire: str) -> None:
        rows: list[Any] = [(i, "a", [(i, 2.5)]) for i in range(500)]
        rows[417] = (417, value, [(417, 2.5)])
        rows[450] = (object(), "a", [])
        with pytest.raises(serow.EncodeError) as caught:
            serow.dumps(rows, wire=wire)
        assert str(caught.value).startswith("row 417, field 1 (str): cannot encode ")
        assert shown in str(caught.value)
        rows[417] = (417, "a", [(417, 2.5), (417, value)])
        with pytest.raises(serow.EncodeError) as caught:
            serow.dumps(rows, wire=wire)
        assert str(caught.value).startswith("row 417, field 2.1.1 (f64): cannot encode ")
        assert shown in str(caught.value)

    def test_where_nothing_else_is_known(self, value: Any, shown: str) -> None:
        for function in (serow.dumps, serow.Schema.infer, serow.Codec.infer):
            with pytest.raises(serow.EncodeError, match=r"^row 0: cannot encode "):
                function([value])
            with pytest.raises(serow.EncodeError, match=r"^row 0, field 1\.0: cannot encode "):
                function([(1, [value])])
            with pytest.raises(serow.EncodeError, match=r"^row 3, field 1\b.*: cannot encode "):
                function([(1, 2), (1, None), (1, "x"), (1, value)])

    def test_is_not_encoded_by_a_codec(self, value: Any, shown: str, wire: str) -> None:
        for kind in ("i64", "f64", "str", "bool", "[i64]", "(i64, i64)", "null"):
            for optional in ("", "?"):
                codec = serow.Codec(f"(i64, {kind}{optional})", wire=wire)
                expected = str(codec.schema)[6:-1]
                with pytest.raises(serow.EncodeError) as caught:
                    codec.encode([(0, value)])
                at = f"row 0, field 1 ({expected}): cannot encode "
                assert str(caught.value).startswith(at), kind
                assert shown in str(caught.value)


def test_of_several_errors_the_first_is_given(wire: str) -> None:
    rows = [(1, 2, 3)] * 100 + [(1, Text("second"), Text("third")), (Text("later"), 1, 1)]
    with pytest.raises(serow.EncodeError, match=r"row 100, field 1 .*'second'"):
        serow.dumps(rows, wire=wire)


MISFITS = [
    ("i64", [1, 2.0], "row 1, (i64): cannot encode 2.0 (type float)"),
    ("i64", [True], "row 0, (i64): cannot encode True (type bool)"),
    ("bool", [True, 1], "row 1, (bool): cannot encode 1 (type int)"),
    ("f64", [1], "row 0, (f64): cannot encode 1 (type int)"),
    ("str", [None], "row 0, (str): cannot encode None (type NoneType)"),
    ("never", [1], "row 0, (never): cannot encode 1"),
    ("[never]", [[], [1]], "row 1, field 0 (never): cannot encode 1"),
    ("(null, null, null)", [(None, None, 0)], "row 0, field 2 (null): cannot encode 0"),
    ("(i64, i64)", [(1, 2, 3)], "row 0, ((i64, i64)): cannot encode (1, 2, 3) (type tuple)"),
    ("(i64, i64)", [[1, 2]], "row 0, ((i64, i64)): cannot encode [1, 2] (type list)"),
    ("[i64, i64]", [[1]], "row 0, ([i64, i64]): cannot encode [1] (type list)"),
    ("[i64]", [(1,)], "row 0, ([i64]): cannot encode (1,) (type tuple)"),
    ("(i64, ...)", [[1]], "row 0, ((i64, ...)): cannot encode [1] (type list)"),
    ("[i64]", [[1], [2, 3, "x"]], "row 1, field 2 (i64): cannot encode 'x'"),
    ("(i64, i64, i64, i64)", [(1, 2, 3.5, 4)], "row 0, field 2 (i64): cannot encode 3.5"),
    ("(str, f64, f64, i64)", [("a", 1.0, 2, 3)], "row 0, field 2 (f64): cannot encode 2"),
    ("(bool, bool, bool)", [(True, True, 1)], "row 0, field 2 (bool): cannot encode 1"),
    ("(i64, str?)", [(1, None), (1, 2)], "row 1, field 1 (str?): cannot encode 2"),
    ("(i64?, i64?, i64?)", [(None, 1, "x")], "row 0, field 2 (i64?): cannot encode 'x'"),
    ("((i64, str), str)", [((1, "a"), 2)], "row 0, field 1 (str): cannot encode 2"),
    ("((i64, str), str)", [((1, 2), "a")], "row 0, field 0.1 (str): cannot encode 2"),
    ("([f64], [f64])", [([], [1.0, 2])], "row 0, field 1.1 (f64): cannot encode 2"),
    ("[[bool]]", [[[True], [True, False, 3]]], "row 0, field 1.2 (bool): cannot encode 3"),
    ("[(i64, [str?])]", [[(1, [None, "a", 5])]], "row 0, field 0.1.2 (str?): cannot encode 5"),
    ("[[i64]?]", [[None, [1], [None]]], "row 0, field 2.0 (i64): cannot encode None"),
    ("[(i64, i64)?]", [[None, (1, "x")]], "row 0, field 1.1 (i64): cannot encode 'x'"),
    ("(i64|str, f64)", [(1, 1.0), (2.5, 1.0)], "row 1, field 0 (i64|str): cannot encode 2.5"),
    ("(i64|str, f64)", [("a", 1)], "row 0, field 1 (f64): cannot encode 1"),
    ("(i64|(str, f64), i64)", [((("a", 3)), 1)], "row 0, field 0.1 (f64): cannot encode 3"),
    ("[i64|[str]]", [[1, ["a", None]]], "row 0, field 1.1 (str): cannot encode None"),
    ("(i64|str)?", [None, 1.5], "row 1, ((i64|str)?): cannot encode 1.5"),
    ("()|(i64,)|(i64, str)", [(), (1,), (1, 2)], "row 2, field 1 (str): cannot encode 2"),
    ("()|(i64,)", [(1, 2)], "row 0, (()|(i64,)): cannot encode (1, 2)"),
    ("([null], i64)", [([None, None, 0], 1)], "row 0, field 0.2 (null): cannot encode 0"),
    ("([()], str)", [([(), (), (1,)], "")], "row 0, field 0.2 (()): cannot encode (1,)"),
    ("[i64, str, i64]", [[1, "a", "b"]], "row 0, field 2 (i64): cannot encode 'b'"),
    ("(str, i64, i64, str, i64)", [("a", 1, 2, 3, 4)], "row 0, field 3 (str): cannot encode 3"),
]


@pytest.mark.parametrize(("schema", "rows", "message"), MISFITS, ids=lambda v: str(v)[:40])
def test_a_misfit_is_named(
    schema: str, rows: list[Any], message: str, wire: str, access: str
) -> None:
    codec = serow.Codec(schema, wire=wire)
    # A codec still works after an error.
    for _ in range(2):
        with pytest.raises(serow.EncodeError) as caught:
            codec.encode(rows)
        assert str(caught.value).startswith(message)
    good = rows[:-1]
    assert codec.decode(codec.encode(good)) == good


def test_a_misfit_in_a_wide_row_is_named(wire: str) -> None:
    kinds = ["i64", "str", "f64?", "bool", "i64", "i64", "[i64]"]
    values = [1, "a", None, True, 2, 3, [1]]
    codec = serow.Codec("(" + ", ".join(kinds * 200) + ")", wire=wire)
    for field in (0, 1, 2, 3, 4, 5, 699, 700, 1398):
        row: list[Any] = values * 200
        row[field] = b"wrong"
        with pytest.raises(serow.EncodeError, match=rf"^row 1, field {field} \("):
            codec.encode([tuple(values * 200), tuple(row)])


@given(st.data())
def test_a_wrong_value_is_found_at_any_place(data: st.DataObject) -> None:
    """Put an object without a type into rows at a random place, and compare the error's place."""
    shape = st.recursive(
        st.sampled_from([1, 2.5, "x", True, None]),
        lambda inner: (
            st.lists(inner, min_size=1, max_size=4).map(tuple)
            | st.lists(inner, min_size=1, max_size=4)
        ),
        max_leaves=12,
    )
    good = data.draw(st.lists(shape, max_size=5))
    spoilt = data.draw(shape)
    path = []

    def spoil(value: Any) -> Any:
        if not isinstance(value, (list, tuple)) or (data.draw(st.booleans()) and path):
            return Text("spoilt")
        at = data.draw(st.integers(0, len(value) - 1))
        path.append(str(at))
        return type(value)([*value[:at], spoil(value[at]), *value[at + 1 :]])

    row = spoil(spoilt)
    field = rf", field {re.escape('.'.join(path))}\b" if path else ""
    expected = rf"^row {len(good)}{field}.*: cannot encode 'spoilt' \(type test_bad_rows.Text\)"
    for wire in ("frame", "row"):
        with pytest.raises(serow.EncodeError, match=expected):
            serow.dumps([*good, row, row], wire=wire)
        codec = serow.Codec.infer([*good, spoilt], wire=wire)
        with pytest.raises(serow.EncodeError, match=expected):
            codec.encode([*good, row, row])


@pytest.mark.parametrize("rows", [5, None, 2.5, object(), len], ids=str)
def test_rows_must_be_iterable(rows: Any) -> None:
    codec = serow.Codec("i64")
    for function in (serow.dumps, serow.Schema.infer, serow.Codec.infer, codec.encode):
        with pytest.raises(serow.EncodeError, match=rf"iterable of rows, not {type_name(rows)}"):
            function(rows)


@pytest.mark.parametrize("rows", ["text", b"bytes", bytearray(b"x"), {1: 2}, Text("x")], ids=repr)
def test_dicts_texts_and_bytes_are_refused_as_rows(rows: Any) -> None:
    with pytest.raises(serow.EncodeError, match=r"to encode one row, use \[row\]"):
        serow.dumps(rows)


def cyclic_list() -> list[Any]:
    rows: list[Any] = [1]
    rows.append(rows)
    return rows


def cyclic_tuple() -> tuple[Any, ...]:
    inner: list[Any] = []
    outer = (1, inner)
    inner.append(outer)
    return outer


def broad_cycle() -> list[Any]:
    rows: list[Any] = []
    rows.extend([rows] * 50)
    return rows


@pytest.mark.parametrize("make", [cyclic_list, cyclic_tuple, broad_cycle])
def test_a_cycle_is_an_error(make: Any, wire: str, access: str) -> None:
    value = make()
    for rows in ([value], [1, value], [[1]] * 100 + [value]):
        with pytest.raises(serow.LimitError, match=rf"^row {len(rows) - 1}.* 64 deep"):
            serow.dumps(rows, wire=wire)
    with pytest.raises(serow.LimitError, match="64 deep"):
        serow.Schema.infer([value])
    with pytest.raises(serow.EncodeError):
        serow.Codec("[[i64]]", wire=wire).encode([value])


def nested(depth: int, kind: type) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = kind([value])
    return value


@pytest.mark.parametrize("kind", [list, tuple])
def test_nesting_ends_at_64(kind: type, wire: str, access: str) -> None:
    deepest = nested(64, kind)
    assert serow.loads(serow.dumps([deepest, deepest], wire=wire)) == [deepest, deepest]
    codec = serow.Codec.infer([deepest], wire=wire)
    assert codec.decode(codec.encode([deepest])) == [deepest]
    with pytest.raises(serow.LimitError, match="64 deep"):
        serow.dumps([nested(65, kind)], wire=wire)
    with pytest.raises(serow.EncodeError, match=r"row 0, field 0(\.0){63}"):
        codec.encode([nested(65, kind)])
    with pytest.raises(serow.LimitError, match="64 deep"):
        serow.dumps([nested(50_000, kind)], wire=wire)


def test_a_row_with_too_many_fields_says_so(wire: str) -> None:
    row = tuple((1, "a") * 2000 for _ in range(20))
    with pytest.raises(serow.LimitError, match="65536 codes"):
        serow.dumps([row], wire=wire)
    assert serow.loads(serow.dumps([row[:10]], wire=wire)) == [row[:10]]


def test_no_message_is_made_of_rows_before_an_error(wire: str) -> None:
    rows: list[Any] = [1] * 200_000 + [Text("x")]
    with pytest.raises(serow.EncodeError, match=r"^row 200000"):
        serow.dumps(rows, wire=wire)


def test_what_an_iterator_raises_passes_through() -> None:
    class Mine(BaseException):
        pass

    def rows() -> Iterator[int]:
        yield 1
        raise Mine

    codec = serow.Codec("i64")
    into = lambda rows: codec.encode_into(rows, bytearray(100))  # noqa: E731
    for function in (serow.dumps, serow.Schema.infer, serow.Codec.infer, codec.encode, into):
        with pytest.raises(Mine):
            function(rows())
    with pytest.raises(TypeError, match="unsupported operand"):
        serow.dumps(i + "x" for i in range(3))  # type: ignore[operator]

    class Broken:
        def __iter__(self) -> Iterator[int]:
            raise TypeError("my own mistake")

    with pytest.raises(serow.EncodeError, match="not Broken") as caught:
        serow.dumps(Broken())
    assert str(caught.value.__cause__) == "my own mistake"


def test_a_repr_that_changes_the_rows_does_no_harm() -> None:
    rows: list[Any] = [(i, "a") for i in range(1000)]

    class Vandal:
        def __repr__(self) -> str:
            rows.clear()
            return "vandal"

    rows[500] = (500, Vandal())
    with pytest.raises(serow.EncodeError, match=r"row 500, field 1 \(str\): cannot encode vandal"):
        serow.dumps(rows)
    assert rows == []


def test_long_texts_of_values_are_cut() -> None:
    with pytest.raises(serow.EncodeError) as caught:
        serow.dumps([Text("x" * 100_000)])
    assert len(str(caught.value)) < 250
    with pytest.raises(serow.EncodeError) as caught:
        serow.Codec("i64").encode(["\ud800" * 100])
    assert len(str(caught.value)) < 1000


def test_the_wire_is_one_of_two() -> None:
    for call in (
        lambda: serow.dumps([], wire="column"),  # type: ignore[arg-type]
        lambda: serow.Codec("i64", wire="FRAME"),  # type: ignore[arg-type]
        lambda: serow.Codec.infer([], wire=""),  # type: ignore[arg-type]
    ):
        with pytest.raises(ValueError, match="wire must be 'frame' or 'row'"):
            call()
    with pytest.raises(TypeError):
        serow.dumps([], "row")  # type: ignore[misc]


def test_deep_rows_are_released_without_a_crash() -> None:
    """Run in another process, because a stack overflow ends the process."""
    program = (
        "import serow\n"
        "value = 1\n"
        "for _ in range(100_000): value = [value]\n"
        "for wire in 'frame', 'row':\n"
        "    try: serow.dumps([value], wire=wire)\n"
        "    except serow.LimitError: print('limit')\n"
        "for _ in range(100_000): value = value[0]\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "limit\nlimit\n"), done.stderr
