"""Python data sources give the same rows with serow as in stock PySpark, and fail alike."""

import copy
import copyreg
import itertools
import pickle
import random
import sys
import sysconfig
import venv
from abc import abstractmethod
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pyspark
import pytest
import serow.spark
from column_values import EMPTY, GIVEN, OTHERS
from conftest import script
from pyspark import cloudpickle
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql.types import (
    ArrayType,
    DataType,
    LongType,
    StringType,
    StructField,
    StructType,
    YearMonthIntervalType,
)
from shown import shown
from sql_values import any_type, rows, schema

pa = pytest.importorskip("pyarrow")
datasource = pytest.importorskip("pyspark.sql.datasource")

from data_sources import MANY, SimpleSource, Source  # noqa: E402
from pyspark.sql.worker import plan_data_source_read  # noqa: E402
from serow.spark import given_batches, sources  # noqa: E402

STOCK = plan_data_source_read.records_to_arrow_batches
STOCK = getattr(STOCK, "__wrapped__", STOCK)

DataSource = datasource.DataSource


class Plain(DataSource):  # type: ignore[misc,valid-type]
    """A data source with an attribute."""

    def __init__(self, options: Any) -> None:
        super().__init__(options)
        self.seen = [self]


SOURCE = Plain({})


# Batches without Spark.


@pytest.fixture(autouse=True)
def of_any_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(given_batches, "_FEWEST", 0)


def outcome(make: Callable[..., Any], given: Iterable[Any], *others: Any) -> Any:
    """Give all batches, and the error after them."""
    found: list[Any] = []
    taken = 0

    def counted() -> Iterator[Any]:
        nonlocal taken
        for row in given:
            taken += 1
            yield row

    try:
        for batch in make(counted(), *others):
            batch.validate(full=True)
            found.append((taken, str(batch.schema), shown(batch.to_pylist())))
    except Exception as error:
        found.append((taken, type(error), str(error)))
    return found


def assert_same(given: list[Any], of: StructType, most_rows: int = 1000) -> bool:
    """Compare batches and errors; tell whether serow has made all batches."""
    stock = outcome(STOCK, given, most_rows, of, SOURCE)
    by_stock = 0

    def make(rows: Iterator[Any], most: int, *others: Any) -> Iterator[Any]:
        nonlocal by_stock
        # Only the schema is asked for.
        taken = iter(rows) if most == 1 < most_rows else counted(rows)
        yield from STOCK(taken, most, *others)

    def counted(rows: Iterator[Any]) -> Iterator[Any]:
        nonlocal by_stock
        for row in rows:
            by_stock += 1
            yield row

    mine = outcome(
        lambda *arguments: given_batches.batches(make, *arguments), given, most_rows, of, SOURCE
    )
    assert mine == stock
    return not by_stock


@pytest.mark.parametrize(("of", "values"), [*GIVEN, *EMPTY], ids=str)
def test_usual_values(of: DataType, values: list[Any]) -> None:
    columns = StructType().add("größe", of).add("n", LongType()).add("s", ArrayType(of))
    given = [(value, at, [value, None]) for at, value in enumerate(values)]
    for needed in (columns, StructType([StructField(f.name, f.dataType, False) for f in columns])):
        assert assert_same(given, needed)
        assert assert_same(given * 30, needed, 7)
    assert assert_same([(value,) for value in values], StructType().add("a", of))
    row = Row("n", "s", "größe")
    assert assert_same([row(n, s, value) for value, n, s in given], columns)
    assert assert_same(list(map(list, given)), columns, 2)


@pytest.mark.parametrize(("of", "values"), OTHERS, ids=str)
def test_other_values(of: DataType, values: list[Any]) -> None:
    columns = StructType().add("a", of).add("p", StructType().add("b", of))
    for most_rows in (1000, 2):
        assert_same([(value, (value,)) for value in values], columns, most_rows)
        assert_same([(value, None) for value in [*values, None] * 3], columns, most_rows)


@pytest.mark.parametrize("seed", range(10))
def test_random_rows(seed: int) -> None:
    rng = random.Random(seed)
    of = schema(*(any_type(rng, 3) for _ in range(3)))
    assert_same(rows(of, 40, seed), of, 15)


PAIR = StructType().add("a", LongType()).add("b", StringType())
GOOD = [(1, "x"), (2, None)]
Named = namedtuple("Named", "b a")
BATCH = pa.RecordBatch.from_pylist([{"a": 1, "b": "x"}, {"a": 2, "b": "y"}])


class Other(tuple[Any, ...]):
    """A tuple of another class."""


def twice() -> Any:
    row = Row("a", "a")(1, "x")
    assert row.a == 1
    return row


@pytest.mark.parametrize(
    ("row", "is_made"),
    [
        (Row(a=1, b="x"), True),
        (Row(1, "x"), True),
        (Row("a", "b")(1, "x"), True),
        ([1, "x"], True),
        (Row(b="x", a=1), False),
        (Row(b="x", c=1), False),
        (Row(a=1), False),
        (twice(), False),
        (Named("x", 1), False),
        (Other((1, "x")), False),
        ({"a": 1, "b": "x"}, False),
        ((1,), False),
        ((), False),
        ((1, "x", 2), False),
        ("ab", False),
        (7, False),
        (None, False),
        (("1", "x"), False),
        ((2**63, "x"), False),
        (BATCH, False),
        (BATCH.slice(0, 1), False),
    ],
    ids=str,
)
def test_every_kind_of_row(row: Any, is_made: bool) -> None:
    for most_rows in (1000, 3, 2):
        assert assert_same([row] * 5, PAIR, most_rows) or not is_made
        for good in (GOOD, [Row(a=1, b="x"), Row(a=2, b=None)], [Row(b="x", a=1)]):
            for before in range(3):
                assert_same([*(good * 3)[:before], row, *good], PAIR, most_rows)
    assert is_made == assert_same([*GOOD, row], PAIR, 3) or isinstance(row, Row)


def test_rows_of_names_in_another_order_are_made() -> None:
    assert assert_same([Row(b="x", a=1), Row(b=None, a=2)], PAIR)
    assert assert_same([Row("b", "a")("x", 1)] * 5, PAIR, 2)
    assert not assert_same([Row(b="x", a=1), Row(a=2, b="x")], PAIR)


def test_batches_of_arrow_and_no_rows() -> None:
    assert_same([], PAIR)
    assert_same([BATCH, BATCH, (1, "x")], PAIR)
    assert_same([BATCH.select(["a"])], PAIR)
    assert_same([BATCH.rename_columns(["a", "c"])], PAIR)


def test_schemas() -> None:
    assert_same([(), ()], StructType())
    assert_same([(1,)], StructType())
    assert_same([(1, 2)], StructType().add("a", LongType()).add("a", LongType()))
    refused = StructType().add("a", YearMonthIntervalType())
    assert_same([(1,)], refused)
    # PySpark refuses it before it takes a row.
    assert outcome(STOCK, [(1,)], 10, refused, SOURCE)[0][0] == 0


def test_a_failing_iterator() -> None:
    class Fails(list[Any]):
        def __iter__(self) -> Iterator[Any]:
            yield from super().__iter__()
            raise ValueError("no more")

    for given in ([], GOOD, GOOD * 5):
        for most_rows in (3, 4, 1000):
            assert_same(Fails(given), PAIR, most_rows)


def test_a_row_that_is_filled_again() -> None:
    class Fills(list[Any]):
        def __iter__(self) -> Iterator[Any]:
            row = [0, "x"]
            for row[0] in range(10):
                yield row

    assert assert_same(Fills(), PAIR, 4)


def test_few_rows_are_left_to_pyspark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(given_batches, "_FEWEST", 3)
    assert not assert_same(GOOD, PAIR)
    assert assert_same([*GOOD, *GOOD], PAIR)
    # The last batch of several may be short.
    assert assert_same([*GOOD, *GOOD], PAIR, 3)


# Instances and their pickles.


class WithState(Plain):
    def __getstate__(self) -> Any:
        return {"options": self.options, "seen": "state"}

    def __setstate__(self, state: Any) -> None:
        vars(self).update(state, set=True)


class WithReduce(Plain):
    def __reduce__(self) -> Any:
        return WithReduce, (self.options,)


class Slotted(Plain):
    __slots__ = ("other",)

    def __init__(self, options: Any) -> None:
        super().__init__(options)
        self.other = "slot"


class ByRegistry(Plain):
    pass


def reduce_by_registry(source: Any) -> Any:
    return ByRegistry, (source.options | {"reduced": "1"},)


copyreg.pickle(ByRegistry, reduce_by_registry)


@dataclass(eq=True)
class Unhashable(DataSource):  # type: ignore[misc,valid-type]
    options: Any


class Single(Plain):
    def __reduce__(self) -> str:
        return "SINGLE"


SINGLE = Single({})


class Counted(type(DataSource)):  # type: ignore[misc]
    """A class of classes that no other class may have."""

    made: ClassVar[list[str]] = []

    def __new__(cls, name: str, *others: Any) -> Any:
        cls.made.append(name)
        return super().__new__(cls, name, *others)


class OfOtherClass(Plain, metaclass=Counted):
    def __init_subclass__(cls) -> None:
        raise TypeError("no subclasses")


def attributes(source: Any) -> Any:
    shown = {name: repr(value) for name, value in vars(source).items() if name != "seen"}
    return type(source), shown, getattr(source, "other", None)


@pytest.mark.parametrize(
    "of",
    [Plain, WithState, WithReduce, Slotted, ByRegistry, Unhashable, OfOtherClass],
    ids=lambda of: of.__name__,
)
def test_a_carried_source_is_the_same_after_pickling(of: Any) -> None:
    plain = of({"a": "b"})
    kind = pickle.loads(cloudpickle.dumps(sources.Registered(of)))
    assert kind is not of
    assert issubclass(kind, DataSource)
    assert (repr(kind), type(kind).__name__) == (repr(of), type(of).__name__)
    carried = kind(options={"a": "b"})
    assert attributes(carried) == attributes(plain)
    assert sources._is_carried(carried)
    assert not sources._is_carried(plain)
    ways: list[Callable[[Any], Any]] = [
        lambda source: cloudpickle.loads(cloudpickle.dumps(source)),
        lambda source: pickle.loads(pickle.dumps(source)),
        copy.copy,
        copy.deepcopy,
    ]
    for way, other in itertools.product(ways, ways):
        for source in (carried, plain):
            found = other(way(source))
            expected = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(plain))))
            assert attributes(found) == attributes(expected)
            assert sources._is_carried(found) == (source is carried)
    assert Counted.made == ["OfOtherClass"]


def test_a_source_that_is_pickled_by_its_name() -> None:
    sources.carry(SINGLE)
    assert pickle.loads(pickle.dumps(SINGLE)) is SINGLE


def test_what_is_no_class_of_a_data_source_stays() -> None:
    for other in (int, 1, len, StructType):
        assert sources.caller(other) is other


def test_errors_of_classes() -> None:
    class Abstract(Plain):
        @abstractmethod
        def more(self) -> None: ...

    class Refuses(Plain):
        name = "no method"

        def __init__(self, options: Any) -> None:
            raise ValueError("refused")

    for of in (Abstract, Refuses):
        found = []
        for kind in (of, sources.caller(of)):
            with pytest.raises((TypeError, ValueError)) as error:
                kind(options={})
            found.append((str(error.value), error.type, type(kind.name)))
        assert found[0] == found[1]


# Jobs.


@pytest.fixture(autouse=True)
def disabled(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "spark" in request.fixturenames:
        serow.spark.disable(request.getfixturevalue("spark"))


def job_outcome(job: Callable[[], DataFrame]) -> tuple[Any, set[str]]:
    """Give the rows of a job without their makers, or how it fails; and the makers."""
    try:
        found = [tuple(row) for row in job().toPandas().itertuples(index=False)]
    except Exception as error:
        said = [line for line in str(error).splitlines() if "Error" in line or "CLASS" in line]
        return (type(error), said[-1:]), set()
    return sorted((shown(row[:-1]) for row in found), key=repr), {row[-1] for row in found}


def assert_same_job(spark: SparkSession, job: Callable[[], DataFrame]) -> Any:
    """Compare a job of a data source that is registered in both sessions; give its outcome."""
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "200")
    found = []
    for by, enable in (("plan_data_source_read", False), ("given_batches", True)):
        (serow.spark.enable if enable else serow.spark.disable)(spark)
        for of in (Source, SimpleSource):
            spark.dataSource.register(of)
        outcome, makers = job_outcome(job)
        # PySpark's own frames have lambdas and comprehensions, in the same file.
        assert makers <= {by}
        found.append(outcome)
    assert found[0] == found[1]
    return found[0]


@pytest.mark.parametrize("how", ["tuples", "named", "failing", "wrong", "short", "listed", "none"])
def test_reading(spark: SparkSession, how: str) -> None:
    found = assert_same_job(spark, lambda: spark.read.format("tests").option("how", how).load())
    lengths = {"tuples": 2 * MANY, "named": 2 * MANY, "none": 0}
    assert isinstance(found, list) == (how in lengths)
    assert len(found) == lengths.get(how, 2)
    texts = {"failing": "no more", "short": "SCHEMA_MISMATCH", "listed": "INVALID_RETURN_TYPE"}
    assert texts.get(how, "") in str(found)


@pytest.mark.skipif(not hasattr(datasource, "Filter"), reason="this Spark pushes no filters down")
def test_filters(spark: SparkSession) -> None:
    spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    try:
        found = assert_same_job(
            spark,
            lambda: spark.read.format("tests").option("how", "pushed").load().where("n > 3"),
        )
    finally:
        spark.conf.unset("spark.sql.python.filterPushdown.enabled")
    assert "n > 3" in repr(found)
    assert len(found) == 2 * MANY


def streamed(spark: SparkSession, source: str, attempts: int = 5) -> DataFrame:
    """Give all rows of a stream."""
    query = spark.readStream.format(source).option("how", "tuples").load().writeStream
    running = query.format("memory").queryName(f"of_{source}").start()
    try:
        for _ in range(3):
            running.processAllAvailable()
    except StreamingQueryException as error:
        # The JVM waits ten seconds for the worker that plans a stream, however slow the machine is.
        if "connect back" not in str(error) or attempts == 1:
            raise
    else:
        return spark.table(f"of_{source}")
    finally:
        running.stop()
    return streamed(spark, source, attempts - 1)


@pytest.mark.parametrize(("source", "count"), [("tests", 2 * MANY), ("simple", MANY)])
def test_streams(spark: SparkSession, source: str, count: int) -> None:
    assert len(assert_same_job(spark, lambda: streamed(spark, source))) == count


def test_a_source_stays_what_it_was_when_it_was_registered(spark: SparkSession) -> None:
    def makers() -> set[str]:
        frame = spark.read.format("tests").option("how", "tuples").load()
        return {row.who for row in frame.collect()}

    serow.spark.enable(spark)
    spark.dataSource.register(Source)
    serow.spark.disable(spark)
    assert makers() == {"given_batches"}
    # Spark uses the workers again, so serow is already there.
    spark.dataSource.register(Source)
    serow.spark.enable(spark)
    assert makers() == {"plan_data_source_read"}


PROGRAM = """
import sys
sys.path[:0] = PATHS
import serow.spark
from pyspark.sql import SparkSession
from data_sources import Source
builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
builder.config("spark.python.use.daemon", "DAEMON")
spark = serow.spark.configure(builder).getOrCreate()
spark.sparkContext.setLogLevel("OFF")
serow.spark.enable(spark)
spark.dataSource.register(Source)
rows = spark.read.format("tests").option("how", "tuples").load().toPandas()
print(len(rows), *sorted(set(rows.who)))
"""


def program(daemon: str) -> str:
    paths = [path for path in sys.path if path]
    return PROGRAM.replace("PATHS", repr(paths)).replace("DAEMON", daemon)


@pytest.mark.skipif(
    pyspark.__version__.startswith("4.0."), reason="this Spark's own workers end without a daemon"
)
@pytest.mark.long
def test_workers_without_a_daemon() -> None:
    ran = script(program(daemon="false"))
    assert ran.stdout.strip().splitlines()[-1:] == [f"{2 * MANY} given_batches"], ran.stderr


@pytest.mark.long
def test_workers_without_serow_let_pyspark_make_batches(tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", symlinks=True)
    python = str(tmp_path / "bare" / "bin" / "python")
    # They have all packages except serow.
    (tmp_path / "packages").mkdir()
    for package in Path(sysconfig.get_path("purelib")).iterdir():
        if not package.name.startswith("serow"):
            (tmp_path / "packages" / package.name).symlink_to(package)
    (tmp_path / "packages" / "data_sources.py").symlink_to(
        Path(__file__).parent / "data_sources.py"
    )
    ran = script(
        program(daemon="true"), PYSPARK_PYTHON=python, PYTHONPATH=str(tmp_path / "packages")
    )
    assert ran.stdout.strip().splitlines()[-1:] == [f"{2 * MANY} plan_data_source_read"], ran.stderr
