"""Results of Python UDFs, of which serow makes Arrow arrays in a worker.

For each batch a worker of PySpark calls a UDF for all rows, converts each result, and gives the
list of converted results to `pyarrow.array`. If that gets an object with `__arrow_array__`, it lets
the object make the array. So here the function that calls the UDF gives such an object, and the
worker gets no converter.
"""

import functools
from collections.abc import Callable
from itertools import cycle
from types import CodeType, FrameType
from typing import Any

import pyarrow as pa
from pyspark.sql.types import DataType, StructType

from serow.spark import given_arrow
from serow.spark.given_arrays import Column

#: The worker's function that calls a UDF for all rows of a batch, and the one that decorates it.
_CALLS, _DECORATES = "_evaluate_batch_udf", "fail_on_stopiteration"

#: Fewest results of which serow makes an array faster than PySpark.
_FEWEST = 200


class Maker:
    """Makes the arrays of the results of one UDF."""

    def __init__(self, of: DataType, stock: Callable[..., Any], options: dict[str, Any]) -> None:
        """`stock` is PySpark's own factory of converters."""
        self._convert = stock(of, **options)
        self._column = Column(of, True, functools.partial(stock, **options))

    def array(self, results: list[Any], wanted: pa.DataType) -> pa.Array | None:
        """Make the array that PySpark makes; None if PySpark has to, or has an error to raise."""
        return self._column.quickly(list(results), wanted) if len(results) >= _FEWEST else None

    def converted(self, results: list[Any]) -> list[Any]:
        """Give what PySpark's own converter gives for the results."""
        return [self._convert(result) for result in results]


class Results(list[Any]):
    """The results of a UDF for a batch."""

    def __init__(self, results: list[Any], maker: Maker) -> None:  # noqa: D107
        super().__init__(results)
        self._maker = maker
        self._converted: list[Any] | None = None

    def __arrow_array__(self, type: pa.DataType | None = None) -> pa.Array:
        """Make the array. If PySpark refuses its type, the worker asks again without one."""
        if type is not None and (made := self._maker.array(self, type)) is not None:
            return made
        if self._converted is None:
            self._converted = self._maker.converted(self)
        return pa.array(self._converted, type=type)


def converter(
    of: DataType,
    stock: Callable[..., Any],
    options: dict[str, Any],
    makers: list[Maker | None],
    worker: FrameType,
) -> Callable[[Any], Any] | None:
    """Give the worker's converter of a UDF's results; None if `Results` make their arrays.

    `worker` prepares the UDFs of a task, and `makers` gets what makes the results of each of them,
    in their order.
    """
    if not _is_as_expected(worker):
        return stock(of, **options)  # type: ignore[no-any-return]
    if not any(makers):
        _let_results_make_arrays(worker.f_globals, makers)
    makers[-1] = Maker(of, stock, options)
    return None


def table(stock: Callable[..., pa.Table], rows: Any, schema: StructType, *others: Any) -> pa.Table:
    """Make the table of what a call of a table function gives, as PySpark's own function does."""
    made = given_arrow.table(rows, schema, lambda *of: stock(*of, *others))
    return stock(rows, schema, *others) if made is None else made


def _is_as_expected(worker: FrameType) -> bool:
    """Tell whether the worker decorates its function that calls a UDF, after this."""
    functions = [known for known in worker.f_code.co_consts if isinstance(known, CodeType)]
    is_ahead = worker.f_code.co_name == "read_udfs" and _DECORATES in worker.f_globals
    return is_ahead and _CALLS in [function.co_name for function in functions]


def _let_results_make_arrays(worker: dict[str, Any], makers: list[Maker | None]) -> None:
    """Replace the worker's decorator until it has decorated the function that calls a UDF."""
    stock = worker[_DECORATES]

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        decorated: Callable[..., Any] = stock(function)
        if function.__name__ != _CALLS:
            return decorated
        worker[_DECORATES] = stock
        # A worker calls the UDFs in their order for each batch.
        order = cycle(makers)

        def call(*arguments: Any) -> list[Any]:
            results = decorated(*arguments)
            maker = next(order)
            return results if maker is None else Results(results, maker)

        return call

    worker[_DECORATES] = decorate
