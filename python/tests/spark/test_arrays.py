"""Arrow arrays with structs give the same values as PySpark's own code makes of them."""

from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import Row
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    LongType,
    MapType,
    NullType,
    StringType,
    StructType,
    TimestampNTZType,
    TimestampType,
    UserDefinedType,
)
from shown import shown

pa = pytest.importorskip("pyarrow")
conversion = pytest.importorskip("pyspark.sql.conversion")
ArrowTableToRowsConversion = conversion.ArrowTableToRowsConversion
if not hasattr(ArrowTableToRowsConversion, "_to_pylist"):
    pytest.skip("this Spark makes rows of Arrow in another way", allow_module_level=True)

from serow.spark import structs  # noqa: E402

PAIR = StructType().add("a", LongType()).add("b", StringType())
PAIR_IN_ARROW = pa.struct({"a": pa.int64(), "b": pa.string()})

#: PySpark's maker of converters.
Stock = Callable[..., Any]


@pytest.fixture(autouse=True, params=[False, True], ids=["new pyarrow", "old pyarrow"])
def worker(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let PySpark's functions work as in a task, and as with an older pyarrow too."""
    for name in ("_to_pylist", "_create_converter"):
        function = staticmethod(getattr(ArrowTableToRowsConversion, name))
        monkeypatch.setattr(ArrowTableToRowsConversion, name, function)
    by_hand = staticmethod(lambda: request.param)
    monkeypatch.setattr(ArrowTableToRowsConversion, "_should_manual_bulk", by_hand)
    task = object()
    monkeypatch.setattr(structs.TaskContext, "get", staticmethod(lambda: task))


def converted(convert: Callable[[Any], Any], array: Any) -> Any:
    """Convert an array as a worker does in an enabled session."""
    return shown([convert(value) for value in ArrowTableToRowsConversion._to_pylist(array)])


def counted(stock: Stock, calls: list[Any]) -> Stock:
    """Give a factory whose converters of types with structs note their calls."""

    def create(of: DataType, **options: Any) -> Any:
        convert = stock(of, **options)

        def noting(value: Any) -> Any:
            calls.append(value)
            return convert(value)

        return noting if isinstance(of, (StructType, ArrayType, MapType)) else convert

    return create


#: Columns, with the kinds of nulls that they can have.
COLUMNS: list[tuple[DataType, Any, Any]] = [
    (PAIR, [{"a": 1, "b": "x"}, None, {"a": None, "b": None}], PAIR_IN_ARROW),
    (ArrayType(PAIR), [[{"a": 1, "b": "x"}, None], None, [], [{"a": 2}]], pa.list_(PAIR_IN_ARROW)),
    (
        MapType(StringType(), PAIR),
        [[("k", {"a": 1, "b": "x"}), ("l", None)], None, [], [("k", {"a": 2}), ("k", {"a": 3})]],
        pa.map_(pa.string(), PAIR_IN_ARROW),
    ),
    (
        StructType().add("s", ArrayType(PAIR)).add("t", TimestampType()),
        [
            {"s": [{"a": 1}], "t": datetime(2024, 10, 27, 0, 30, tzinfo=timezone.utc)},
            None,
            {"s": None},
        ],
        pa.struct({"s": pa.list_(PAIR_IN_ARROW), "t": pa.timestamp("us", "UTC")}),
    ),
    (StructType(), [{}, None], pa.struct([])),
    (ArrayType(StructType()), [[{}, None], None, []], pa.list_(pa.struct([]))),
    (
        MapType(StringType(), StructType()),
        [[("k", {}), ("l", None)], None, []],
        pa.map_(pa.string(), pa.struct([])),
    ),
    (
        StructType().add("a", BinaryType()).add("a", StructType().add("b", NullType())),
        [{"a_0": b"x", "a_1": {"b": None}}, None, {"a_1": None}],
        pa.struct({"a_0": pa.binary(), "a_1": pa.struct({"b": pa.null()})}),
    ),
]


@pytest.mark.parametrize("options", [{}, {"none_on_identity": True}, {"binary_as_bytes": False}])
@pytest.mark.parametrize(("of", "values", "arrow"), COLUMNS, ids=str)
def test_native_code_makes_the_rows(
    of: DataType, values: Any, arrow: Any, options: dict[str, Any]
) -> None:
    stock = ArrowTableToRowsConversion._create_converter
    calls: list[Any] = []
    made = structs.converter(of, counted(stock, calls), options)
    calls.clear()
    array = pa.array(values, arrow)
    for part in (array, array[1:], array[:1], array[:0], pa.concat_arrays([array, array])[2:]):
        expected = shown([stock(of, **options)(value) for value in part.to_pylist()])
        assert converted(made, part) == expected
        assert not calls
        # Values that are not columns.
        assert shown([made(value) for value in part.to_pylist()]) == expected
        calls.clear()


@pytest.mark.parametrize(
    ("of", "array"),
    [
        (PAIR, pa.array([{"b": "x", "a": 1}])),
        (PAIR, pa.array([{"a": 1}])),
        (PAIR, pa.array([None], pa.struct([]))),
        (ArrayType(PAIR), pa.array([[{"a": 1, "b": "x"}]], pa.large_list(PAIR_IN_ARROW))),
        (ArrayType(PAIR), pa.array([[None], None], pa.list_(pa.null()))),
    ],
    ids=str,
)
def test_spark_converts_arrays_of_other_types(of: DataType, array: Any) -> None:
    stock = ArrowTableToRowsConversion._create_converter
    calls: list[Any] = []
    made = structs.converter(of, counted(stock, calls), {})
    calls.clear()
    expected = shown([stock(of)(value) for value in array.to_pylist()])
    assert shown([made(value) for value in [structs.Column(array)] * len(array)]) == expected
    assert calls


class Named(UserDefinedType):
    """A text in a struct, that notes the calls of its `deserialize` and may fail at one of them."""

    calls = 0
    fails_at = 0

    @classmethod
    def sqlType(cls) -> DataType:  # noqa: N802
        return PAIR

    def deserialize(self, datum: Any) -> Any:
        Named.calls += 1
        if Named.calls == Named.fails_at:
            raise ArithmeticError(f"the value {datum.b}")
        return datum.b


class Outer(Named):
    """A user-defined type in another one."""

    @classmethod
    def sqlType(cls) -> DataType:  # noqa: N802
        return StructType().add("inner", Named())


def test_user_defined_types() -> None:
    pairs = [{"a": n, "b": f"text {n}"} for n in range(5)]
    stock = ArrowTableToRowsConversion._create_converter
    array = pa.array([None, *pairs], PAIR_IN_ARROW)
    Named.fails_at = 0
    made = structs.converter(Named(), stock, {})
    assert converted(made, array) == shown([None, *(f"text {n}" for n in range(5))])
    array = pa.array([{"inner": pair} for pair in pairs])
    of = StructType().add("inner", Named())
    expected = shown([stock(of)(value) for value in array.to_pylist()])
    assert converted(structs.converter(of, stock, {}), array) == expected


def test_a_failure_of_a_user_defined_type_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    array = pa.array([{"a": n, "b": f"text {n}"} for n in range(5)])
    made = structs.converter(Named(), ArrowTableToRowsConversion._create_converter, {})
    monkeypatch.setattr(Named, "calls", 0)
    monkeypatch.setattr(Named, "fails_at", 3)
    with pytest.raises(ArithmeticError, match="the value text 2"):
        converted(made, array)


def test_names_that_collide_after_renaming_are_an_error_as_in_spark() -> None:
    of = StructType().add("a", LongType()).add("a", LongType()).add("a_0", LongType())
    column = pa.array([1])
    array = pa.StructArray.from_arrays([column] * 3, ["a_0", "a_1", "a_0"])
    made = structs.converter(of, ArrowTableToRowsConversion._create_converter, {})
    with pytest.raises(ValueError, match="duplicate field names"):
        converted(made, array)


def test_lists_keep_nothing_of_what_nulls_hide() -> None:
    # Arrow allows a null list to have elements, and a null struct to have fields.
    elements = pa.StructArray.from_arrays([pa.array([1, 2, 3])], ["a"])
    array = pa.ListArray.from_arrays(
        pa.array([0, 1, 2, 3], pa.int32()), elements, mask=pa.array([False, True, False])
    )
    hidden = pa.StructArray.from_arrays([array], ["l"], mask=pa.array([False, False, True]))
    of = StructType().add("l", ArrayType(StructType().add("a", LongType())))
    made = structs.converter(of, ArrowTableToRowsConversion._create_converter, {})
    assert converted(made, hidden) == shown([Row(l=[Row(a=1)]), Row(l=None), None])


def test_a_pyspark_that_makes_rows_otherwise_makes_them_itself() -> None:
    stock = ArrowTableToRowsConversion._create_converter

    def lists(of: DataType, **options: Any) -> Any:
        made = stock(of, **options)
        return lambda value: list(made(value))

    def named(of: StructType, **_: Any) -> Any:
        return lambda value: Row(**dict(zip(of.names, value.values(), strict=False)))

    value, of = {"a": 1, "b": "x"}, PAIR
    assert structs.converter(of, lists, {})(value) == [1, "x"]
    assert "ColumnConverter" in str(structs.converter(of, stock, {}))
    assert "ColumnConverter" not in str(structs.converter(of, named, {}))
    with pytest.raises(TypeError, match="other"):
        structs.converter(of, stock, {"other": 1})


DATES = [date(1, 1, 1), None, date(9999, 12, 31), date(1970, 1, 1), date(1969, 12, 31), None]
#: The hour from 1:00 UTC on has the clock times of the hour before it in Berlin.
CLOCKS = [
    *(datetime(2024, 10, 27, hour, 30, 0, 5, timezone.utc) for hour in range(4)),
    None,
    datetime(1, 1, 3, tzinfo=timezone.utc),
    datetime(9999, 12, 29, 23, 59, 59, 999_999, timezone.utc),
]
DECIMALS = [Decimal("1.50"), None, Decimal("-0.01"), Decimal("99999999.99"), Decimal("0.00")]

#: Columns whose values native code makes although they have no structs.
QUICK: list[tuple[DataType, Any]] = [
    (DateType(), pa.array(DATES)),
    (DecimalType(10, 2), pa.array(DECIMALS, pa.decimal128(10, 2))),
    (DecimalType(38, 18), pa.array(DECIMALS, pa.decimal128(38, 18))),
    (DecimalType(38, 0), pa.array([Decimal(10**38 - 1), Decimal(0), None])),
    (TimestampNTZType(), pa.array([clock and clock.replace(tzinfo=None) for clock in CLOCKS])),
    *(
        (TimestampType(), pa.array(CLOCKS, pa.timestamp("us", zone)))
        for zone in ("UTC", "Europe/Berlin", "+02:00", "America/Los_Angeles")
    ),
    (ArrayType(DoubleType()), pa.array([[0.5, None, float("nan"), -0.0], None, [], [1e300]])),
    (ArrayType(LongType()), pa.array([[1, None, -(2**63)], None, [], [2**63 - 1]])),
    (ArrayType(BooleanType()), pa.array([[True, None], None, [], [False]])),
    (ArrayType(ArrayType(DateType())), pa.array([[DATES, None, []], None, [DATES[:2]]])),
    (ArrayType(DecimalType(10, 2)), pa.array([DECIMALS, None, DECIMALS[:1]])),
]


@pytest.mark.parametrize(("of", "array"), QUICK, ids=lambda it: str(getattr(it, "type", it)))
def test_values_are_those_of_pyarrow(of: DataType, array: Any) -> None:
    stock = ArrowTableToRowsConversion._create_converter
    structs.let_serow_make_values()
    to_list = ArrowTableToRowsConversion._to_pylist
    assert to_list is not structs.STOCK_TO_LIST
    convert = stock(of, none_on_identity=True) or (lambda value: value)
    for part in (array, array[1:], array[:1], array[:0], pa.concat_arrays([array, array])[2:]):
        expected = shown([convert(value) for value in part.to_pylist()])
        assert shown([convert(value) for value in to_list(part)]) == expected
    row = StructType().add("a", of)
    made = structs.converter(row, stock, {})
    of_array = pa.StructArray.from_arrays([array], ["a"])
    expected = shown([stock(row)(value) for value in of_array.to_pylist()])
    assert converted(made, of_array) == expected


@pytest.mark.parametrize(
    "array",
    [
        pa.array([1, 10_000_000], pa.int32()).cast(pa.date32()),
        pa.array([2**62], pa.int64()).cast(pa.timestamp("us")),
        pa.array([2**62], pa.int64()).cast(pa.timestamp("us", "UTC")),
        pa.array([[2**62]], pa.list_(pa.int64())).cast(pa.list_(pa.timestamp("us"))),
    ],
    ids=lambda array: str(array.type),
)
def test_values_that_python_lacks_are_the_errors_of_pyarrow(array: Any) -> None:
    structs.let_serow_make_values()
    with pytest.raises((OverflowError, ValueError)) as expected:
        array.to_pylist()
    with pytest.raises(type(expected.value)) as found:
        ArrowTableToRowsConversion._to_pylist(array)
    assert str(found.value) == str(expected.value)


def test_other_values_stay_as_pyarrow_makes_them() -> None:
    structs.let_serow_make_values()
    for array in (
        pa.array([timedelta(1)]),
        pa.array([b"x"]),
        pa.array(["x"]),
        pa.array([1]),
        pa.array([5], pa.int64()).cast(pa.timestamp("ns")),
        pa.array([[1]], pa.large_list(pa.int64())),
        pa.array([date(2024, 2, 29)], pa.date64()),
    ):
        assert shown(ArrowTableToRowsConversion._to_pylist(array)) == shown(array.to_pylist())
