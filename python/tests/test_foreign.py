"""Values of NumPy, pandas and the module `array`, in all kinds of rows."""

import dataclasses
import enum
import re
import subprocess
import sys
from array import array
from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import attrs
import numpy as np
import pandas as pd
import pydantic
import pytest
import serow
from foreign import check, same, shown
from hypothesis import given
from hypothesis import strategies as st
from serow import _foreign, _native
from strategies import ints, values, wild_texts

ROOT = Path(__file__).parents[2]


def table_of_values() -> list[tuple[str, str]]:
    """Give the rows of the table in docs/types.md: a foreign value, and the plain one."""
    text = (ROOT / "docs" / "types.md").read_text()
    return re.findall(r"^\| `((?:np|pd|array)[^`]+)` \| `([^`]+)` \|$", text, re.MULTILINE)


def test_the_table_of_values_is_there() -> None:
    assert len(table_of_values()) > 15


@pytest.mark.parametrize(("foreign", "plain"), table_of_values())
def test_the_examples_of_the_table(foreign: str, plain: str) -> None:
    names = {"np": np, "pd": pd, "array": array, "ZoneInfo": ZoneInfo}
    names |= {"date": date, "datetime": datetime, "timedelta": timedelta, "timezone": timezone}
    check(eval(foreign, names), eval(plain, names))


def test_the_ends_of_time(access: str) -> None:
    check(np.datetime64("0001-01-01"), date.min)
    check(np.datetime64("9999-12-31"), date.max)
    check(np.datetime64("0001-01-01", "us"), datetime.min)
    check(np.datetime64("9999-12-31T23:59:59.999999"), datetime.max)
    check(np.timedelta64(999_999_999, "D"), timedelta(999_999_999))
    check(np.timedelta64(-999_999_999, "D"), timedelta.min)
    check(np.timedelta64(2, "W"), timedelta(14))
    check(pd.Timestamp(datetime.max), datetime.max)
    check(pd.Timestamp(datetime.min), datetime.min)
    check(pd.Timedelta(np.timedelta64(999_999_999, "D").astype("m8[s]")), timedelta(999_999_999))


@pytest.mark.parametrize("code", "bBhHiIlLqQ")
def test_arrays_of_the_module_array(code: str, access: str) -> None:
    bits = array(code).itemsize * 8
    edges = [0, 1, 2**bits - 1] if code.isupper() else [-(2 ** (bits - 1)), 0, 2 ** (bits - 1) - 1]
    check(array(code, edges), edges)
    check(array(code), [])


def test_other_arrays_of_the_module_array() -> None:
    check(array("f", [0.5, -0.0]), [0.5, -0.0])
    check(array("d", [0.1]), [0.1])
    check(array("u", "a羚"), ["a", "羚"])


class Point(NamedTuple):
    x: Any
    y: Any


@dataclasses.dataclass
class Part:
    key: Any
    name: Any = "almond"
    of: dataclasses.InitVar[int] = 0


@dataclasses.dataclass(frozen=True)
class Slotted:
    __slots__ = ("key", "name")
    key: Any
    name: Any


@attrs.define
class Attrs:
    key: Any
    name: Any


class Model(pydantic.BaseModel):
    key: Any
    name: Any

    def __init__(self, key: Any, name: Any) -> None:
        super().__init__(key=key, name=name)


class Real(enum.Enum):
    HALF = np.float64(0.5)
    ONE = np.float64(1.0)


@pytest.mark.parametrize("kind", [Point, Part, Slotted, Attrs, Model])
def test_records_are_of_the_same_type(kind: Any, access: str, wire: str) -> None:
    foreign, plain = kind(np.int8(1), np.str_("b")), kind(1, "b")
    same([plain, foreign], [plain, plain], wire)
    same([(foreign, [kind(foreign, None)])], [(plain, [kind(plain, None)])], wire)
    (back,) = serow.loads(serow.dumps([foreign], wire=wire))
    assert type(back).__name__ == kind.__name__
    assert tuple(back) == (1, "b")
    same([back], [plain], wire)


def test_records_that_were_decoded() -> None:
    (row,) = serow.loads(serow.dumps([Point(1, 2)]))
    same([row._replace(x=np.int8(5))], [row._replace(x=5)], "frame")


def test_a_record_that_has_more_than_its_fields_is_an_error() -> None:
    part = Part(np.int8(1))
    part.more = 1  # type: ignore[attr-defined]
    with pytest.raises(
        serow.EncodeError, match=r"^row 1, field 0.*its attribute more is not a field"
    ):
        serow.dumps([(np.int8(1),), (part,)])


def test_members_of_enums_are_members() -> None:
    rows = [(Real.HALF, np.int8(1)), (Real.ONE, np.int8(2))]
    same(rows, [(Real.HALF, 1), (Real.ONE, 2)], "row")
    assert str(serow.Schema.infer(rows)) == "(enum Real{HALF, ONE}, i64)"


def test_rows_may_be_an_array(access: str, wire: str) -> None:
    def back(rows: Any) -> Any:
        return shown(serow.loads(serow.dumps(rows, wire=wire)))

    table = np.arange(6.0).reshape(3, 2)
    assert back(table) == shown([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
    assert back(table[0]) == shown([0.0, 1.0])
    assert back(array("i", [1, 2])) == shown([1, 2])
    assert back(pd.Series([1.5, 2.5])) == shown([1.5, 2.5])
    assert back(pd.Index(["a", "b"])) == shown(["a", "b"])
    assert back(np.empty((0, 2))) == shown([])
    assert back(iter(np.arange(2))) == shown([0, 1])
    codec = serow.Codec("[f64]", wire=wire)  # type: ignore[arg-type]
    assert codec.decode(codec.encode(table)) == table.tolist()


@pytest.mark.parametrize("rows", [np.array(5), np.float64(1), pd.NaT, pd.Timestamp(0)], ids=repr)
def test_rows_that_are_none(rows: Any) -> None:
    with pytest.raises(serow.EncodeError, match=f"iterable of rows, not {type(rows).__name__}"):
        serow.dumps(rows)


def test_of_several_errors_the_first_is_given() -> None:
    rows = [np.int64(1)] * 50 + [pd.Timestamp(1), object()]
    with pytest.raises(serow.EncodeError, match=r"^row 50, .*round\('us'\)"):
        serow.dumps(rows)
    with pytest.raises(serow.EncodeError, match=r"^row 50, .*cannot encode <object"):
        serow.dumps([*rows[:50], object(), pd.Timestamp(1)])
    with pytest.raises(serow.EncodeError, match=r"^row 0, \(i64\): cannot encode <object"):
        serow.dumps([object(), np.int64(1)])


def test_a_misfit_shows_the_plain_value(wire: str, access: str) -> None:
    for schema, row, message in [
        ("str", np.int8(5), "row 0, (str): cannot encode 5 (type int)"),
        ("f64", np.int8(5), "row 0, (f64): cannot encode 5 (type int)"),
        ("(i64, i64)", np.arange(2), "row 0, ((i64, i64)): cannot encode [0, 1] (type list)"),
        (
            '{"a": i64}',
            {np.str_("b"): 1},
            "row 0, ({\"a\": i64}): cannot encode {'b': 1} (type dict)",
        ),
    ]:
        with pytest.raises(serow.EncodeError) as caught:
            serow.Codec(schema, wire=wire).encode([row])  # type: ignore[arg-type]
        assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    "value", [{pd.NaT, None}, {pd.NaT: 1, pd.NA: 2}, {(pd.NaT,), (None,)}], ids=repr
)
def test_elements_and_keys_that_become_equal_are_an_error(value: Any, wire: str) -> None:
    with pytest.raises(serow.EncodeError, match=r"^row 1, .*equals another element of its set"):
        serow.dumps([np.int8(1), (value,)], wire=wire)  # type: ignore[arg-type]


@dataclasses.dataclass(eq=False)
class ByIdentity:
    x: Any


@pytest.mark.parametrize(
    "value",
    [{ByIdentity(np.array([1, 2], np.uint64)): "v"}, {ByIdentity([np.int64(1)])}],
    ids=repr,
)
def test_elements_and_keys_that_lose_their_hash_are_an_error(value: Any, wire: Any) -> None:
    for encode in (
        lambda: serow.dumps([value], wire=wire),
        lambda: serow.Codec("i64", wire=wire).encode([value]),
    ):
        # A list of plain values has no hash either.
        with pytest.raises(serow.SerowError, match=r"^row 0|must have a hash"):
            encode()
    with pytest.raises(serow.SerowError, match="hash"):
        serow.dumps([value], wire=wire)


def test_a_moment_without_a_unit_is_an_error() -> None:
    for value in (np.zeros(2, "datetime64"), np.zeros((), "datetime64")[()], np.timedelta64(5)):
        with pytest.raises(serow.EncodeError, match=r"^row 1.*it has no unit"):
            serow.dumps([1, value])


def test_elements_that_differ_do_not_become_equal() -> None:
    nans = {np.float64("nan"), np.float64("nan"), np.float32(0.1), 0.1}
    assert len(nans) == 4
    copied = _foreign.plain_rows([nans], 0, 1, lambda value: None, 64, True)
    assert [type(item) for item in copied[0]] == [float] * 4


def holding_itself() -> list[Any]:
    row: list[Any] = [np.int64(1)]
    row += [row] * 50
    return row


def object_holding_itself() -> Any:
    row = np.array([np.int64(1), None], object)
    row[1] = row
    return row


def dict_holding_itself() -> dict[Any, Any]:
    row: dict[Any, Any] = {np.int64(1): np.int64(2)}
    row[np.str_("self")] = {"row": row}
    return row


def record_holding_itself() -> Part:
    row = Part(np.int64(1))
    row.name = (row, [row])
    return row


def nested(depth: int, value: Any, kind: Callable[[Any], Any]) -> Any:
    for _ in range(depth):
        value = kind(value)
    return value


MAKERS = [holding_itself, object_holding_itself, dict_holding_itself, record_holding_itself]


@pytest.mark.parametrize("make", MAKERS)
def test_a_cycle_is_an_error(make: Callable[[], Any], wire: Any, access: str) -> None:
    row = make()
    for before in ([], [np.int8(1)], [[np.int8(1)]] * 100):
        with pytest.raises(serow.LimitError, match=rf"^row {len(before)}.* 64 deep"):
            serow.dumps([*before, row, pd.Timestamp(1)], wire=wire)
    with pytest.raises(serow.LimitError, match="64 deep"):
        serow.Schema.infer([row])
    with pytest.raises(serow.EncodeError, match=r"^row 0"):
        serow.Codec("[[i64]]", wire=wire).encode([row])


WRAPPERS: list[Callable[[Any], Any]] = [
    lambda value: [value],
    lambda value: (value,),
    lambda value: frozenset([value]),
    lambda value: {"a": value},
    lambda value: Point(1, value),
    lambda value: np.array([value, None], object)[:1],
]


@pytest.mark.parametrize("wrap", WRAPPERS)
def test_nesting_ends_at_64(wrap: Callable[[Any], Any], wire: Any) -> None:
    deepest, plain = nested(64, np.int8(1), wrap), nested(64, 1, wrap)
    if type(plain) is not np.ndarray:
        same([deepest], [plain], wire)
    assert serow.loads(serow.dumps([deepest], wire=wire))
    for depth in (65, 66, 200):
        with pytest.raises(serow.LimitError, match=r"^row 1: .*64 deep"):
            serow.dumps([np.int8(1), nested(depth, np.int8(1), wrap)], wire=wire)


def test_shared_objects_are_copied_once() -> None:
    row: Any = [np.int8(1)]
    for _ in range(60):
        row = [row, row]
    copied = _foreign.plain_rows([row], 0, 1, lambda value: None, 64, True)[0]
    for _ in range(60):
        assert copied[0] is copied[1]
        copied = copied[0]
    assert copied == [1]


def test_objects_without_foreign_values_are_not_copied() -> None:
    part = Part([1, {2: {3}}])
    rows: list[Any] = [[1, (2.5, {"a": {1}})], (frozenset([1]),), part, None, b"", object()]
    copied = _foreign.plain_rows(
        [*rows, [*rows, np.int8(1)]], 0, len(rows) + 1, lambda value: None, 64, True
    )
    assert len(copied) == len(rows) + 1
    assert all(map(lambda one, other: one is other, rows, copied))
    assert all(map(lambda one, other: one is other, rows, copied[-1]))
    assert copied[-1][-1] == 1


class Odd:
    """A class that claims to belong to NumPy."""


class Odder:
    __module__ = 5  # type: ignore[assignment]


@pytest.mark.parametrize("module", ["numpy", "numpy.core", "pandas", "array", "pandas.x"])
def test_classes_that_only_claim_to_be_foreign_are_an_error(module: str) -> None:
    claiming = type("Claiming", (), {"__module__": module})
    for value in (claiming(), {claiming(): 1}):
        with pytest.raises(serow.EncodeError, match=r"Claiming.*knows no plain value") as caught:
            serow.dumps([1, value])
        assert str(caught.value).startswith("row 1")


def test_other_classes_are_an_error_as_before() -> None:
    for value in (Odd(), Odder(), type("Own", (np.ndarray,), {})((1,))):
        with pytest.raises(serow.EncodeError, match=r"^row 1, \(i64\): cannot encode"):
            serow.dumps([np.int8(1), value])


@pytest.mark.parametrize("schema", ["(i64, f64?, [str])", '{"a": i64, "b": {f64}}', "{str: [i64]}"])
def test_compiled_codecs_take_them_too(schema: str, wire: Any) -> None:
    if _native.object_access() != "direct":
        pytest.skip("nothing is compiled")
    codecs = [_native.codec_alone(schema, wire=wire) for _ in range(2)]
    codecs[0].compile("encode")
    good = {
        "(": ((np.uint8(1), pd.NaT, np.array(["a"])), (1, None, ["a"])),
        '{"': ({"a": np.int64(1), "b": {np.float64(0.5)}}, {"a": 1, "b": {0.5}}),
        "{s": ({np.str_("a"): array("b", [1])}, {"a": [1]}),
    }
    foreign, plain = good['{"' if schema[1] == '"' else "{s" if schema[0] == "{" else "("]
    message = codecs[1].encode([plain] * 300)
    errors = []
    for codec in codecs:
        assert codec.encode([plain] * 200 + [foreign] * 100) == message
        for bad in (np.datetime64(1, "ns"), [np.int8(1)], np.zeros((1, 1)), {np.str_("c"): 1}):
            with pytest.raises(serow.EncodeError, match=r"^row 299, ") as caught:
                codec.encode([plain, foreign] * 149 + [plain, bad])
            errors.append(str(caught.value))
    assert errors[:4] == errors[4:]


# NumPy has no fold, and wraps durations that exceed 64 bits.
moments = st.datetimes().map(lambda value: value.replace(fold=0))
lengths = st.timedeltas(timedelta(-100_000), timedelta(100_000))
SCALARS: list[Any] = [
    ints.map(lambda value: (np.int64(value), value)),
    st.integers(0, 2**64 - 1).map(lambda value: (np.uint64(value), value)),
    st.floats(width=32).map(lambda value: (np.float32(value), value)),
    st.floats(allow_nan=False).map(lambda value: (np.float64(value), value)),
    st.booleans().map(lambda value: (np.bool_(value), value)),
    wild_texts.map(lambda value: (np.str_(value), value)),
    st.binary(max_size=9).map(lambda value: (np.bytes_(value), value)),
    moments.map(lambda value: (np.datetime64(value), value)),
    moments.map(lambda value: (pd.Timestamp(value), value)),
    lengths.map(lambda value: (pd.Timedelta(value), value)),
    lengths.map(lambda value: (np.timedelta64(value), value)),
    st.sampled_from([(pd.NaT, None), (pd.NA, None), (np.datetime64("NaT"), None)]),
]
LEAVES: Any = st.one_of(*SCALARS) | values().map(lambda value: (value, value))
# An array without elements says what its elements would be, and a list does not.
ARRAYS: Any = st.lists(ints, min_size=1, max_size=4).map(
    lambda items: (np.array(items, "i8"), items)
)


def both(kind: Callable[[list[Any]], Any]) -> Callable[[list[tuple[Any, Any]]], tuple[Any, Any]]:
    """Make a container from the foreign values, and one from the plain values."""
    return lambda items: (kind([item for item, _ in items]), kind([item for _, item in items]))


def dicts(items: list[tuple[Any, Any]]) -> tuple[Any, Any]:
    names = ["a", "b", "", "羚"][: len(items)]
    foreign = {np.str_(name): item for name, (item, _) in zip(names, items, strict=False)}
    return foreign, {name: item for name, (_, item) in zip(names, items, strict=False)}


def object_array(items: list[Any]) -> Any:
    made = np.empty(len(items), object)
    for at, item in enumerate(items):
        made[at] = item
    return made


def containers(inner: Any) -> Any:
    items = st.lists(inner, max_size=4)
    pair = st.lists(inner, min_size=2, max_size=2)
    arrays = items.map(
        lambda items: (object_array([item for item, _ in items]), [p for _, p in items])
    )
    return st.one_of(
        items.map(both(list)),
        items.map(both(tuple)),
        items.map(dicts),
        arrays,
        pair.map(both(lambda fields: Point(*fields))),
        pair.map(both(lambda fields: Part(*fields))),
    )


MIXED: Any = st.recursive(LEAVES | ARRAYS, containers, max_leaves=12)


@given(st.lists(MIXED, max_size=12))
def test_any_rows_are_encoded_as_their_plain_ones(access: str, pairs: list[Any]) -> None:
    foreign, plain = [row for row, _ in pairs], [row for _, row in pairs]
    for wire in ("frame", "row"):
        if "array(" not in repr(foreign):
            assert outcome(foreign, wire) == outcome(plain, wire)
            continue
        # Arrays of one length are lists of any length, and lists of different types are not.
        results = [outcome(rows, wire) for rows in (foreign, plain)]
        if all(type(of) is tuple for of in results):
            assert shown(serow.loads(results[0][1])) == shown(serow.loads(results[1][1]))


def outcome(rows: list[Any], wire: Any) -> Any:
    try:
        return serow.Schema.infer(rows), serow.dumps(rows, wire=wire)
    except serow.SerowError as error:
        return type(error)


@given(st.lists(st.one_of(*SCALARS), min_size=1, max_size=8))
def test_sets_and_maps_of_any_scalars(pairs: list[Any]) -> None:
    foreign, plain = ([pair[of] for pair in pairs] for of in (0, 1))
    rows = (
        [(set(foreign), dict.fromkeys(foreign, np.int8(1)))],
        [(set(plain), dict.fromkeys(plain, 1))],
    )
    if len(rows[0][0][0]) == len(rows[1][0][0]):
        results = [outcome(row, "frame") for row in rows]
        if type(results[1]) is type:
            assert results[0] == results[1]
        else:
            assert results[0][0] == results[1][0]
            assert shown(serow.loads(results[0][1])) == shown(serow.loads(results[1][1]))


def run(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_nothing_is_imported_for_it() -> None:
    out = run(
        "import sys, serow\n"
        "serow.dumps([(1, 'a'), {'b': 2.5}])\n"
        "try: serow.Codec('i64').encode(['a'])\n"
        "except serow.EncodeError: pass\n"
        "print('serow._foreign' in sys.modules, 'array' in sys.modules)\n"
        "from array import array\n"
        "print(serow.loads(serow.dumps([array('i', [1])])))\n"
        "print(sorted({'numpy', 'pandas'} & sys.modules.keys()))\n"
        "sys.modules['numpy'] = None\n"
        "print(serow.loads(serow.dumps([array('i', [1])])))\n"
    )
    assert out == "False False\n[[1]]\n[]\n[[1]]\n"
    out = run(
        "import sys, serow, numpy\n"
        "print(serow.loads(serow.dumps([numpy.int8(1)])), 'pandas' in sys.modules)\n"
        "value = numpy.float16(2)\n"
        "sys.modules['numpy'] = None\n"
        "try: serow.dumps([value])\n"
        "except serow.EncodeError as error: print(error)\n"
    )
    assert out.startswith(
        "[1] False\nrow 0: cannot encode np.float16(2.0) (type numpy.float16); serow knows no plain"
    )
