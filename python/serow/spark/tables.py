"""The rows of Arrow tables and batches, as PySpark gives them.

Stock PySpark makes all values of a table first, converts them one by one, and makes a `Row` of each
tuple by Python code. Here native code makes the rows of a batch while its values are in the
processor's cache.
"""

import contextlib
import functools
from collections.abc import Callable
from typing import Any

import pyarrow as pa
from pyspark.sql.conversion import ArrowTableToRowsConversion
from pyspark.sql.types import Row, StructType

from serow import SerowError
from serow.spark.arrays import Reader, is_as_expected
from serow.spark.schemas import NotCarried

#: Spark's own functions. The first is replaced while a session is enabled.
_STOCK_CONVERT = ArrowTableToRowsConversion.convert
_OPTIONS = {"binary_as_bytes"}
#: Most rows to make at a time, so that their values stay in the processor's cache.
_MOST_ROWS = 10_000


class Collected:
    """The rows of a table's batches, which are added as they come."""

    def __init__(self, schema: StructType, options: dict[str, Any]) -> None:  # noqa: D107
        self.schema = schema
        self.options = options
        self._rows: list[Row] = []
        self._arrow: pa.Schema | None = None
        self._read = _expected_reader(schema, options)

    def add(self, batch: pa.RecordBatch) -> None:
        """Make the rows of a batch, unless an earlier one was refused."""
        if self._read is None:
            return
        try:
            if self._arrow is None:
                self._arrow = batch.schema
            for start in range(0, batch.num_rows, _MOST_ROWS):
                self._rows += self._read(batch.slice(start, _MOST_ROWS))
        except MemoryError:
            raise
        except Exception:
            # Spark makes all rows, or raises its own error.
            self._read = None
            self._rows = []

    def all_of(self, table: pa.Table) -> list[Row] | None:
        """Give the rows if they are those of this table."""
        if self._read is None or table.num_rows != len(self._rows):
            return None
        is_same = self._arrow is None or self._arrow.equals(table.schema)
        return self._rows if is_same else None


def read_table(table: Any, schema: StructType, options: dict[str, Any]) -> list[Row] | None:
    """Give the rows of a table; None if Spark has to make them, or has an error to raise."""
    if not (isinstance(table, pa.Table) and options.keys() <= _OPTIONS):
        return None
    # Spark refuses some types also if there is no row.
    if table.num_rows == 0 or table.num_columns != len(schema.fields):
        return None
    rows = Collected(schema, options)
    for batch in table.to_batches():
        rows.add(batch)
    return rows.all_of(table)


def rows_of_batch(
    schema: StructType, options: dict[str, Any]
) -> Callable[[pa.RecordBatch], list[Row] | None]:
    """Give a function of batches; it gives None if Spark has to make the rows, or has an error."""
    read = _expected_reader(schema, options)

    def rows(batch: pa.RecordBatch) -> list[Row] | None:
        if read is None:
            return None
        try:
            return read(batch)
        except MemoryError:
            raise
        except Exception:
            return None

    return rows


def _expected_reader(
    schema: StructType, options: dict[str, Any]
) -> Callable[[pa.RecordBatch], list[Row]] | None:
    """Give what makes the rows of batches as PySpark does; None if only PySpark can."""
    # Without fields all rows are one object.
    if schema.fields and _is_as_expected():
        # Of some types Spark makes no values.
        with contextlib.suppress(NotCarried, SerowError):
            as_bytes = options.get("binary_as_bytes", True)
            return Reader(schema, binary_as_bytes=as_bytes, are_rows=True).rows
    return None


@functools.cache
def _is_as_expected() -> bool:
    """Tell whether PySpark makes the same rows as native code, from a sample."""
    return is_as_expected(lambda batch, of: _STOCK_CONVERT(pa.Table.from_batches([batch]), of))
