"""Rows that Python gives a DataFrame, as the bytes that Spark's JVM has of rows."""

import itertools
import struct
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pyspark.serializers import CPickleSerializer, FramedSerializer
from pyspark.sql import types
from pyspark.sql.types import (
    Row,
    StructType,
    _create_converter,
    _make_type_verifier,
    _parse_datatype_json_string,
)

from serow import SerowError
from serow._native import UnsafeRows
from serow.spark._arrival import arrival
from serow.spark.schemas import NotCarried

#: What a batch begins with: `GivenRows.java` reads it.
_UNSAFE_ROWS = struct.pack("<q", 0)
_PICKLED_ROWS = struct.pack("<q", 1)

#: A batch has so many rows once it was seen that rows come,
_MOST_ROWS = 1 << 10

#: and fewer if it is longer than this.
_LARGE = 1 << 20

#: After a batch that was not carried, so many are Spark's without asking, twice as many after each
#: that is refused again, up to this.
_MOST_PASSED_OVER = 64

_pickle = CPickleSerializer()

#: What Spark takes for no row, since it has it: from 4.0 on.
_VARIANTS: tuple[type, ...] = (types.VariantVal,) if hasattr(types, "VariantVal") else ()


class GivenRows(FramedSerializer):
    """Writes batches of rows for `io.github.serow.spark.Rows.dataFrame`.

    Rows that are exactly as the schema has them are written by native code. If there is another in
    a batch, the whole batch goes Spark's way, from its verification to the pickle; so what Spark
    coerces is coerced, and what it refuses is refused, with its error and at its row.

    `description` is what native code is told of the schema, and `schema` is Spark's own text of it.
    What Spark does to rows is to verify them, and to convert them, or not.
    """

    def __init__(self, description: str, schema: str, verify: bool, convert: bool) -> None:  # noqa: D107
        self._made_of = (description, schema, verify, convert)
        self._rows = UnsafeRows(description, Row)
        self._prepare: Callable[[Any], Any] | None = None
        self._to_pass_over = 0
        self._passed_over = 0
        self._last_length = 0

    def dump_stream(self, iterator: Iterable[Any], stream: Any) -> None:
        """Write all rows."""
        super().dump_stream(self._batches(iterator), stream)

    def _batches(self, rows: Iterable[Any]) -> Iterator[list[Any]]:
        """Cut rows into batches that double, and are halved where rows are long."""
        rows, size = iter(rows), 1
        while True:
            batch: list[Any] = []
            failure = None
            try:
                batch.extend(itertools.islice(rows, size))
            except Exception as error:
                # First those before it: one of them may be what fails without serow.
                failure = error
            if batch:
                yield batch
            if failure is not None:
                raise failure
            if len(batch) < size:
                return
            was_large = self._last_length > _LARGE
            size = max(size // 2, 1) if was_large else min(size * 2, _MOST_ROWS)

    def dumps(self, obj: Any) -> bytes:
        """The bytes of a list of rows."""
        batch = self._batch(obj)
        self._last_length = len(batch)
        return batch

    def _batch(self, obj: list[Any]) -> bytes:
        if self._to_pass_over:
            self._to_pass_over -= 1
        else:
            try:
                batch = _UNSAFE_ROWS + self._rows.write(obj)
            except SerowError:
                self._passed_over = min(max(1, self._passed_over * 2), _MOST_PASSED_OVER)
                self._to_pass_over = self._passed_over
            else:
                self._passed_over = 0
                return batch
        pickled: bytes = _pickle.dumps(list(map(self._prepared(), obj)))
        return _PICKLED_ROWS + pickled

    def _prepared(self) -> Callable[[Any], Any]:
        if self._prepare is None:
            _, text, verify, convert = self._made_of
            self._prepare = _preparation(text, verify, convert)
        return self._prepare

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GivenRows) and self._made_of == other._made_of

    def __hash__(self) -> int:
        return hash(self._made_of)

    def __repr__(self) -> str:
        return f"GivenRows({self._made_of[0]})"

    def __reduce__(self) -> tuple[Any, ...]:
        return arrival(GivenRows, *self._made_of)


class LocalRows(GivenRows):
    """Writes the rows of a list, so many to a batch.

    Spark converts the first of them when it has verified all.
    """

    def __init__(  # noqa: D107
        self, rows: list[Any], size: int, description: str, schema: str, verify: bool
    ) -> None:
        super().__init__(description, schema, verify, convert=True)
        self._all = rows
        self._size = size

    def _batches(self, rows: Iterable[Any]) -> Iterator[list[Any]]:
        assert rows is self._all
        return (self._all[at : at + self._size] for at in range(0, len(self._all), self._size))

    def _prepared(self) -> Callable[[Any], Any]:
        if self._prepare is None:
            _, text, verify, convert = self._made_of
            if verify:
                deque(map(_make_type_verifier(_struct(text)), self._all), 0)
            if any(isinstance(row, _VARIANTS) for row in self._all):
                raise NotCarried("there are variants among the rows")
            self._prepare = _preparation(text, False, convert)
        return self._prepare


def _preparation(text: str, verify: bool, convert: bool) -> Callable[[Any], Any]:
    """Do with a row what Spark does before it pickles it."""
    schema = _struct(text)
    verified = _make_type_verifier(schema)
    converted = _create_converter(schema)

    def prepare(row: Any) -> Any:
        if verify:
            verified(row)
        return schema.toInternal(converted(row) if convert else row)

    return prepare


def _struct(text: str) -> StructType:
    schema = _parse_datatype_json_string(text)
    assert isinstance(schema, StructType)
    return schema
