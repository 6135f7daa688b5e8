"""The values of Arrow arrays, as PySpark gives them to Python.

Stock PySpark lets pyarrow make a dict of each struct, and makes a `Row` of the dict. Here native
code makes all values of a column, or the rows of a batch, if Arrow's type is the one in which
PySpark sends values of Spark's type.
"""

import functools
import threading
from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any

import pyarrow as pa
from pyspark.sql.conversion import ArrowTableToRowsConversion
from pyspark.sql.pandas.types import _dedup_names, from_arrow_type
from pyspark.sql.types import (
    ArrayType,
    DataType,
    LongType,
    MapType,
    Row,
    StringType,
    StructField,
    StructType,
    TimestampType,
    UserDefinedType,
    _create_row,
)

import serow
from serow.spark.schemas import MOST_KEPT, describe_arrays, row_arrays

#: PySpark's own function from an array to the values that pyarrow gives; since Spark 4.2.
STOCK_TO_LIST: Callable[[Any], list[Any]] = getattr(
    ArrowTableToRowsConversion, "_to_pylist", lambda array: array.to_pylist()
)

#: Fewest numbers or texts of an array that serow makes faster than pyarrow.
_FEWEST = 1000


class OtherTypeError(Exception):
    """An array is of another type than PySpark's type says."""


class ConversionError(Exception):
    """The code of a user-defined type has refused a value."""

    def __init__(self, error: Exception) -> None:  # noqa: D107
        super().__init__(error)
        # Without its traceback, which has all the values that were made until then.
        self.error = error.with_traceback(None)


def to_list(array: pa.Array) -> list[Any]:
    """Give the values that pyarrow gives, by the fastest way."""
    if _is_quick(array.type) or (len(array) >= _FEWEST and _is_plain(array.type)):
        try:
            return serow.from_arrow(array)
        except MemoryError:
            raise
        except serow.SerowError:
            # A value that Python lacks: pyarrow has its own error.
            pass
    return stock_to_list(array)


def _is_quick(of: pa.DataType) -> bool:
    types = pa.types
    if types.is_list(of):
        inner = of.value_type
        is_number = types.is_integer(inner) or types.is_floating(inner) or types.is_boolean(inner)
        return is_number or _is_quick(inner)
    if types.is_timestamp(of):
        # PySpark drops the zones, so it does not matter of which class they are.
        return bool(of.unit == "us")
    return bool(types.is_date32(of) or types.is_decimal128(of))


def _is_plain(of: pa.DataType) -> bool:
    types = pa.types
    is_number = types.is_integer(of) or types.is_floating(of) or types.is_boolean(of)
    is_text = types.is_string(of) or types.is_large_string(of)
    return bool(is_number or is_text or types.is_binary(of) or types.is_large_binary(of))


class _Calls(threading.local):
    #: Whether PySpark's function runs. With an older pyarrow it calls itself for inner arrays.
    are_of_stock = False


_calls = _Calls()


def stock_to_list(array: pa.Array) -> list[Any]:
    """Give the values that pyarrow gives, by PySpark's own function."""
    before, _calls.are_of_stock = _calls.are_of_stock, True
    try:
        return STOCK_TO_LIST(array)
    finally:
        _calls.are_of_stock = before


def is_inner_call() -> bool:
    """Tell whether PySpark's function has called itself for an inner array."""
    return _calls.are_of_stock


class Reader:
    """Makes the rows of batches, or the values of arrays, as PySpark does.

    Its methods raise an exception if PySpark has to make the values, or has an error to raise.
    """

    def __init__(self, of: DataType, *, binary_as_bytes: bool, are_rows: bool = False) -> None:
        """Make the values of a type; `are_rows` if they are rows, whose fields are columns.

        Raises NotCarried or SchemaError for types whose values only PySpark makes.
        """
        self._of = of
        self._values = _values(describe_arrays(of, not are_rows, binary_as_bytes))
        self._make_objects = _objects(of)

    def rows(self, batch: pa.RecordBatch) -> list[Row]:
        """Give the rows of a batch."""
        return self._of_type(batch.schema, batch.to_struct_array(), _are_of)

    def values(self, array: pa.Array) -> list[Any]:
        """Give the values of an array."""
        return self._of_type(array.type, pa.StructArray.from_arrays([array], ["value"]), _is_of)

    def _of_type(
        self, found: Any, rows: pa.StructArray, fits: Callable[[Any, Any], bool]
    ) -> list[Any]:
        if found != self._values.known:
            if not fits(found, self._of):
                raise OtherTypeError(found)
            self._values.known = found
        values = self._values.of_rows(rows)
        if self._make_objects is None:
            return values
        try:
            return list(map(self._make_objects, values))
        except MemoryError:
            raise
        except Exception as error:
            raise ConversionError(error) from None


class _Values:
    """Makes the values of arrays of one description."""

    def __init__(self, description: str) -> None:
        self.of_rows = row_arrays(description).rows
        #: An Arrow type or schema in which PySpark sends such values.
        self.known: Any = None


#: Shared, so that a table of a few rows does not take long.
_values = functools.lru_cache(MOST_KEPT)(_Values)


def _is_of(found: pa.DataType, of: DataType) -> bool:
    """Tell whether PySpark sends values of a type in arrays of this one."""
    types = pa.types
    if isinstance(of, UserDefinedType):
        return _is_of(found, of.sqlType())
    if isinstance(of, StructType):
        names = _dedup_names(of.names)
        # Renaming may give a name that another field has. PySpark raises an error for this.
        is_named = types.is_struct(found) and [field.name for field in found] == names
        return is_named and len(set(names)) == len(names) and _are_of(found, of)
    if isinstance(of, ArrayType):
        return types.is_list(found) and _is_of(found.value_type, of.elementType)
    if isinstance(of, MapType):
        is_map = types.is_map(found) and _is_of(found.key_type, of.keyType)
        return is_map and _is_of(found.item_type, of.valueType)
    if types.is_timestamp(found) and found.tz is not None:
        # An error if the zone is unknown, as pyarrow would raise.
        pa.lib.string_to_tzinfo(found.tz)
    return type(from_arrow_type(found, prefer_timestamp_ntz=True)) is type(of)


def _are_of(found: pa.StructType | pa.Schema, of: StructType) -> bool:
    """Tell the same of all fields of a struct."""
    fields = zip(found, of.fields, strict=True)
    return all(_is_of(field.type, expected.dataType) for field, expected in fields)


def _objects(of: DataType) -> Callable[[Any], Any] | None:
    """Give what makes the objects of user-defined types in a value; None if it has none."""
    make: Callable[[Any], Any]
    if isinstance(of, UserDefinedType):
        inner, deserialize = _objects(of.sqlType()), of.deserialize
        make = deserialize if inner is None else lambda value: deserialize(inner(value))
    elif isinstance(of, StructType):
        names, fields = list(of.names), [_objects(field.dataType) or _same for field in of.fields]
        if all(convert is _same for convert in fields):
            return None

        def make(row: Any) -> Any:
            return _create_row(names, [convert(v) for convert, v in zip(fields, row, strict=True)])
    elif isinstance(of, ArrayType):
        element = _objects(of.elementType)
        if element is None:
            return None
        make = lambda value: list(map(element, value))  # noqa: E731
    elif isinstance(of, MapType):
        keys, values = _objects(of.keyType) or _same, _objects(of.valueType) or _same
        if keys is _same and values is _same:
            return None
        make = lambda value: {keys(k): values(v) for k, v in value.items()}  # noqa: E731
    else:
        return None
    return lambda value: None if value is None else make(value)


def _same(value: Any) -> Any:
    return value


def is_as_expected(stock: Callable[[pa.RecordBatch, StructType], list[Any]]) -> bool:
    """Tell whether PySpark makes the same rows of a batch as native code, from a sample."""
    inner = StructType().add("b", StringType())
    of = StructType([StructField("a", LongType()), StructField("a", inner)])
    # In Europe and America, clocks are turned back at two of these times.
    times = [datetime(2024, 10, 27, 1, 30), None, datetime(2024, 11, 3, 1, 30)]
    columns = [
        pa.array([1, None, 3]),
        pa.array([{"b": "b"}, None, {"b": None}]),
        pa.array([time and time.replace(tzinfo=timezone.utc) for time in times]),
    ]
    batch = pa.RecordBatch.from_arrays(columns, ["a_0", "a_1", "t"])
    of.add("t", TimestampType())
    try:
        expected, read = stock(batch, of), Reader(of, binary_as_bytes=True, are_rows=True)
        return list(map(_seen, read.rows(batch))) == list(map(_seen, expected))
    except Exception:
        return False


def _seen(value: Any) -> Any:
    """Give what shows whether a value is the same."""
    if isinstance(value, tuple):
        return type(value), vars(value), list(map(_seen, value))
    return type(value), value, getattr(value, "fold", None), getattr(value, "tzinfo", None)
