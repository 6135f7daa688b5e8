"""What `createDataFrame` makes of rows, as batches that the JVM reads.

Spark's own functions say what the schema is where it is not given, and how a list is cut into
partitions; so those of PySpark that are no part of its interface are called from here, from
`inferred.py` and from `given.py`.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from py4j.java_gateway import JavaObject
from pyspark import RDD
from pyspark.sql import SparkSession
from pyspark.sql.types import DataType, StructType, _create_converter

from serow import SerowError
from serow.spark.given import GivenRows, LocalRows
from serow.spark.inferred import infer
from serow.spark.schemas import NotCarried, describe_given

#: So many rows of a list are in a batch if Spark was not told how many.
_MOST_ROWS = 1 << 10

#: The column of values that are no rows.
_VALUE = "value"


class Created(NamedTuple):
    """What a DataFrame is made of."""

    #: A `JavaRDD` of batches.
    batches: JavaObject
    schema: StructType


class Inferred(NotCarried):
    """Columns that are left to Spark, when it was found out of which types they are."""

    def __init__(self, reason: str, rows: "RDD[Any]", schema: StructType) -> None:
        """Of `reason`; `rows` are tuples of values of `schema`."""
        super().__init__(reason)
        self.rows = rows
        self.schema = schema


def listed(rows: Iterable[Any]) -> tuple[list[Any] | None, Any]:
    """Give local rows as a list, and as what may be given to Spark instead.

    There is no list if they fail while they come: Spark then finds what is wrong with those before.
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
    """Make batches of an RDD of rows; raises NotCarried if its columns are left to Spark."""
    if type(schema) is StructType:
        given = GivenRows(describe_given(schema), schema.json(), verify, convert=False)
    elif isinstance(schema, DataType) and not isinstance(schema, StructType):
        schema = StructType().add(_VALUE, schema)
        given = GivenRows(describe_given(schema), schema.json(), verify, convert=False)
        rows = rows.map(lambda value: (value,))
    elif schema is None or type(schema) is list:
        schema, names = spark._inferSchema(rows, sampling, schema), schema
        # Fields are looked up by the names that they were found with.
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
    """Make batches of a list of rows, as `of_rdd` does."""
    names = None
    if type(schema) is StructType:
        pass
    elif isinstance(schema, DataType) and not isinstance(schema, StructType):
        schema = StructType().add(_VALUE, schema)
        rows = [(value,) for value in rows]
    elif schema is None or type(schema) is list:
        schema, names = infer(spark, rows, schema), schema
        verify = False
    else:
        raise NotCarried(f"the schema is a {type(schema).__name__}")
    context = spark.sparkContext
    slices = context.defaultParallelism
    most = context._batchSize or _MOST_ROWS
    size = max(1, min(len(rows) // slices, most))
    given = LocalRows(rows, size, describe_given(schema), schema.json(), verify)
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
