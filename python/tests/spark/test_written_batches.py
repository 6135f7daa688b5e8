"""Writers of Python data sources get the same rows with serow as in stock PySpark."""

import inspect
import random
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import serow.spark
from column_values import EMPTY, GIVEN, OTHERS
from pyspark.sql import SparkSession
from pyspark.sql.types import (
    ArrayType,
    DataType,
    LongType,
    StringType,
    StructType,
)
from shown import shown
from sql_values import any_type, rows, schema

pa = pytest.importorskip("pyarrow")
datasource = pytest.importorskip("pyspark.sql.datasource")

from data_sources import MANY, Source  # noqa: E402
from pyspark.sql.conversion import (  # noqa: E402
    ArrowTableToRowsConversion,
    LocalDataToArrowConversion,
)
from pyspark.sql.worker import write_into_data_source  # noqa: E402
from serow.spark import written_batches  # noqa: E402

PAIR = StructType().add("a", LongType()).add("b", StringType())
BATCH = pa.RecordBatch.from_pylist([{"a": 1, "b": "x"}, {"a": None, "b": None}] * 2)


class Message(datasource.WriterCommitMessage):  # type: ignore[misc,valid-type]
    """What a writer gives."""


class Keeps(datasource.DataSourceWriter):  # type: ignore[misc,valid-type]
    """Keeps rows, with the module that has made each; as many as `most`."""

    def __init__(self, most: int = -1) -> None:
        self.rows: list[Any] = []
        self.makers: set[str] = set()
        self.most = most

    def write(self, iterator: Any) -> Any:
        assert isinstance(iterator, types.GeneratorType)
        while len(self.rows) != self.most:
            try:
                row = next(iterator)
            except StopIteration:
                break
            self.rows.append((type(row), row.__fields__, shown(tuple(row))))
        return Message()


def write_function(writer: Any, of: StructType) -> types.FunctionType:
    """Make PySpark's own function for a writer, which is within another function."""
    main = getattr(write_into_data_source, "_main", write_into_data_source.main)
    constants = inspect.unwrap(main).__code__.co_consts
    (code,) = (it for it in constants if getattr(it, "co_name", "") == "data_source_write_func")
    variables = {
        "writer": writer,
        "schema": of,
        "fields": of.fieldNames(),
        "converters": [ArrowTableToRowsConversion._create_converter(f.dataType) for f in of],
        "return_col_name": "message",
        "pa": pa,
    }
    cells = tuple(types.CellType(variables[name]) for name in code.co_freevars)
    return types.FunctionType(code, vars(write_into_data_source), closure=cells)


def outcome(make: Callable[..., Any], batches: list[Any], of: StructType, most: int = -1) -> Any:
    """Give the rows that a writer got, how many batches were taken, and the message or error."""
    writer, taken = Keeps(most), 0

    def counted() -> Iterator[Any]:
        nonlocal taken
        for batch in batches:
            taken += 1
            yield batch

    write = make(write_function(writer, of))
    try:
        (message,) = write(counted())
        how: Any = message.schema.names, message.num_rows
    except Exception as error:
        how = type(error), str(error)
    return writer.rows, taken, how


def assert_same(
    batches: list[Any], of: StructType, monkeypatch: pytest.MonkeyPatch, most: int = -1
) -> bool:
    """Compare what a writer gets; tell whether serow has made all rows."""
    by_stock = 0
    put = written_batches._Left.__next__

    def counted(left: Any) -> Any:
        nonlocal by_stock
        by_stock += 1
        return put(left)

    monkeypatch.setattr(written_batches._Left, "__next__", counted)
    stock = outcome(lambda function: function, batches, of, most)
    mine = outcome(lambda function: written_batches.with_rows(function, of, {}), batches, of, most)
    monkeypatch.undo()
    assert mine == stock
    return not by_stock


def batches_of(given: list[Any], of: StructType, most_rows: int) -> list[Any]:
    """Give the rows in batches as Spark sends them."""
    table = LocalDataToArrowConversion.convert(given, of, False)
    return list(table.to_batches(most_rows))


@pytest.mark.parametrize(("of", "values"), [*GIVEN, *EMPTY], ids=str)
def test_usual_values(of: DataType, values: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    columns = StructType().add("größe", of).add("n", LongType()).add("s", ArrayType(of))
    given = [(value, at, [value, None]) for at, value in enumerate(values)] * 5
    for most_rows in (3, 1000):
        assert assert_same(batches_of(given, columns, most_rows), columns, monkeypatch)


@pytest.mark.parametrize(("of", "values"), OTHERS, ids=str)
def test_other_values(of: DataType, values: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    columns = StructType().add("a", of).add("p", StructType().add("b", of))
    for value in values:
        try:
            batches = batches_of([(value, (value,))], columns, 10)
        except Exception:
            continue
        assert_same(batches, columns, monkeypatch)


@pytest.mark.parametrize("seed", range(10))
def test_random_rows(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    of = schema(*(any_type(rng, 3) for _ in range(3)))
    try:
        batches = batches_of(rows(of, 40, seed), of, 15)
    except Exception:
        pytest.skip("PySpark makes no Arrow of these rows")
    for most in (-1, 0, 1, 15, 16, 39):
        assert_same(batches, of, monkeypatch, most)


def test_who_makes_which_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    def same(batches: list[Any], of: StructType = PAIR) -> bool:
        return assert_same(batches, of, monkeypatch)

    assert same([])
    assert same([BATCH.slice(0, 0), BATCH, BATCH.slice(1)])
    # PySpark gives empty rows, makes fewer columns than it has converters, and fails on more.
    assert not same([BATCH.select([])], StructType())
    assert not same([BATCH.select(["a"])])
    assert not same([BATCH, BATCH.append_column("c", pa.array([1] * 4)), BATCH])
    assert same([BATCH.slice(0, 0).select(["a"]), BATCH])
    assert same([BATCH] * 3, StructType().add("a", LongType()).add("a", StringType()))


def test_a_column_of_another_type_than_the_schemas(monkeypatch: pytest.MonkeyPatch) -> None:
    three = StructType().add("a", LongType()).add("b", StringType()).add("c", PAIR)
    for of in (StructType().add("a", StringType()).add("b", LongType()), three):
        for batch in (BATCH, BATCH.append_column("c", pa.array([[1, 2], None] * 2))):
            assert_same([BATCH, batch, BATCH], of, monkeypatch)


def test_a_writer_that_fails_or_gives_no_message() -> None:
    class Fails(Keeps):
        def write(self, iterator: Any) -> Any:
            super().write(iterator)
            raise ValueError("disk full")

    class GivesNothing(Keeps):
        def write(self, iterator: Any) -> Any:
            super().write(iterator)

    for kind, said in ((Fails, "disk full"), (GivesNothing, "WriterCommitMessage")):
        found = []
        for make in (lambda of: of, lambda of: written_batches.with_rows(of, PAIR, {})):
            writer = kind()
            with pytest.raises(Exception, match=said) as error:
                list(make(write_function(writer, PAIR))(iter([BATCH, BATCH])))
            found.append((error.type, str(error.value), writer.rows))
        assert found[0] == found[1]
        assert len(found[0][2]) == 8


def test_functions_that_are_not_known_stay() -> None:
    def other(batches: Any) -> Any:
        return batches

    assert written_batches.with_rows(other, PAIR, {}) is other
    assert written_batches.with_rows(len, PAIR, {}) is len
    known = write_function(Keeps(), PAIR)
    assert written_batches.with_rows(known, None, {}) is known
    for of in written_batches._OF_ARROW:
        known = write_function(type("Arrow", (of,), {"write": len})(), PAIR)
        assert written_batches.with_rows(known, PAIR, {}) is known


# Jobs.


class Commits(datasource.WriterCommitMessage):  # type: ignore[misc,valid-type]
    def __init__(self, made: set[str]) -> None:
        self.made = made


class Files(datasource.DataSourceWriter):  # type: ignore[misc,valid-type]
    """Writes the texts of rows into files, and at the end who has made them."""

    def __init__(self, options: Any) -> None:
        self.options = options

    def write(self, iterator: Any) -> Any:
        import uuid

        assert vars(self).keys() == {"options"}
        # The user's own class.
        assert type(self).__name__ == "Files"
        found, made = [], set()
        for row in iterator:
            found.append(f"{type(row).__name__} {row.__fields__} {row}")
            made.add(Path(iterator.gi_code.co_filename).stem)
            if row.n == int(self.options.get("fails", -1)):
                raise ValueError("disk full")
        path = Path(self.options["path"]) / uuid.uuid4().hex
        path.write_text("\n".join(found))
        return Commits(made)

    def commit(self, messages: Any) -> None:
        assert type(self).__name__ == "Files"
        made = sorted(set().union(*(message.made for message in messages)))
        Path(self.options["path"], "made").write_text(" ".join(made))

    def abort(self, messages: Any) -> None:
        Path(self.options["path"], "made").write_text("aborted")


class StreamFiles(datasource.DataSourceStreamWriter):  # type: ignore[misc,valid-type]
    """The same for streams."""

    def __init__(self, options: Any) -> None:
        self.files = Files(options)

    def write(self, iterator: Any) -> Any:
        return self.files.write(iterator)

    def commit(self, messages: Any, batchId: int) -> None:  # noqa: N803
        self.files.commit(messages)

    def abort(self, messages: Any, batchId: int) -> None:  # noqa: N803
        self.files.abort(messages)


class Sink(datasource.DataSource):  # type: ignore[misc,valid-type]
    """A data source that is written to."""

    @classmethod
    def name(cls) -> str:
        return "sink"

    def writer(self, schema: Any, overwrite: bool) -> Any:
        assert type(self).__name__ == "Sink"
        return Files(dict(self.options))

    def streamWriter(self, schema: Any, overwrite: bool) -> Any:  # noqa: N802
        return StreamFiles(dict(self.options))


def assert_same_files(spark: SparkSession, tmp_path: Path, write: Callable[[str], Any]) -> Any:
    """Write in both sessions, and compare the files; give who has made the rows with serow."""
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "200")
    found = []
    for enable in (False, True):
        (serow.spark.enable if enable else serow.spark.disable)(spark)
        spark.dataSource.register(Sink)
        path = tmp_path / str(enable)
        path.mkdir()
        said: Any = None
        try:
            write(str(path))
        except Exception as error:
            said = [line for line in str(error).splitlines() if "Error" in line][-1:]
        made = (path / "made").read_text()
        (path / "made").unlink()
        by = "written_batches" if enable else "write_into_data_source"
        assert made == ("aborted" if said else by)
        # Other partitions may have been written before one failed.
        files = [] if said else sorted(file.read_text() for file in path.iterdir())
        found.append((files, said))
    serow.spark.disable(spark)
    assert found[0] == found[1]
    return found[0]


def test_writing(spark: SparkSession, tmp_path: Path) -> None:
    spark.dataSource.register(Source)
    frame = spark.read.format("tests").option("how", "tuples").load()

    def write(path: str, **options: Any) -> None:
        frame.write.format("sink").options(path=path, **options).mode("append").save()

    files, error = assert_same_files(spark, tmp_path, write)
    assert [len(file.splitlines()) for file in files] == [MANY, MANY]
    assert not error
    (tmp_path / "fails").mkdir()
    _, error = assert_same_files(
        spark, tmp_path / "fails", lambda path: write(path, fails=MANY + 300)
    )
    assert "disk full" in str(error)


def test_writing_streams(spark: SparkSession, tmp_path: Path) -> None:
    def write(path: str) -> None:
        rows = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 700)
        of = rows.load().selectExpr("value as n", "named_struct('a', value) as p", "timestamp")
        query = of.writeStream.format("sink").option("path", path)
        query = query.option("checkpointLocation", f"{path}.checkpoint")
        query.trigger(availableNow=True).start().awaitTermination(120)

    files, error = assert_same_files(spark, tmp_path, write)
    assert not error
    assert files
