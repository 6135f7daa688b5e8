"""Python UDFs whose arguments come as Arrow: the rows that structs among them become.

PyArrow makes a dict of each struct, and PySpark a `Row` of that, by Python code for each field. In
the tasks of an enabled session native code makes the `Row`; all else is converted as Spark does it.
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

#: What PySpark is told of how structs become rows.
_OPTIONS = {"none_on_identity", "binary_as_bytes"}


def is_by_arrow(function: Any) -> bool:
    """Whether a `UserDefinedFunction` is a plain one whose arguments come as Arrow."""
    return bool(function.evalType == PythonEvalType.SQL_ARROW_BATCHED_UDF)


class WithRows:
    """Stands for a function in a UDF's command: a worker that reads it gets the function itself."""

    def __init__(self, function: Any) -> None:
        """Stand for `function`."""
        self._function = function

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrival.with_rows, (self._function, serow.__version__)


def converter(of: StructType, stock: Callable[..., Any], options: dict[str, Any]) -> _Converter:
    """Make what makes a row of the dict of a struct; `stock` is what PySpark would make it by."""
    made = None
    if options.keys() <= _OPTIONS and _is_as_expected(stock):
        made = _make(of, stock, options)
    return made or stock(of, **options)


def _make(of: StructType, stock: Callable[..., Any], options: dict[str, Any]) -> _Converter:
    from pyspark.sql.conversion import ArrowTableToRowsConversion
    from pyspark.sql.pandas.types import _dedup_names

    # Not `stock`: there may be structs in the fields.
    create = ArrowTableToRowsConversion._create_converter
    converters = [
        create(field.dataType, **{**options, "none_on_identity": True}) for field in of.fields
    ]
    # Made when it is needed: it would make those of all structs within it, each again.
    by_stock = functools.cache(lambda: stock(of, **options))
    return DictRows(
        Row, of.names, _dedup_names(of.names), converters, lambda value: by_stock()(value)
    ).row


@functools.cache
def _is_as_expected(stock: Callable[..., Any]) -> bool:
    """Whether PySpark makes of a dict what native code makes of it."""
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
