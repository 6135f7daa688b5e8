"""Arrow arrays of values from Python, as PySpark makes them.

PySpark converts value by value, makes a dict of each struct, and has pyarrow make an array of all.
Here serow makes the arrays, and structs, lists and maps are taken apart column by column. That is
the same only for values whose class is the usual one of their type. So the classes in each column
decide, and PySpark's own converters make all other columns.
"""

import contextlib
import datetime
import decimal
import functools
from collections.abc import Callable, Sequence
from itertools import accumulate, chain
from operator import itemgetter
from typing import Any

import pyarrow as pa
from pyspark.sql import types
from pyspark.sql.types import ArrayType, DataType, MapType, Row, StructField, StructType

import serow
from serow._native import classes, moments

#: Makes PySpark's converter of values of a type that may be null or not.
Stock = Callable[[DataType, bool], Callable[[Any], Any] | None]

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
}

#: Exactly, because a subclass may have any meaning.
_CLASS_OF = {
    getattr(types, name): value for name, value in _CLASSES.items() if hasattr(types, name)
}


class OtherError(Exception):
    """Values are left to Spark."""


def array(
    values: list[Any], of: DataType, is_nullable: bool, wanted: pa.DataType, stock: Stock
) -> pa.Array:
    """Make the array that PySpark makes; an error if PySpark has to, or has an error to raise."""
    if not _is_leaf(of, list(set(map(type, values)))):
        return _other(values, of, is_nullable, wanted, stock)
    (made,) = pa.table(serow.to_arrow(values, batch_rows=len(values) or 1)).columns
    return _fitted(made.combine_chunks(), of, is_nullable, wanted, lambda: values)


def arrays(
    rows: list[Any], fields: Sequence[StructField], wanted: list[pa.DataType], stock: Stock
) -> list[pa.Array]:
    """Make the columns of tuples as `array` does."""
    found = classes(rows, len(fields))
    if found is None:
        raise OtherError
    quick = [
        at for at, field in enumerate(fields) if _is_leaf(field.dataType, found[at], is_list=True)
    ]
    made = _leaves(rows, quick, fields, wanted) if quick else {}
    for at, field in enumerate(fields):
        if at not in made:
            values = _column(rows, at)
            made[at] = _other(values, field.dataType, field.nullable, wanted[at], stock)
    return [made[at] for at in range(len(fields))]


def tuples(values: list[Any], of: StructType, kinds: set[type]) -> list[Any]:
    """Give structs of these classes as tuples; an error if PySpark may see something else."""
    if kinds == {tuple}:
        return values
    if kinds <= {tuple, Row, list}:
        return list(map(tuple, values))
    if kinds != {dict}:
        raise OtherError
    names = of.fieldNames()
    if not names:
        return [()] * len(values)
    get = itemgetter(*names)
    try:
        return list(map(get, values)) if len(names) > 1 else [(get(value),) for value in values]
    except KeyError:
        return [tuple(map(value.get, names)) for value in values]


def _is_leaf(of: DataType, found: list[type], *, is_list: bool = False) -> bool:
    """Tell whether all values of these classes are the usual ones of a type, or None."""
    usual: type | None = list if is_list and _is_list(of) else _CLASS_OF.get(type(of))
    return usual is not None and all(cls is usual or cls is type(None) for cls in found)


def _is_list(of: DataType) -> bool:
    """Tell whether a type is of lists in which serow makes all values at once."""
    if type(of) is not ArrayType:
        return False
    return type(of.elementType) in _CLASS_OF or _is_list(of.elementType)


def _column(rows: list[Any], at: int) -> list[Any]:
    return [row[at] for row in rows]


def _leaves(
    rows: list[Any],
    quick: list[int],
    fields: Sequence[StructField],
    wanted: list[pa.DataType],
) -> dict[int, pa.Array]:
    """Make those of the quick columns that become the same as in Spark."""
    picked = rows
    if len(quick) == 1 < len(fields):
        picked = [(row[quick[0]],) for row in rows]
    elif len(quick) < len(fields):
        picked = list(map(itemgetter(*quick), rows))
    given = serow.to_arrow(picked, batch_rows=len(rows))
    made = {}
    for at, column in zip(quick, pa.table(given).columns, strict=True):
        field = fields[at]
        # What a cast refuses, Spark rounds or refuses too.
        with contextlib.suppress(OtherError, pa.ArrowException):
            made[at] = _fitted(
                column.combine_chunks(),
                field.dataType,
                field.nullable,
                wanted[at],
                functools.partial(_column, rows, at),
            )
    return made


def _other(
    values: list[Any], of: DataType, is_nullable: bool, wanted: pa.DataType, stock: Stock
) -> pa.Array:
    make = _NESTED.get(type(of))
    if make is not None:
        with contextlib.suppress(OtherError, pa.ArrowException):
            return make(values, of, is_nullable, wanted, stock)
    convert = stock(of, is_nullable)
    return pa.array(values if convert is None else list(map(convert, values)), type=wanted)


def _kinds(values: list[Any], is_nullable: bool) -> tuple[set[type], bool]:
    """Give the classes of values without that of None, and whether there is None."""
    kinds = set(map(type, values))
    has_null = type(None) in kinds
    if has_null and not is_nullable:
        raise OtherError
    return kinds - {type(None)}, has_null


def _structs(
    values: list[Any], of: StructType, is_nullable: bool, wanted: pa.DataType, stock: Stock
) -> pa.Array:
    kinds, has_null = _kinds(values, is_nullable)
    # PySpark refuses lists, and numbers equal names.
    if list in kinds or not kinds or len(set(of.names)) < len(of.names):
        raise OtherError
    valid = None
    if has_null:
        valid = pa.array([value is not None for value in values]).buffers()[1]
        null: Any = {} if dict in kinds else (None,) * len(of)
        values = [null if value is None else value for value in values]
        kinds.add(type(null))
    rows = tuples(values, of, kinds)
    columns = arrays(rows, of.fields, [field.type for field in wanted], stock)
    # A struct without fields has no column that says how many there are.
    return pa.Array.from_buffers(wanted, len(values), [valid], children=columns)


def _lists(
    values: list[Any], of: ArrayType, is_nullable: bool, wanted: pa.DataType, stock: Stock
) -> pa.Array:
    offsets = _offsets(values, list, is_nullable)
    flat = list(chain.from_iterable(filter(None, values)))
    elements = array(flat, of.elementType, of.containsNull, wanted.value_type, stock)
    return pa.ListArray.from_arrays(offsets, elements, type=wanted)


def _maps(
    values: list[Any], of: MapType, is_nullable: bool, wanted: pa.DataType, stock: Stock
) -> pa.Array:
    offsets = _offsets(values, dict, is_nullable)
    maps = list(filter(None, values))
    flat = list(chain.from_iterable(maps))
    keys = array(flat, of.keyType, False, wanted.key_type, stock)
    flat = list(chain.from_iterable(map(dict.values, maps)))
    items = array(flat, of.valueType, of.valueContainsNull, wanted.item_type, stock)
    return pa.MapArray.from_arrays(offsets, keys, items, type=wanted)


def _offsets(values: list[Any], usual: type, is_nullable: bool) -> pa.Array:
    """Give where the elements of each list or map begin; null for a null."""
    kinds, has_null = _kinds(values, is_nullable)
    if kinds - {usual}:
        raise OtherError
    lengths = (len(value or ()) for value in values) if has_null else map(len, values)
    offsets: list[Any] = list(accumulate(lengths, initial=0))
    if has_null:
        starts = zip(values, offsets, strict=False)
        offsets[:-1] = [None if value is None else start for value, start in starts]
    return pa.array(offsets, pa.int32())


_NESTED: dict[type, Callable[..., pa.Array]] = {
    StructType: _structs,
    ArrayType: _lists,
    MapType: _maps,
}


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
        raise OtherError
    if array.null_count and not is_nullable:
        raise OtherError
    if pa.types.is_null(array.type):
        return pa.nulls(len(array), wanted)
    if type(of) is ArrayType:
        return _fitted_lists(array, of, wanted, values)
    if pa.types.is_timestamp(wanted) and wanted.tz is not None:
        array = _moments(array)
    if not _is_same(array.type, wanted):
        raise OtherError
    return array if array.type == wanted else array.cast(wanted)


def _moments(array: pa.Array) -> pa.Array:
    """Give the moments of local times; any other array as it is."""
    of = array.type
    if not (pa.types.is_timestamp(of) and of.tz is None and of.unit == "us") or array.offset:
        return array
    valid, words = array.buffers()
    found = moments(words.slice(0, len(array) * 8).to_pybytes())
    if found is None:
        raise OtherError
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
        raise OtherError
    flat = list(chain.from_iterable(filter(None, values())))
    if not _is_leaf(of.elementType, list(set(map(type, flat))), is_list=True):
        raise OtherError
    if array.offset or len(array.values) != len(flat):
        raise OtherError
    inner, may_be_null = of.elementType, of.containsNull
    elements = _fitted(array.values, inner, may_be_null, wanted.value_type, lambda: flat)
    return pa.Array.from_buffers(
        wanted, len(array), array.buffers()[:2], array.null_count, 0, [elements]
    )
