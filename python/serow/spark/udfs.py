"""Rows in the arguments of Python UDFs that use Arrow.

PyArrow converts each struct to a dict, and PySpark converts the dict to a `Row`, with Python code
for each field. In the tasks of an enabled session native code makes the `Row`. Spark converts all
other values.
"""

import functools
from collections.abc import Callable
from typing import Any

from pyspark.sql.types import BinaryType, LongType, Row, StructField, StructType
from pyspark.util import PythonEvalType

import serow
from serow._native import DictRows
from serow.spark import _arrival

_Converter = Callable[[Any], Any]

#: The options of PySpark's converters that serow knows.
_OPTIONS = {"none_on_identity", "binary_as_bytes"}


def is_by_arrow(function: Any) -> bool:
    """Tell whether a `UserDefinedFunction` is a plain one whose arguments come as Arrow."""
    return bool(function.evalType == PythonEvalType.SQL_ARROW_BATCHED_UDF)


class WithRows:
    """Replaces a function in a UDF's command; a worker unpickles it as the function itself."""

    def __init__(self, function: Any) -> None:
        """Replace `function`."""
        self._function = function

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrival.with_rows, (self._function, serow.__version__)


def converter(of: StructType, stock: Callable[..., Any], options: dict[str, Any]) -> _Converter:
    """Give the converter from a struct's dict to a row; `stock` is PySpark's own factory."""
    made = None
    if options.keys() <= _OPTIONS and _is_as_expected(stock):
        made = _make(of, stock, options)
    return made or stock(of, **options)


def _make(of: StructType, stock: Callable[..., Any], options: dict[str, Any]) -> _Converter:
    from pyspark.sql.conversion import ArrowTableToRowsConversion
    from pyspark.sql.pandas.types import _dedup_names

    # Not `stock`, so that serow also converts structs inside the fields.
    create = ArrowTableToRowsConversion._create_converter
    converters = [
        create(field.dataType, **{**options, "none_on_identity": True}) for field in of.fields
    ]
    # Lazy, because it creates the converters of all inner structs, again at each level.
    by_stock = functools.cache(lambda: stock(of, **options))
    return DictRows(
        Row, of.names, _dedup_names(of.names), converters, lambda value: by_stock()(value)
    ).row


@functools.cache
def _is_as_expected(stock: Callable[..., Any]) -> bool:
    """Tell whether PySpark converts a dict to the same row as native code."""
    of = StructType(
        [StructField("a", LongType()), StructField("a", BinaryType()), StructField("b", LongType())]
    )
    options = {"none_on_identity": True, "binary_as_bytes": False}
    value = {"a_0": 1, "a_1": b"b"}
    try:
        expected = stock(of, **options)(value)
        found = _make(of, stock, options)(value)
    except Exception:
        return False
    return all(
        type(row) is Row
        and vars(row) == {"__fields__": of.names}
        and list(map(repr, row)) == ["1", "bytearray(b'b')", "None"]
        for row in (expected, found)
    )
