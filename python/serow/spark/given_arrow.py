"""Arrow tables of rows from Python, as the client of Spark Connect sends them.

Spark converts value by value, and has pyarrow make the columns. Here serow makes the columns of all
rows at once. That is the same only for values whose class is the usual one of the column's type. So
the classes in each column decide, and Spark's own function makes all other columns.
"""

import contextlib
import datetime
import decimal
import functools
from collections.abc import Callable
from itertools import chain
from operator import itemgetter
from typing import Any

import pyarrow as pa
from pyspark.sql import types
from pyspark.sql.types import ArrayType, DataType, Row, StructType

import serow
from serow._native import classes, moments

#: Makes a table of rows and their schema by Spark's own function.
Stock = Callable[[list[Any], StructType], pa.Table]

#: The class that serow converts to a type as Spark does. By the names of types, because not every
#: version has all of them.
_CLASSES = {
    "BooleanType": bool,
    "ByteType": int,
    "ShortType": int,
    "IntegerType": int,
    "LongType": int,
    "FloatType": float,
    "DoubleType": float,
    "StringType": str,
    "BinaryType": bytes,
    "DateType": datetime.date,
    "TimestampNTZType": datetime.datetime,
    "TimestampType": datetime.datetime,
    "DayTimeIntervalType": datetime.timedelta,
    "TimeType": datetime.time,
    "DecimalType": decimal.Decimal,
    "ArrayType": list,
}

#: Exactly, because a subclass may have any meaning.
_CLASS_OF = {
    getattr(types, name): value for name, value in _CLASSES.items() if hasattr(types, name)
}


class _OtherError(Exception):
    """A column is left to Spark."""


def table(data: list[Any], schema: StructType, stock: Stock) -> pa.Table | None:
    """Make the table that Spark makes; None if Spark has to, or has an error to raise."""
    if not schema.fields:
        return None
    try:
        rows = _tuples(data, schema)
        found = None if rows is None else classes(rows, len(schema.fields))
        if rows is None or found is None:
            return None
        quick = [
            at
            for at, (field, of) in enumerate(zip(schema.fields, found, strict=True))
            if _fits(field.dataType, of)
        ]
        if not quick:
            return None
        # Spark's own schema, whatever its version makes of the types.
        wanted = stock(data[:1], schema).schema
        made = _columns(rows, quick, schema, wanted)
        rest = [at for at in range(len(schema.fields)) if at not in made]
        if rest:
            of_rest = stock(_picked(rows, rest), StructType([schema.fields[at] for at in rest]))
            made.update(zip(rest, of_rest.columns, strict=True))
        return pa.Table.from_arrays([made[at] for at in range(len(made))], schema=wanted)
    except MemoryError:
        raise
    except Exception:
        return None


def _tuples(data: list[Any], schema: StructType) -> list[Any] | None:
    """Give the rows as tuples; None if they are others than tuples, `Row`s and dicts."""
    kinds = set(map(type, data))
    if kinds == {tuple}:
        return data
    if kinds <= {tuple, Row, list}:
        return list(map(tuple, data))
    if kinds == {dict}:
        names = schema.fieldNames()
        get = itemgetter(*names)
        try:
            return list(map(get, data)) if len(names) > 1 else [(get(row),) for row in data]
        except KeyError:
            return [tuple(map(row.get, names)) for row in data]
    return None


def _fits(of: DataType, found: list[type]) -> bool:
    """Tell whether all values of these classes are the usual ones of a type, or None."""
    usual = _CLASS_OF.get(type(of))
    return usual is not None and all(cls is usual or cls is type(None) for cls in found)


def _picked(rows: list[Any], columns: list[int]) -> list[Any]:
    if len(columns) == 1:
        (only,) = columns
        return [(row[only],) for row in rows]
    return list(map(itemgetter(*columns), rows))


def _column(rows: list[Any], at: int) -> list[Any]:
    return [row[at] for row in rows]


def _columns(
    rows: list[Any], quick: list[int], schema: StructType, wanted: pa.Schema
) -> dict[int, pa.Array]:
    """Make the columns that serow makes as Spark does."""
    are_all = len(quick) == len(schema.fields)
    given = serow.to_arrow(rows if are_all else _picked(rows, quick), batch_rows=len(rows))
    made = {}
    for at, column in zip(quick, pa.table(given).columns, strict=True):
        field = schema.fields[at]
        # What a cast refuses, Spark rounds or refuses too.
        with contextlib.suppress(_OtherError, pa.ArrowException):
            made[at] = _fitted(
                column.combine_chunks(),
                field.dataType,
                field.nullable,
                wanted.field(at).type,
                functools.partial(_column, rows, at),
            )
    return made


def _fitted(
    array: pa.Array,
    of: DataType,
    is_nullable: bool,
    wanted: pa.DataType,
    values: Callable[[], list[Any]],
) -> pa.Array:
    """Give an array the type that Spark wants; an error if another value than Spark's would come.

    `values` gives the values of which the array was made.
    """
    if isinstance(array, pa.ChunkedArray):
        raise _OtherError
    if array.null_count and not is_nullable:
        raise _OtherError
    if pa.types.is_null(array.type):
        return pa.nulls(len(array), wanted)
    if type(of) is ArrayType:
        return _fitted_lists(array, of, wanted, values)
    if pa.types.is_timestamp(wanted) and wanted.tz is not None:
        array = _moments(array)
    if not _is_same(array.type, wanted):
        raise _OtherError
    return array if array.type == wanted else array.cast(wanted)


def _moments(array: pa.Array) -> pa.Array:
    """Give the moments of local times; any other array as it is."""
    of = array.type
    if not (pa.types.is_timestamp(of) and of.tz is None and of.unit == "us") or array.offset:
        return array
    valid, words = array.buffers()
    found = moments(words.slice(0, len(array) * 8).to_pybytes())
    if found is None:
        raise _OtherError
    return pa.Array.from_buffers(
        pa.timestamp("us", "UTC"), len(array), [valid, pa.py_buffer(found)]
    )


def _is_same(found: pa.DataType, wanted: pa.DataType) -> bool:
    """Tell whether a cast gives what pyarrow makes of the values, or an error."""
    is_type = pa.types
    if is_type.is_integer(wanted):
        return bool(is_type.is_int64(found))
    if is_type.is_floating(wanted):
        return bool(is_type.is_float64(found))
    if is_type.is_decimal128(wanted):
        # Spark rounds to fewer digits, and a cast refuses to.
        return bool(is_type.is_decimal128(found) and found.scale <= wanted.scale)
    if is_type.is_timestamp(wanted):
        is_same = is_type.is_timestamp(found) and found.unit == wanted.unit
        return bool(is_same and (found.tz is None) == (wanted.tz is None))
    if is_type.is_time64(wanted):
        return bool(is_type.is_time64(found))
    if is_type.is_large_string(wanted):
        return bool(is_type.is_string(found))
    if is_type.is_large_binary(wanted):
        return bool(is_type.is_binary(found))
    return bool(found == wanted)


def _fitted_lists(
    array: pa.Array, of: ArrayType, wanted: pa.DataType, values: Callable[[], list[Any]]
) -> pa.Array:
    if not (pa.types.is_list(array.type) and pa.types.is_list(wanted)):
        raise _OtherError
    flat = list(chain.from_iterable(filter(None, values())))
    if not _fits(of.elementType, list(set(map(type, flat)))):
        raise _OtherError
    if array.offset or len(array.values) != len(flat):
        raise _OtherError
    inner, may_be_null = of.elementType, of.containsNull
    elements = _fitted(array.values, inner, may_be_null, wanted.value_type, lambda: flat)
    return pa.Array.from_buffers(
        wanted, len(array), array.buffers()[:2], array.null_count, 0, [elements]
    )
