"""Sessions of Spark Connect whose rows serow makes of Arrow, and Arrow of rows.

The client of Spark Connect gets and sends rows as Arrow, and PySpark has one function for each
direction. They know no session. So the methods that call them say by whom they are called, and the
replaced functions call Spark's own ones for any other caller.
"""

import functools
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import pyarrow as pa
from pyspark.sql.connect.client import SparkConnectClient
from pyspark.sql.connect.dataframe import DataFrame
from pyspark.sql.connect.session import SparkSession
from pyspark.sql.conversion import ArrowTableToRowsConversion, LocalDataToArrowConversion
from pyspark.sql.types import BinaryType, StructType, UserDefinedType, _has_type

from serow.spark import given_arrow, notes
from serow.spark.inferred import some_of_each
from serow.spark.tables import Collected, read_table

_DICT_AS_STRUCT = "spark.sql.pyspark.inferNestedDictAsStruct.enabled"

_Call = TypeVar("_Call", bound=Callable[..., Any])

_lock = threading.Lock()
_sessions: "weakref.WeakSet[SparkSession]" = weakref.WeakSet()
_stock: dict[tuple[type, str], Any] = {}


def enable(spark: SparkSession) -> None:
    """Let serow convert the rows of the session."""
    with _lock:
        _sessions.add(spark)
        if not _stock:
            for (of, name), make in _REPLACED.items():
                # `vars`, because some are static methods.
                _stock[of, name] = stock = vars(of)[name]
                is_static = isinstance(stock, staticmethod)
                made = make(stock.__func__ if is_static else stock)
                setattr(of, name, staticmethod(made) if is_static else made)


def disable(spark: SparkSession) -> None:
    """Undo `enable`."""
    with _lock:
        _sessions.discard(spark)
        if not _sessions:
            for (of, name), stock in _stock.items():
                setattr(of, name, stock)
            _stock.clear()


class _Caller:
    """A method of an enabled session that runs."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._is_noted = False

    def note(self, schema: StructType, *, is_ours: bool) -> None:
        """Note how the first of its tables was converted."""
        if not self._is_noted:
            self._is_noted = True
            notes.add(self.name, schema, "serow" if is_ours else "Spark's own path")


class _Collect(_Caller):
    """A `collect`: batches become rows as they come, while the server makes the next ones."""

    def __init__(self) -> None:
        super().__init__("collect")
        self.has_asked = False
        self.rows: Collected | None = None

    def watch(self, responses: Iterator[Any]) -> Iterator[Any]:
        for response in responses:
            if isinstance(response, StructType):
                # The class of a user-defined type may do anything, also ask the server.
                if not _has_type(response, UserDefinedType):
                    # The setting is not known yet. This is its default.
                    self.rows = Collected(response, {"binary_as_bytes": True})
            elif isinstance(response, pa.RecordBatch) and self.rows is not None:
                self.rows.add(response)
            yield response

    def made(self, table: pa.Table, schema: StructType, options: dict[str, Any]) -> Any:
        """Give the rows that are already made, if they are those of this table."""
        rows, self.rows = self.rows, None
        if rows is None or rows.schema != schema:
            return None
        as_bytes = options.get("binary_as_bytes", True)
        is_as_guessed = as_bytes or not _has_type(schema, BinaryType)
        return (
            rows.all_of(table) if is_as_guessed and options.keys() <= {"binary_as_bytes"} else None
        )


class _Batch(list[Any]):
    """The rows of one table, which an iterator passes on."""


class _Callers(threading.local):
    current: _Caller | None = None


_callers = _Callers()


@contextmanager
def _calling(caller: _Caller) -> Iterator[None]:
    before, _callers.current = _callers.current, caller
    try:
        yield
    finally:
        _callers.current = before


def _collect(stock: _Call) -> _Call:
    @functools.wraps(stock)
    def collect(self: Any) -> Any:
        if self._session not in _sessions:
            return stock(self)
        with _calling(_Collect()):
            return stock(self)

    return collect  # type: ignore[return-value]


def _to_local_iterator(stock: _Call) -> _Call:
    @functools.wraps(stock)
    def toLocalIterator(self: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N802
        rows = stock(self, *args, **kwargs)
        return _iterate(rows) if self._session in _sessions else rows

    return toLocalIterator  # type: ignore[return-value]


def _iterate(rows: Iterator[Any]) -> Iterator[Any]:
    caller = _Caller("toLocalIterator")
    while True:
        with _calling(caller):
            # Only what comes next is made now, because the user's code runs between two rows.
            row = next(rows, _END)
        if row is _END:
            return
        if type(row) is _Batch:
            yield from row
        else:
            yield row


_END = object()


def _fetch(stock: _Call) -> _Call:
    @functools.wraps(stock)
    def fetch(self: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
        responses: Iterator[Any] = stock(self, *args, **kwargs)
        caller = _callers.current
        if isinstance(caller, _Collect) and not caller.has_asked:
            caller.has_asked = True
            return caller.watch(responses)
        return responses

    return fetch  # type: ignore[return-value]


def _to_rows(stock: _Call) -> _Call:
    @functools.wraps(stock)
    def convert(table: Any, schema: Any, **options: Any) -> Any:
        caller = _callers.current
        if caller is None or type(schema) is not StructType:
            return stock(table, schema, **options)
        rows = None
        if isinstance(caller, _Collect):
            rows = caller.made(table, schema, options)
        if rows is None:
            rows = read_table(table, schema, options)
        caller.note(schema, is_ours=rows is not None)
        if rows is None:
            return stock(table, schema, **options)
        return rows if isinstance(caller, _Collect) else [_Batch(rows)]

    return convert  # type: ignore[return-value]


def _create_dataframe(stock: _Call) -> _Call:
    @functools.wraps(stock)
    def createDataFrame(self: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N802
        if self not in _sessions:
            return stock(self, *args, **kwargs)
        with _calling(_Caller("createDataFrame")):
            return stock(self, *args, **kwargs)

    return createDataFrame  # type: ignore[return-value]


def _infer(stock: _Call) -> _Call:
    @functools.wraps(stock)
    def infer(self: Any, data: Any, *args: Any, **kwargs: Any) -> Any:
        if self in _sessions and type(data) is list:
            data = some_of_each(data, lambda: _reads_keys((*args, *kwargs.values())))
        return stock(self, data, *args, **kwargs)

    return infer  # type: ignore[return-value]


def _reads_keys(arguments: tuple[Any, ...]) -> bool:
    """Tell whether the keys of dicts in rows are names of fields, from Spark's settings."""
    settings = [of for of in arguments if isinstance(of, Mapping) and _DICT_AS_STRUCT in of]
    # Without the setting assume yes: it only distinguishes more shapes than necessary.
    return not settings or settings[0][_DICT_AS_STRUCT] != "false"


def _to_arrow(stock: _Call) -> _Call:
    @functools.wraps(stock)
    def convert(data: Any, schema: Any, *args: Any, **kwargs: Any) -> Any:
        caller = _callers.current
        if caller is None or type(data) is not list or type(schema) is not StructType:
            return stock(data, schema, *args, **kwargs)
        table = given_arrow.table(data, schema, lambda *of: stock(*of, *args, **kwargs))
        caller.note(schema, is_ours=table is not None)
        return stock(data, schema, *args, **kwargs) if table is None else table

    return convert  # type: ignore[return-value]


#: `take`, `head`, `first` and `tail` call `collect`.
_REPLACED: dict[tuple[type, str], Callable[[Any], Any]] = {
    (DataFrame, "collect"): _collect,
    (DataFrame, "toLocalIterator"): _to_local_iterator,
    (SparkConnectClient, "_execute_and_fetch_as_iterator"): _fetch,
    (ArrowTableToRowsConversion, "convert"): _to_rows,
    (SparkSession, "createDataFrame"): _create_dataframe,
    (SparkSession, "_inferSchemaFromList"): _infer,
    (LocalDataToArrowConversion, "convert"): _to_arrow,
}
