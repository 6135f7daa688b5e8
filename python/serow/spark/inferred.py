"""Infers the same schema of local rows as Spark, from fewer rows.

Spark infers a schema for each row and joins them all, which takes longer than the rest of its work.
Rows of one shape have one schema, so it is enough to give Spark a few rows of each shape.
"""

import datetime
import decimal
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pyspark.sql import Row, SparkSession
from pyspark.sql.types import StructType

_DICT_AS_STRUCT = "spark.sql.pyspark.inferNestedDictAsStruct.enabled"

#: Classes whose type does not depend on the value.
_ATOMS = frozenset(
    {
        type(None),
        bool,
        int,
        float,
        str,
        bytes,
        bytearray,
        decimal.Decimal,
        datetime.date,
        datetime.time,
        datetime.timedelta,
    }
)

#: Rows to keep of each shape. One is not enough: if a row has two fields of the same name, Spark
#: gives them one type only when it joins two schemas.
_OF_EACH = 2


def infer(spark: SparkSession, rows: list[Any], names: list[str] | None) -> StructType:
    """Give the schema that Spark infers of `rows`, or raise Spark's error.

    As in Spark, missing names are added to `names`.
    """
    return spark._inferSchemaFromList(some_of_each(rows, lambda: _reads_keys(spark)), names)


def some_of_each(rows: list[Any], reads_keys: Callable[[], bool]) -> list[Any]:
    """Give the first rows of each shape, in order.

    `reads_keys` tells whether the keys of dicts in rows are names of fields.
    """
    return [rows[at] for at in _some(map(_Shapes(reads_keys).of_row, rows))]


def _some(shapes: Iterable[Any]) -> Iterator[int]:
    """Give the indices of the shapes that Spark has to see."""
    counts: dict[Any, int] = {}
    for at, shape in enumerate(shapes):
        count = counts.get(shape, 0)
        if count < _OF_EACH:
            counts[shape] = count + 1
            yield at


def _reads_keys(spark: SparkSession) -> bool:
    try:
        return str(spark.conf.get(_DICT_AS_STRUCT)).lower() == "true"
    except Exception:
        # Assume yes: comparing the keys only distinguishes more shapes than necessary.
        return True


class _Shapes:
    """Gives the shape of a value: values of equal shape have equal inferred types."""

    def __init__(self, reads_keys: Callable[[], bool]) -> None:
        self._ask = reads_keys
        self._reads_keys: bool | None = None
        #: Whether all of these classes, which a row's values have, are in `_ATOMS`.
        self._are_atoms: dict[tuple[type, ...], bool] = {}

    def of_row(self, row: Any) -> Any:
        of = type(row)
        if of is dict:
            return of, tuple(row), self._each(row.values())
        if of is list:
            return of, self._each(row)
        return self._of(row)

    def _of(self, value: Any) -> Any:
        of = type(value)
        if of in _ATOMS:
            return of
        if of is tuple:
            return of, self._each(value)
        if of is Row:
            fields = getattr(value, "__fields__", None)
            return of, fields and tuple(fields), self._each(value)
        if of is list:
            return of, self._some(value)
        if of is dict:
            if self._keys_are_read():
                return of, tuple(value), self._each(value.values())
            pairs = zip(map(self._of, value), map(self._of, value.values()), strict=True)
            return of, _some_of(list(pairs))
        if of is datetime.datetime:
            return of, value.tzinfo is None
        # For any other class the type may depend on anything, so each value is its own shape.
        return object()

    def _each(self, values: Iterable[Any]) -> Any:
        types = tuple(map(type, values))
        are_atoms = self._are_atoms.get(types)
        if are_atoms is None:
            are_atoms = self._are_atoms[types] = _ATOMS.issuperset(types)
        return types if are_atoms else tuple(map(self._of, values))

    def _some(self, elements: list[Any]) -> Any:
        """Give the shapes of a list's elements; Spark joins their types like those of rows."""
        types = tuple(dict.fromkeys(map(type, elements)))
        if _ATOMS.issuperset(types):
            return types
        return _some_of(list(map(self._of, elements)))

    def _keys_are_read(self) -> bool:
        if self._reads_keys is None:
            self._reads_keys = self._ask()
        return self._reads_keys


def _some_of(shapes: list[Any]) -> tuple[Any, ...]:
    return tuple(shapes[at] for at in _some(shapes))
