"""Batches of rows from Python for DataFrames, in Spark's own row format."""

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
from serow.spark._arrival import arrival
from serow.spark.schemas import NotCarried, unsafe_rows

#: The first 8 bytes of a batch, which `RowsFromPython.java` reads.
_UNSAFE_ROWS = struct.pack("<q", 0)
_PICKLED_ROWS = struct.pack("<q", 1)

#: Maximum rows in a batch.
_MOST_ROWS = 1 << 10

#: A batch of more bytes halves the number of rows in the next.
_LARGE = 1 << 20

#: After a batch that serow can't write, pickle this many batches at most before the next try. The
#: number doubles with each failure.
_MOST_PASSED_OVER = 64

_pickle = CPickleSerializer()

#: Classes that Spark does not treat as rows; since Spark 4.0.
_VARIANTS: tuple[type, ...] = (types.VariantVal,) if hasattr(types, "VariantVal") else ()


class GivenRows(FramedSerializer):
    """Writes batches of rows for `io.github.serow.spark.pyspark.PythonBridge.dataFrame`.

    Native code writes rows whose values have exactly the types of the schema. If one row of a batch
    differs, the whole batch takes Spark's path: verification, conversion and pickle. So Spark's
    coercions happen, and Spark raises its own error at its own row.

    `description` is the schema for native code, and `schema` is Spark's JSON of it. `verify` and
    `convert` tell whether Spark would verify and convert the rows.
    """

    def __init__(self, description: str, schema: str, verify: bool, convert: bool) -> None:  # noqa: D107
        self._made_of = (description, schema, verify, convert)
        self._rows = unsafe_rows(description, Row)
        self._prepare: Callable[[Any], Any] | None = None
        self._to_pass_over = 0
        self._passed_over = 0
        self._last_length = 0

    def dump_stream(self, iterator: Iterable[Any], stream: Any) -> None:
        """Write all rows."""
        super().dump_stream(self._batches(iterator), stream)

    def _batches(self, rows: Iterable[Any]) -> Iterator[list[Any]]:
        """Split rows into batches; sizes double up to a maximum, and halve after large ones."""
        rows, size = iter(rows), 1
        while True:
            batch: list[Any] = []
            failure = None
            try:
                batch.extend(itertools.islice(rows, size))
            except Exception as error:
                # Yield the rows before the failure first: one of them may be what fails without
                # serow.
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
        """Encode a list of rows."""
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
    """Writes the rows of a list, `size` rows to a batch.

    Spark verifies all rows before it converts the first.
    """

    def __init__(  # noqa: D107
        self, rows: list[Any], size: int, description: str, schema: str, verify: bool, convert: bool
    ) -> None:
        super().__init__(description, schema, verify, convert)
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
    """Give the function that Spark applies to a row before it pickles it."""
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
