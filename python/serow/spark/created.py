"""Converts the rows of `createDataFrame` to batches for the JVM.

Spark's own functions infer schemas and split lists into partitions. Therefore this module,
`inferred.py` and `given.py` call private functions of PySpark.
"""

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from py4j.java_gateway import JavaObject
from pyspark import RDD
from pyspark.sql import Row, SparkSession
from pyspark.sql.types import DataType, StructType, _create_converter, _make_type_verifier

from serow import SerowError
from serow.spark._versions import CONVERTS_GIVEN_ROWS
from serow.spark.given import GivenRows, LocalRows
from serow.spark.inferred import infer
from serow.spark.schemas import NotCarried, describe_given, unsafe_rows

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


def listed(rows: Iterable[Any], schema: Any, verify: bool) -> tuple[list[Any], bool]:
    """Give local rows as a list, and whether they are still to be verified.

    Spark verifies each row of an iterator before it asks for the next. So a wrong row ends this
    with Spark's error, and no later row is taken.
    """
    if type(rows) is list:
        return rows, verify
    if verify and isinstance(schema, DataType):
        return list(_verified(rows, schema)), False
    return list(rows), verify


def _verified(rows: Iterable[Any], schema: DataType) -> Iterator[Any]:
    """Give rows of a schema, each after it was verified as Spark does."""
    struct = schema if isinstance(schema, StructType) else StructType().add(_VALUE, schema)
    verify = _make_type_verifier(struct)
    write = None
    if type(struct) is StructType:
        # A row that serow writes is valid. Spark's verifier takes several times as long.
        with contextlib.suppress(NotCarried, SerowError):
            write = unsafe_rows(describe_given(struct), Row).write
    for row in rows:
        given = row if struct is schema else (row,)
        if write is not None:
            try:
                write([given])
            except SerowError:
                # Later rows are probably like this one.
                write = None
        if write is None:
            verify(given)
        yield row


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
