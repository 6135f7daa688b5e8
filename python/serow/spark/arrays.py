"""The values of Arrow arrays, as PySpark gives them to Python UDFs.

Stock PySpark lets pyarrow make a dict of each struct, and makes a `Row` of the dict. Here the
fields become lists, column by column, and native code makes the rows of these lists. Native code
also makes dates, times, decimals and lists of numbers. pyarrow and PySpark make all other values.
"""

import threading
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from itertools import pairwise, repeat
from typing import Any

import pyarrow as pa
from pyspark.sql.conversion import ArrowTableToRowsConversion
from pyspark.sql.pandas.types import _dedup_names
from pyspark.sql.types import (
    ArrayType,
    DataType,
    MapType,
    Row,
    StructType,
    TimestampType,
    UserDefinedType,
)

import serow
from serow._native import StructRows, local_times
from serow.spark._arrival import has_structs

#: Gives the values of an array.
Reader = Callable[[pa.Array], list[Any]]
#: Makes PySpark's converter of the values that pyarrow gives; None if they stay the same.
Stock = Callable[[DataType], Callable[[Any], Any] | None]

#: PySpark's own function from an array to the values that pyarrow gives; since Spark 4.2.
STOCK_TO_LIST: Callable[[Any], list[Any]] = getattr(
    ArrowTableToRowsConversion, "_to_pylist", lambda array: array.to_pylist()
)

#: Fewest numbers or texts of an array that serow makes faster than pyarrow.
_FEWEST = 1000

_NESTED = (StructType, ArrayType, MapType)


class OtherTypeError(Exception):
    """An array is of another type than PySpark's type says."""


class ConversionError(Exception):
    """PySpark's code, or that of a user-defined type, has refused a value."""

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


def reader(of: DataType, stock: Stock) -> Reader:
    """Give the reader of arrays of this type; `stock` makes PySpark's converters of values.

    A reader raises an exception if it cannot read an array, or if PySpark cannot.
    """
    if has_structs(of):
        if isinstance(of, StructType):
            return _structs(of, stock)
        if isinstance(of, ArrayType):
            return _lists(of, stock)
        if isinstance(of, MapType):
            return _maps(of, stock)
        # If the type inside is a user-defined one too, its `deserialize` may give None for a value
        # that is no null, and the outer `deserialize` gets this None.
        if isinstance(of, UserDefinedType) and isinstance(of.sqlType(), _NESTED):
            return _objects(of, stock)
    convert = stock(of)
    if convert is None:
        return to_list
    if type(of) is TimestampType and _makes_local_times(convert):
        return lambda array: _local_times(array, convert)
    return lambda array: _converted(convert, to_list(array))


def _converted(convert: Callable[[Any], Any], values: list[Any]) -> list[Any]:
    try:
        return [convert(value) for value in values]
    except MemoryError:
        raise
    except Exception as error:
        raise ConversionError(error) from None


def _makes_local_times(convert: Callable[[Any], Any]) -> bool:
    """Tell whether PySpark's converter of timestamps gives local times, from samples."""
    # In Europe and America, clocks are turned back at two of these times.
    for day in (27, 3):
        moment = datetime(2024, 10 + (day == 3), day, 1, 30, tzinfo=timezone.utc)
        expected = moment.astimezone().replace(tzinfo=None)
        found = convert(moment)
        if (found, found.fold, found.tzinfo) != (expected, expected.fold, None):
            return False
    return True


def _local_times(array: pa.Array, convert: Callable[[Any], Any]) -> list[Any]:
    of = array.type
    if pa.types.is_timestamp(of) and of.unit == "us" and of.tz is not None:
        # An error if the zone is unknown, as pyarrow would raise.
        pa.lib.string_to_tzinfo(of.tz)
        words = array.buffers()[1].slice(array.offset * 8, len(array) * 8)
        shown = local_times(words.to_pybytes())
        if shown is not None:
            valid = array.is_valid().buffers()[1] if array.null_count else None
            buffers = [valid, pa.py_buffer(shown)]
            return to_list(pa.Array.from_buffers(pa.timestamp("us"), len(array), buffers))
    return _converted(convert, to_list(array))


def _structs(of: StructType, stock: Stock) -> Reader:
    readers = [reader(field.dataType, stock) for field in of.fields]
    names = _dedup_names(of.names)
    rows = StructRows(Row, of.names).rows

    def read(array: pa.Array) -> list[Any]:
        _expect(array, pa.StructArray)
        # Renaming may give a name that another field has. PySpark raises an error for this.
        if [field.name for field in array.type] != names or len(set(names)) < len(names):
            raise OtherTypeError(array.type)
        # These arrays have a null in each row that is null.
        columns = [read(field) for read, field in zip(readers, array.flatten(), strict=True)]
        return rows(columns, len(array), _valid(array))

    return read


def _lists(of: ArrayType, stock: Stock) -> Reader:
    read_elements = reader(of.elementType, stock)

    def read(array: pa.Array) -> list[Any]:
        _expect(array, pa.ListArray)
        first, length, ranges = _ranges(array)
        elements = read_elements(array.values.slice(first, length))
        return [None if part is None else elements[part] for part in ranges]

    return read


def _maps(of: MapType, stock: Stock) -> Reader:
    read_keys, read_values = reader(of.keyType, stock), reader(of.valueType, stock)

    def read(array: pa.Array) -> list[Any]:
        _expect(array, pa.MapArray)
        first, length, ranges = _ranges(array)
        keys = read_keys(array.keys.slice(first, length))
        values = read_values(array.items.slice(first, length))
        return [
            None if part is None else dict(zip(keys[part], values[part], strict=True))
            for part in ranges
        ]

    return read


def _objects(of: UserDefinedType, stock: Stock) -> Reader:
    read_stored = reader(of.sqlType(), stock)
    deserialize = of.deserialize

    def make(value: Any) -> Any:
        return None if value is None else deserialize(value)

    return lambda array: _converted(make, read_stored(array))


def _expect(array: pa.Array, of: type) -> None:
    if type(array) is not of:
        raise OtherTypeError(array.type)


def _valid(array: pa.Array) -> list[bool] | None:
    return array.is_valid().to_pylist() if array.null_count else None


def _ranges(array: pa.Array) -> tuple[int, int, Iterator[slice | None]]:
    """Give the first of the elements of all lists, their number, and each list's range of them.

    The range of a null is None.
    """
    ends = array.offsets.to_pylist()
    first = ends[0]
    valid = _valid(array) or repeat(True)
    ranges = (
        slice(start - first, end - first) if is_valid else None
        for (start, end), is_valid in zip(pairwise(ends), valid, strict=False)
    )
    return first, ends[-1] - first, ranges
