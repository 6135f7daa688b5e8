"""Structs and other values in the arguments of Python UDFs, in a worker.

A worker of PySpark makes the list of a column's values as pyarrow gives them, and then calls the
column's converter for each. Here the list contains the column in place of each value, and the first
call of the converter makes all values of the column.
"""

import contextlib
import functools
from collections.abc import Callable
from typing import Any

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql.conversion import ArrowTableToRowsConversion
from pyspark.sql.types import DataType, StructType

from serow import SerowError
from serow._native import Column, ColumnConverter
from serow.spark.arrays import (
    STOCK_TO_LIST,
    ConversionError,
    Reader,
    is_as_expected,
    is_inner_call,
    stock_to_list,
    to_list,
)
from serow.spark.schemas import NotCarried

#: The options of PySpark's converters that serow knows.
_OPTIONS = {"none_on_identity", "binary_as_bytes"}


def converter(
    of: DataType, stock: Callable[..., Any], options: dict[str, Any]
) -> Callable[[Any], Any]:
    """Give the converter for a column of a type with structs; `stock` is PySpark's own factory."""
    if not (options.keys() <= _OPTIONS and _is_as_expected(stock)):
        return stock(of, **options)  # type: ignore[no-any-return]
    let_serow_make_values()
    return _make(of, stock, options)


def _make(of: DataType, stock: Callable[..., Any], options: dict[str, Any]) -> Callable[[Any], Any]:
    quick = None
    # Of some types only PySpark makes values.
    with contextlib.suppress(NotCarried, SerowError):
        quick = Reader(of, binary_as_bytes=options.get("binary_as_bytes", True))
    # Lazy, because it creates the converters of all inner structs, again at each level.
    by_stock = functools.cache(lambda: stock(of, **options))

    def read(array: pa.Array) -> list[Any]:
        error = None
        if quick is not None:
            try:
                return quick.values(array)
            except MemoryError:
                raise
            except ConversionError as found:
                error = found.error
            except Exception:
                pass
        # PySpark converts row by row. If several values are wrong, it may find another one first.
        convert = by_stock()
        values = [convert(value) for value in stock_to_list(array)]
        if error is not None:
            # A user-defined type has failed only once.
            raise error
        return values

    return ColumnConverter(read, lambda value: by_stock()(value)).convert


def let_serow_make_values() -> None:
    """Replace PySpark's function that makes the values of a column, for this task."""
    task = TaskContext.get()

    def values(column: Any) -> list[Any]:
        if TaskContext.get() is not task:
            ArrowTableToRowsConversion._to_pylist = staticmethod(STOCK_TO_LIST)
        elif isinstance(column, pa.Array) and not is_inner_call():
            return (
                [Column(column)] * len(column)
                if _contains_structs(column.type)
                else to_list(column)
            )
        return stock_to_list(column)

    if task is not None:
        ArrowTableToRowsConversion._to_pylist = staticmethod(values)


def _contains_structs(of: pa.DataType) -> bool:
    if pa.types.is_map(of):
        return _contains_structs(of.key_type) or _contains_structs(of.item_type)
    if pa.types.is_list(of):
        return _contains_structs(of.value_type)
    return bool(pa.types.is_struct(of))


@functools.cache
def _is_as_expected(stock: Callable[..., Any]) -> bool:
    """Tell whether PySpark makes the same rows as native code, from a sample."""

    def rows(batch: pa.RecordBatch, of: StructType) -> list[Any]:
        return list(map(stock(of), stock_to_list(batch.to_struct_array())))

    return is_as_expected(rows)
