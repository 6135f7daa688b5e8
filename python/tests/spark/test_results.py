"""Results of Python UDFs become the same Arrow arrays as in stock PySpark, and fail alike."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest
from column_values import GIVEN, OTHERS, PAIR, Name
from pyspark.sql import Row
from pyspark.sql.types import (
    ArrayType,
    DataType,
    IntegerType,
    LongType,
    MapType,
    StringType,
    StructField,
    StructType,
)
from shown import shown
from sql_values import any_type, rows, schema

pa = pytest.importorskip("pyarrow")
conversion = pytest.importorskip("pyspark.sql.conversion")
if not hasattr(conversion.ArrowTableToRowsConversion, "_to_pylist"):
    pytest.skip("this Spark makes results in another way", allow_module_level=True)

from pyspark.sql.conversion import LocalDataToArrowConversion  # noqa: E402
from pyspark.sql.pandas.types import to_arrow_type  # noqa: E402
from serow.spark import results  # noqa: E402

STOCK = LocalDataToArrowConversion._create_converter


@pytest.fixture(autouse=True)
def of_any_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "_FEWEST", 0)


def arrow_of(converted: Any, wanted: Any, safely: bool) -> Any:
    """Do with a batch's results as PySpark's worker does."""
    try:
        return pa.array(converted, type=wanted)
    except pa.lib.ArrowInvalid:
        return pa.array(converted).cast(target_type=wanted, safe=safely)


def outcome(job: Any) -> Any:
    try:
        array = job()
    except Exception as error:
        return type(error), str(error)
    array.validate(full=True)
    return array


def content(array: Any) -> Any:
    try:
        return str(array.type), shown(array.to_pylist())
    except ValueError:  # two fields have the same name
        return str(array)


#: Arrays of more bytes are compared by Arrow first, which takes 0.0 and -0.0 for equal.
LARGE = 100_000


def are_same(one: Any, other: Any) -> bool:
    """Compare outcomes."""
    if not (isinstance(one, pa.Array) and isinstance(other, pa.Array)):
        return bool(one == other)
    return (one.nbytes > LARGE and bool(one.equals(other))) or content(one) == content(other)


def assert_same(values: list[Any], of: DataType, **options: Any) -> bool:
    """Compare arrays or errors; tell whether serow has made all parts of all arrays."""
    is_made = True
    for large, safely in itertools.product((False, True), repeat=2):
        wanted = to_arrow_type(of, timezone="UTC", prefers_large_types=large)
        convert = STOCK(of, **options)
        stock = outcome(lambda: arrow_of(list(map(convert, values)), wanted, safely))  # noqa: B023
        created: list[DataType] = []

        def create(inner: DataType, *others: Any, created: Any = created, **options: Any) -> Any:
            created.append(inner)
            return STOCK(inner, *others, **options)

        maker = results.Maker(of, create, options)
        mine = results.Results(values, maker)
        assert are_same(outcome(lambda: arrow_of(mine, wanted, safely)), stock)  # noqa: B023
        is_made = is_made and mine._converted is None and created == [of]
    return is_made


def assert_made(values: list[Any], of: DataType) -> None:
    assert assert_same(values, of)


def within(values: list[Any], of: DataType) -> Iterator[tuple[list[Any], DataType]]:
    """Give the values inside structs, lists and maps, and inside these of these."""
    pair = StructType([StructField("größe", of), StructField("", LongType())])
    row = Row("größe", "")
    tuples = [(value, at) for at, value in enumerate(values)]
    dicts = [{"größe": value, "": at} for value, at in tuples]
    rest = values[1:]
    yield tuples, pair
    yield [*tuples, None], pair
    yield [None, *(row(*of) for of in tuples)], pair
    yield [Row(größe=of, other=at) for of, at in tuples], pair
    yield dicts, pair
    yield [*dicts, None, {"": 1}, {"größe": values[0], "other": 2}, {}], pair
    yield [[], values, None, rest], ArrayType(of)
    yield [tuples, None, [], [*tuples, None]], ArrayType(pair)
    yield [[tuples], None, [], [None, tuples]], ArrayType(ArrayType(pair))
    yield [{"a": value} for value in values], MapType(StringType(), of)
    yield [{}, None, dict(enumerate(values)), dict(enumerate(rest))], MapType(LongType(), of)
    yield [{1: dicts}, None, {2: dicts, 3: []}], MapType(LongType(), ArrayType(pair))
    yield [(tuples, of) for of in tuples], StructType().add("a", ArrayType(pair)).add("b", pair)


@pytest.mark.parametrize(("of", "values"), GIVEN, ids=str)
def test_usual_values(of: DataType, values: list[Any]) -> None:
    assert_made(values, of)
    assert_made([None, None], of)
    assert_same([], of)
    assert_made(values * 50, of)
    for nested, nested_type in within(values, of):
        assert_made(nested, nested_type)


@pytest.mark.parametrize(("of", "values"), OTHERS, ids=str)
def test_other_values(of: DataType, values: list[Any]) -> None:
    assert_same(values, of)
    assert_same(values, of, int_to_decimal_coercion_enabled=True)
    for value in values:
        assert_same([value], of)
    for nested, nested_type in within(values, of):
        assert_same(nested, nested_type)


#: A type with parts that may not be null.
NEEDED = StructType(
    [
        StructField("a", LongType(), nullable=False),
        StructField("b", ArrayType(StringType(), containsNull=False), nullable=False),
        StructField("c", MapType(StringType(), PAIR, valueContainsNull=False), nullable=False),
    ]
)


#: A type with two fields of one name.
TWICE = StructType().add("a", LongType()).add("a", LongType())


class Named(tuple[Any, ...]):
    """A tuple of another class."""


class Holder:
    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = a, b


@pytest.mark.parametrize(
    ("of", "values"),
    [
        (NEEDED, [(1, ["x"], {"k": (1, "x")})]),
        (NEEDED, [(1, ["x"], {"k": (1, "x")}), None]),
        (NEEDED, [(None, ["x"], {})]),
        (NEEDED, [(1, [None], {})]),
        (NEEDED, [(1, None, {})]),
        (NEEDED, [(1, [], {"k": None})]),
        (NEEDED, [{"a": 1, "b": []}]),
        (PAIR, [(1, "x"), (2,)]),
        (PAIR, [(1, "x", 2)]),
        (PAIR, [[1, "x"]]),
        (PAIR, [(1, "x"), [1, "x"]]),
        (PAIR, [Named((1, "x"))]),
        (PAIR, [Holder(1, "x"), (1, "x")]),
        (PAIR, [(1, "x"), {"a": 1, "b": "x"}]),
        (PAIR, [(1, "x"), ("1", "x")]),
        (PAIR, [(1, "x"), (1.5, "x")]),
        (PAIR, [1, "x"]),
        (PAIR, [{1: 2}]),
        (StructType(), [(), None, {}]),
        (StructType(), [(), ()]),
        (StructType(), [(), None, Row()]),
        (StructType(), [{}, {}, None]),
        (StructType(), [{"a": 1}, {}]),
        (StructType(), [None, None]),
        (StructType().add("e", StructType()), [((),), (None,), None]),
        (StructType().add("a", LongType()).add("e", StructType()), [(1, ()), None, (2, None)]),
        (ArrayType(StructType()), [[(), ()], None, [], [None]]),
        (MapType(StringType(), StructType()), [{"a": (), "b": None}, None, {}]),
        (TWICE, [(1, 2)]),
        (TWICE, [{"a": 3}]),
        (StructType().add("a", LongType()).add("n", TWICE), [(1, (1, 2))]),
        (StructType().add("a", LongType()).add("a_0", LongType()), [(1, 2), (3, 4)]),
        (StructType().add("n", Name()).add("a", LongType()), [("nx", 1), None, (None, 2)]),
        (StructType().add("n", Name()), [(1,)]),
        (ArrayType(PAIR, containsNull=False), [[(1, "x")], [None]]),
        (ArrayType(PAIR), [((1, "x"),)]),
        (MapType(StringType(), LongType()), [{None: 1}]),
        (MapType(StringType(), LongType()), [{"a": 1}, [("b", 2)]]),
        (MapType(StringType(), LongType()), [{"a": 1}, {"b": True}, {1: 2}]),
        (MapType(LongType(), LongType(), valueContainsNull=False), [{1: 1}, {2: None}]),
        (MapType(PAIR, StringType()), [{(1, "x"): "y"}, None, {(None, None): None}]),
    ],
    ids=str,
)
def test_structs_lists_and_maps(of: DataType, values: list[Any]) -> None:
    for given in (values, values * 30):
        assert_same(given, of)
        assert_same([given, None], ArrayType(of))


@pytest.mark.parametrize("seed", range(20))
def test_random_results(seed: int) -> None:
    rng = random.Random(seed)
    of = schema(*(any_type(rng, 3) for _ in range(3)))
    given = rows(of, 40, seed)
    assert_same(given, of)
    for at, field in enumerate(of):
        assert_same([row[at] for row in given], field.dataType)


def test_spark_makes_all_results_after_one_that_serow_cannot_make() -> None:
    of = StructType().add("a", IntegerType())
    maker = results.Maker(of, STOCK, {})
    wanted = to_arrow_type(of, timezone="UTC", prefers_large_types=False)
    # Without `safely`, PySpark takes the last bits of a number that is too large.
    for value, stored, is_made in ((1, 1, True), (2**31, -(2**31), False), (1, 1, False)):
        made = results.Results([(value,)], maker)
        assert arrow_of(made, wanted, False).to_pylist() == [{"a": stored}]
        assert (made._converted is None) == is_made
