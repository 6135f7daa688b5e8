"""The rows that a writer of a Python data source gets of Arrow batches.

PySpark sends the workers of tasks a function that converts batches to rows, one value after
another, and hands them to the user's writer. Here serow makes the rows of a batch, or lets this
function make them.
"""

import functools
import types
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import pyarrow as pa
from pyspark.sql import datasource
from pyspark.sql.types import Row, StructType

from serow.spark.tables import rows_of_batch

#: The variable of PySpark's function that holds the writer.
_WRITER = "writer"
#: The classes of writers that get batches.
_OF_ARROW = tuple(
    getattr(datasource, name)
    for name in ("DataSourceArrowWriter", "DataSourceStreamArrowWriter")
    if hasattr(datasource, name)
)


def with_rows(stock: Any, schema: Any, options: dict[str, Any]) -> Any:
    """Give PySpark's function for a writer whose rows serow makes, or the same one.

    `options` are the arguments with which PySpark's function has made its converters.
    """
    if not (isinstance(stock, types.FunctionType) and isinstance(schema, StructType)):
        return stock
    variables = dict(zip(stock.__code__.co_freevars, stock.__closure__ or (), strict=True))
    if _WRITER not in variables or isinstance(variables[_WRITER].cell_contents, _OF_ARROW):
        return stock
    read = rows_of_batch(schema, options)

    @functools.wraps(stock)
    def write(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        left = _Left()
        writer = _Writer(variables[_WRITER].cell_contents, iter(batches), left, read)
        cells = {**variables, _WRITER: types.CellType(writer)}
        function = types.FunctionType(
            stock.__code__,
            stock.__globals__,
            stock.__name__,
            stock.__defaults__,
            tuple(cells.values()),
        )
        yield from function(left)

    return write


class _Left:
    """Iterates over the batches whose rows PySpark makes; it asks for one when it is there."""

    batch: pa.RecordBatch

    def __iter__(self) -> "_Left":
        return self

    def __next__(self) -> pa.RecordBatch:
        return self.batch


class _Writer:
    """The user's writer, to PySpark's function."""

    def __init__(
        self,
        writer: Any,
        batches: Iterator[pa.RecordBatch],
        left: _Left,
        read: Callable[[pa.RecordBatch], list[Row] | None],
    ) -> None:
        self._writer = writer
        self._batches = batches
        self._left = left
        self._read = read

    def write(self, stock: Iterator[Row]) -> Any:
        """Call the writer with the rows of all batches.

        `stock` is PySpark's generator. It makes the rows of the batches that serow refuses.
        """
        return self._writer.write(self._rows(stock))

    def _rows(self, stock: Iterator[Row]) -> Iterator[Row]:
        for batch in self._batches:
            rows = self._read(batch)
            if rows is None:
                self._left.batch = batch
                yield from islice(stock, batch.num_rows)
            else:
                yield from rows
