"""Rows of DataFrames from Spark's own row format."""

from collections.abc import Callable
from typing import Any

from pyspark.serializers import BatchedSerializer, FramedSerializer
from pyspark.sql.types import Row, StructType, _parse_datatype_json_string

from serow import DecodeError
from serow.spark._arrival import arrival
from serow.spark.schemas import Description, unsafe_rows


class RowBatches(BatchedSerializer):
    """Reads the batches that `io.github.serow.spark.pyspark.PythonBridge` makes from a DataFrame.

    It replaces Spark's deserializer of pickled batches: on the workers for `df.rdd`, on the driver
    for `collect` and similar methods.

    `exact` and `internal` describe the schema for native code, see `Description`. `schema` is
    Spark's JSON of it.
    """

    def __init__(self, exact: str | None, internal: str, schema: str) -> None:  # noqa: D107
        super().__init__(_Batches(Description(exact, internal), schema))
        self._made_of = (exact, internal, schema)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RowBatches) and self._made_of == other._made_of

    def __hash__(self) -> int:
        return hash(self._made_of)

    def __repr__(self) -> str:
        return f"RowBatches({self._made_of[1]})"

    def __reduce__(self) -> tuple[Any, ...]:
        return arrival(RowBatches, *self._made_of)


class _Batches(FramedSerializer):
    """Decodes each batch to a list of rows."""

    def __init__(self, description: Description, schema: str) -> None:
        self._description = description
        self._schema = schema
        self._rows = None if description.exact is None else unsafe_rows(description.exact, Row)
        self._convert: Callable[[bytes], list[Row]] | None = None

    def loads(self, batch: bytes) -> list[Row]:
        """Decode a batch."""
        if self._rows is not None:
            try:
                return self._rows.read(batch)
            except DecodeError:
                # Python lacks a value in the batch, for example a day in the year 10000. Spark's
                # own types convert it or, more often, raise the error that users of Spark know.
                pass
        return self._converted(batch)

    def _converted(self, batch: bytes) -> list[Row]:
        if self._convert is None:
            rows = unsafe_rows(self._description.internal, None)
            schema = _parse_datatype_json_string(self._schema)
            assert isinstance(schema, StructType)

            def convert(batch: bytes) -> list[Row]:
                return list(map(schema.fromInternal, rows.read(batch)))

            self._convert = convert
        return self._convert(batch)
