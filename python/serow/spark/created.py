"""Converts the rows of `createDataFrame` to batches for the JVM.

Spark's own functions infer schemas and split lists into partitions. Therefore this module,
`inferred.py` and `given.py` call private functions of PySpark.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from py4j.java_gateway import JavaObject
from pyspark import RDD
from pyspark.sql import SparkSession
from pyspark.sql.types import DataType, StructType, _create_converter

from serow import SerowError
from serow.spark._versions import CONVERTS_GIVEN_ROWS
from serow.spark.given import GivenRows, LocalRows
from serow.spark.inferred import infer
from serow.spark.schemas import NotCarried, describe_given

#: Rows of a list in one batch, if Spark has no configured batch size.
_MOST_ROWS = 1 << 10

#: Name of the only column if the rows are plain values.
_VALUE = "value"


class Created(NamedTuple):
    """The parts of a new DataFrame."""

    #: A `JavaRDD` of batches.
    batches: JavaObject
    schema: StructType


class Inferred(NotCarried):
    """Rows to leave to Spark, with the schema that was already inferred for them."""

    def __init__(self, reason: str, rows: "RDD[Any]", schema: StructType) -> None:
        """`rows` are tuples of values of `schema`."""
        super().__init__(reason)
        self.rows = rows
        self.schema = schema


def listed(rows: Iterable[Any]) -> tuple[list[Any] | None, Any]:
    """Give local rows as a list, and the data to give to Spark instead.

    If the iterator of rows fails, there is no list. Spark then reads the same rows and the same
    error, so that it reports a wrong row before the failure first.
    """
    if type(rows) is list:
        return rows, rows
    come: list[Any] = []
    try:
        come.extend(rows)
    except Exception as error:
        return None, _failing(come, error)
    return come, come


def _failing(rows: list[Any], error: Exception) -> Iterator[Any]:
    yield from rows
    raise error


def of_rdd(
    spark: SparkSession, rows: "RDD[Any]", schema: Any, sampling: float | None, verify: bool
) -> Created:
    """Convert an RDD of rows to batches; raises NotCarried if its columns are left to Spark."""
    if type(schema) is StructType:
        given = GivenRows(describe_given(schema), schema.json(), verify, convert=False)
    elif isinstance(schema, DataType) and not isinstance(schema, StructType):
        schema = StructType().add(_VALUE, schema)
        given = GivenRows(describe_given(schema), schema.json(), verify, convert=False)
        rows = rows.map(lambda value: (value,))
    elif schema is None or type(schema) is list:
        schema, names = spark._inferSchema(rows, sampling, schema), schema
        # Rows are read by the inferred field names; the given names are set afterwards.
        try:
            given = GivenRows(describe_given(schema), schema.json(), verify=False, convert=True)
        except (NotCarried, SerowError) as reason:
            rows = rows.map(_create_converter(schema))
            _rename(schema, names)
            raise Inferred(str(reason), rows, schema) from None
        _rename(schema, names)
    else:
        raise NotCarried(f"the schema is a {type(schema).__name__}")
    return Created(rows._reserialize(given)._jrdd, schema)


def of_list(spark: SparkSession, rows: list[Any], schema: Any, verify: bool) -> Created:
    """Convert a list of rows to batches, as `of_rdd` does."""
    names = None
    convert = CONVERTS_GIVEN_ROWS
    if type(schema) is StructType:
        pass
    elif isinstance(schema, DataType) and not isinstance(schema, StructType):
        schema = StructType().add(_VALUE, schema)
        rows = [(value,) for value in rows]
    elif schema is None or type(schema) is list:
        schema, names = infer(spark, rows, schema), schema
        verify, convert = False, True
    else:
        raise NotCarried(f"the schema is a {type(schema).__name__}")
    context = spark.sparkContext
    slices = context.defaultParallelism
    most = context._batchSize or _MOST_ROWS
    size = max(1, min(len(rows) // slices, most))
    given = LocalRows(rows, size, describe_given(schema), schema.json(), verify, convert)
    if names is not None:
        _rename(schema, names)
    jvm, java = context._jvm, context._jsc
    assert jvm is not None
    batches = context._serialize_to_jvm(
        rows,
        given,
        lambda path: jvm.PythonRDD.readRDDFromFile(java, path, slices),
        lambda: jvm.PythonParallelizeServer(java.sc(), slices),
    )
    return Created(batches, schema)


def _rename(schema: StructType, names: list[str] | None) -> None:
    for at, name in enumerate(names or ()):
        schema.fields[at].name = name
        schema.names[at] = name
