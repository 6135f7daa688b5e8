"""Arrow batches of the rows that a Python data source gives, as PySpark makes them.

PySpark appends each value of each row to the list of its column, after a call of the column's
converter. Here serow makes the columns.
"""

from collections.abc import Callable, Iterator
from itertools import chain, islice
from operator import itemgetter
from typing import Any

import pyarrow as pa
from pyspark.sql.conversion import LocalDataToArrowConversion
from pyspark.sql.types import Row, StructField, StructType

from serow.spark import given_arrays

#: Makes batches by PySpark's own function, of rows, their greatest number in a batch, the schema
#: and the data source.
Stock = Callable[[Iterator[Any], int, StructType, Any], Iterator[pa.RecordBatch]]

#: PySpark makes a batch of fewer rows as fast as serow.
_FEWEST = 200


def batches(
    stock: Stock, rows: Iterator[Any], most_rows: int, schema: StructType, source: Any
) -> Iterator[pa.RecordBatch]:
    """Make the batches that PySpark makes, or let it make them from the first that serow can't."""
    # PySpark refuses a schema before it takes a row.
    yield from stock(iter(()), most_rows, schema, source)
    first = list(islice(rows, 1))
    if not first:
        return
    rows = chain(first, rows)
    if isinstance(first[0], pa.RecordBatch):
        yield from stock(rows, most_rows, schema, source)
        return
    maker = _Maker(schema, lambda rows: next(iter(stock(iter(rows), 1, schema, source))).schema)
    while batch := list(islice(rows, most_rows)):
        made = maker.batch(batch)
        if made is None:
            break
        yield made
    else:
        return
    if isinstance(batch[0], pa.RecordBatch):
        # PySpark refuses it as a row after others, but would take it as the first of all.
        batch.insert(0, (None,) * len(schema))
        most_rows += 1
    yield from stock(chain(batch, rows), most_rows, schema, source)


class _Maker:
    """Makes batches of rows of one schema."""

    def __init__(self, schema: StructType, arrow_schema: Callable[[list[Any]], pa.Schema]) -> None:
        """`arrow_schema` gives PySpark's own schema of the batch of a row."""
        self._names = schema.fieldNames()
        # PySpark lets the JVM find nulls in columns that may have none.
        nullable = [StructField(field.name, field.dataType) for field in schema.fields]
        stock = LocalDataToArrowConversion._create_converter
        self._columns = given_arrays.Columns(StructType(nullable), stock)
        self._arrow_schema = arrow_schema
        self._arrow: pa.Schema | None = None

    def batch(self, rows: list[Any]) -> pa.RecordBatch | None:
        """Make the batch that PySpark makes; None if PySpark has to, or has an error to raise."""
        if len(set(self._names)) < max(len(self._names), 1):
            return None
        if self._arrow is None and len(rows) < _FEWEST:
            return None
        try:
            if self._arrow is None:
                self._arrow = self._arrow_schema(rows[:1])
            columns = self._columns.of_rows(self._ordered(rows), self._arrow.types)
            return pa.RecordBatch.from_arrays(columns, schema=self._arrow)
        except MemoryError:
            raise
        except Exception:
            return None

    def _ordered(self, rows: list[Any]) -> list[Any]:
        """Give rows with their values in the order of the columns."""
        kinds = set(map(type, rows))
        if kinds == {Row}:
            found = [getattr(row, "__fields__", None) for row in rows]
            if found.count(found[0]) < len(found):
                raise given_arrays.OtherError
            if found[0] is not None and (names := list(found[0])) != self._names:
                if sorted(names) != sorted(self._names):
                    raise given_arrays.OtherError
                # Rows have two names or more here, so that this gives tuples.
                order = itemgetter(*map(names.index, self._names))
                return list(map(order, map(tuple, rows)))
        elif not kinds <= {tuple, list}:
            raise given_arrays.OtherError
        return rows
