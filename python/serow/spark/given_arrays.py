"""Arrow arrays of values from Python, as PySpark makes them.

PySpark converts value by value, makes a dict of each struct, and has pyarrow make an array of all.
Here native code makes the arrays of values whose class is the usual one of their type. PySpark's
own converters make all other columns.
"""

from collections.abc import Callable
from typing import Any

import pyarrow as pa
from pyspark.sql.types import DataType, Row, StructType

from serow import SerowError
from serow._native import RowArrays
from serow.spark.schemas import NotCarried, describe_given_arrays, row_arrays

#: Makes PySpark's converter of values of a type that may be null or not.
Stock = Callable[[DataType, bool], Callable[[Any], Any] | None]


class OtherError(Exception):
    """Values are left to Spark."""


class Column:
    """Makes the arrays of a column's values, until a value needs PySpark."""

    def __init__(self, of: DataType, is_nullable: bool, stock: Stock) -> None:  # noqa: D107
        self._of = of
        self._is_nullable = is_nullable
        self._stock = stock
        self._arrays = _native(of, is_nullable)
        self._fields = Columns(of, stock) if isinstance(of, StructType) and of.fields else None

    def quickly(self, values: list[Any], wanted: pa.DataType) -> pa.Array | None:
        """Make the array that PySpark makes; None if PySpark has to, or may have an error."""
        made = _made(self._arrays, values, pa.schema([("value", wanted)]))
        if made is not None:
            return made.column(0)
        # The next values are probably like these.
        self._arrays = None
        if self._fields is None:
            return None
        # Only some fields may need PySpark.
        try:
            return self._fields.structs(values, self._is_nullable, wanted)
        except MemoryError:
            raise
        except Exception:
            self._fields = None
            return None

    def array(self, values: list[Any], wanted: pa.DataType) -> pa.Array:
        """Make the array that PySpark makes; an exception if it has an error to raise."""
        made = self.quickly(values, wanted)
        if made is not None:
            return made
        convert = self._stock(self._of, self._is_nullable)
        return pa.array(values if convert is None else list(map(convert, values)), type=wanted)


class Columns:
    """Makes the columns of rows; those that native code can't make by PySpark's converters."""

    def __init__(self, of: StructType, stock: Stock) -> None:  # noqa: D107
        self._of = of
        self._arrays = _native(of, is_nullable=False)
        self._each = [Column(field.dataType, field.nullable, stock) for field in of.fields]

    def of_rows(self, rows: list[Any], wanted: list[pa.DataType]) -> list[pa.Array]:
        """Make the columns that PySpark makes; an exception if it has an error to raise."""
        made = _made(self._arrays, rows, pa.schema(list(zip(self._of.names, wanted, strict=True))))
        if made is not None:
            return list(made.columns)
        self._arrays = None
        tuples = _tuples(rows, self._of)
        columns = zip(self._each, wanted, strict=True)
        return [
            column.array([row[at] for row in tuples], of) for at, (column, of) in enumerate(columns)
        ]

    def structs(self, values: list[Any], is_nullable: bool, wanted: pa.StructType) -> pa.Array:
        """Make an array of rows in a column, as `of_rows` does."""
        kinds = set(map(type, values))
        has_null = type(None) in kinds
        # PySpark refuses lists, and numbers equal names.
        if (
            list in kinds
            or (has_null and not is_nullable)
            or len(set(self._of.names)) < len(wanted)
        ):
            raise OtherError
        mask = None
        if has_null:
            mask = pa.array([value is None for value in values])
            null: Any = {} if dict in kinds else (None,) * len(wanted)
            values = [null if value is None else value for value in values]
        columns = self.of_rows(values, [field.type for field in wanted])
        return pa.StructArray.from_arrays(columns, fields=list(wanted), mask=mask)


def _native(of: DataType, is_nullable: bool) -> RowArrays | None:
    try:
        return row_arrays(describe_given_arrays(of, is_nullable))
    except (NotCarried, SerowError):
        return None


def _made(arrays: RowArrays | None, rows: list[Any], wanted: pa.Schema) -> pa.RecordBatch | None:
    if arrays is None:
        return None
    try:
        stream = arrays.arrays(rows, wanted)
    except SerowError:
        # Spark rounds or converts a value, or refuses it.
        return None
    return pa.RecordBatchReader.from_stream(stream).read_next_batch()


def _tuples(rows: list[Any], of: StructType) -> list[Any]:
    """Give rows as tuples of the fields' values; an error if PySpark may see something else."""
    kinds = set(map(type, rows))
    if kinds == {dict}:
        return [tuple(map(row.get, of.names)) for row in rows]
    if not (kinds <= {tuple, Row, list} and set(map(len, rows)) <= {len(of)}):
        raise OtherError
    return rows
