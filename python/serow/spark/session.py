"""Sessions whose DataFrames carry their rows through serow.

PySpark has no hook for the transport of rows, so this module replaces the methods that fetch them.
A replaced method calls Spark's own one if the DataFrame's session is not enabled, or if serow does
not carry its rows.
"""

import functools
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

from py4j.java_gateway import JavaClass
from pyspark import RDD
from pyspark.sql import Row, SparkSession
from pyspark.sql.streaming import DataStreamWriter
from pyspark.sql.types import DataType
from pyspark.sql.udf import UserDefinedFunction
from pyspark.sql.udtf import UserDefinedTableFunction

from serow import SerowError
from serow.spark import created, notes, sources, udfs
from serow.spark._call_site import CallSite
from serow.spark._jar import jar
from serow.spark._versions import DataFrame, DataSourceRegistration, load_all, local_iterator
from serow.spark.rows import RowBatches
from serow.spark.schemas import NotCarried, describe

_BINARY_AS_BYTES = "spark.sql.execution.pyspark.binaryAsBytes"

_Call = TypeVar("_Call", bound=Callable[..., Any])


class _Session(NamedTuple):
    #: `io.github.serow.spark.pyspark.PythonBridge` in the session's JVM.
    rows: JavaClass


_lock = threading.Lock()
_sessions: "weakref.WeakKeyDictionary[SparkSession, _Session]" = weakref.WeakKeyDictionary()
_stock: dict[tuple[type, str], Any] = {}


def enable(spark: SparkSession) -> None:
    """Carry the rows of the session's DataFrames through serow."""
    rows = _java_rows(spark)
    with _lock:
        _sessions[spark] = _Session(rows)
        if not _stock:
            for (of, name), make in _REPLACED.items():
                _stock[of, name] = vars(of)[name]
                _set(of, name, make(_stock[of, name]))


def disable(spark: SparkSession) -> None:
    """Undo `enable`; existing RDDs and rows stay as they are."""
    with _lock:
        _forget(spark)


def _forget(spark: SparkSession) -> None:
    _sessions.pop(spark, None)
    if not _sessions:
        for (of, name), stock in _stock.items():
            _set(of, name, stock)
        _stock.clear()


def _set(of: type, name: str, member: Any) -> None:
    setattr(of, name, member)
    if isinstance(member, functools.cached_property):
        member.__set_name__(of, name)


def _java_rows(spark: SparkSession) -> JavaClass:
    jvm = spark.sparkContext._jvm
    assert jvm is not None
    rows = jvm.io.github.serow.spark.pyspark.PythonBridge
    # py4j treats a name without a class as a package.
    if not isinstance(rows, JavaClass):
        raise RuntimeError(
            "Spark's JVM was started without serow: build the program's first session with "
            "serow.spark.configure(SparkSession.builder), or give spark-submit and pyspark "
            f"--jars {jar()}"
        )
    return rows


def _reader(call: str, frame: Any) -> tuple[JavaClass, RowBatches] | None:
    """Give the JVM's source of a DataFrame's rows and its reader; None if Spark carries them."""
    session = _sessions.get(frame.sparkSession)
    if session is None:
        return None
    schema = frame.schema
    try:
        description = describe(schema, lambda: _binary_as_bytes(frame.sparkSession))
        # A user-defined type's own text may name another Python class than the JVM's class of it
        # does, and Spark makes rows by the JVM's.
        text = schema.json() if description.exact else frame._jdf.schema().json()
        batches = RowBatches(description.exact, description.internal, text)
    except (NotCarried, SerowError) as reason:
        notes.add(call, schema, f"Spark's own path: {reason}")
        return None
    notes.add(call, schema, "serow")
    return session.rows, batches


def _binary_as_bytes(spark: SparkSession) -> bool:
    # Spark before 4.1 lacks this setting and always gives `bytearray`.
    known = spark.conf.isModifiable(_BINARY_AS_BYTES)
    return known and str(spark.conf.get(_BINARY_AS_BYTES)).lower() == "true"


def _collect(stock: _Call) -> _Call:
    @functools.wraps(stock)
    def collect(self: Any) -> list[Row]:
        with CallSite(self._sc):
            if (reader := _reader("collect", self)) is None:
                return stock(self)  # type: ignore[no-any-return]
            java, batches = reader
            served = java.collect(self._jdf)
        return load_all(served, batches)

    return collect  # type: ignore[return-value]


def _tail(stock: _Call) -> _Call:
    @functools.wraps(stock)
    def tail(self: Any, num: int) -> list[Row]:
        with CallSite(self._sc):
            if (reader := _reader("tail", self)) is None:
                return stock(self, num)  # type: ignore[no-any-return]
            java, batches = reader
            served = java.tail(self._jdf, num)
        return load_all(served, batches)

    return tail  # type: ignore[return-value]


def _to_local_iterator(stock: _Call) -> _Call:
    @functools.wraps(stock)
    def toLocalIterator(self: Any, prefetchPartitions: bool = False) -> Iterator[Row]:  # noqa: N802, N803
        with CallSite(self._sc):
            if (reader := _reader("toLocalIterator", self)) is None:
                return stock(self, prefetchPartitions)  # type: ignore[no-any-return]
            java, batches = reader
            served = java.iterator(self._jdf, prefetchPartitions)
        rows: Iterator[Row] = local_iterator(served, batches)
        return rows

    return toLocalIterator  # type: ignore[return-value]


def _foreach_batch(stock: _Call) -> _Call:
    @functools.wraps(stock)
    def foreachBatch(self: Any, func: Callable[[Any, int], None]) -> Any:  # noqa: N802
        spark = self._spark

        def with_session(frame: Any, number: int) -> None:
            # A stream runs in a copy of its session, and each batch gets another copy.
            copy = frame.sparkSession
            with _lock:
                session = None if copy in _sessions else _sessions.get(spark)
                if session is not None:
                    _sessions[copy] = session
            try:
                func(frame, number)
            finally:
                if session is not None:
                    with _lock:
                        _forget(copy)

        return stock(self, with_session)

    return foreachBatch  # type: ignore[return-value]


def _rdd(stock: Any) -> Any:
    if isinstance(stock, functools.cached_property):

        @functools.wraps(stock.func)
        def rdd(self: Any) -> "RDD[Row]":
            if (reader := _reader("rdd", self)) is None:
                return stock.func(self)
            return _make_rdd(self, *reader)

        return functools.cached_property(rdd)

    @functools.wraps(stock.fget)
    def lazy(self: Any) -> "RDD[Row]":
        if self._lazy_rdd is None and (reader := _reader("rdd", self)) is not None:
            self._lazy_rdd = _make_rdd(self, *reader)
        return stock.fget(self)

    return property(lazy)


def _make_rdd(frame: Any, java: JavaClass, batches: RowBatches) -> "RDD[Row]":
    context = frame.sparkSession._sc
    # Spark before 4.0 runs the first stages of adaptive plans already here.
    with CallSite(context):
        return RDD(java.rdd(frame._jdf), context, batches)


def _create_dataframe(stock: _Call) -> _Call:
    @functools.wraps(stock)
    def create(self: Any, data: Any, schema: Any, samplingRatio: Any, verifySchema: Any) -> Any:  # noqa: N803
        session = _sessions.get(self)
        if session is None:
            return stock(self, data, schema, samplingRatio, verifySchema)
        if not isinstance(data, RDD):
            data, verifySchema = created.listed(data, schema, bool(verifySchema))  # noqa: N806
        try:
            if isinstance(data, RDD):
                made = created.of_rdd(self, data, schema, samplingRatio, bool(verifySchema))
            else:
                made = created.of_list(self, data, schema, verifySchema)
        except created.Inferred as found:
            notes.add("createDataFrame", found.schema, f"Spark's own path: {found}")
            return stock(self, found.rows, found.schema, None, False)
        except (NotCarried, SerowError) as reason:
            known = schema if isinstance(schema, DataType) else None
            notes.add("createDataFrame", known, f"Spark's own path: {reason}")
            return stock(self, data, schema, samplingRatio, verifySchema)
        notes.add("createDataFrame", made.schema, "serow")
        text = made.schema.json()
        frame = DataFrame(session.rows.dataFrame(self._jsparkSession, made.batches, text), self)
        frame._schema = made.schema
        return frame

    return create  # type: ignore[return-value]


def _create_function(stock: _Call) -> _Call:
    @functools.wraps(stock)
    def create(self: Any, func: Any, *args: Any, **kwargs: Any) -> Any:
        # As in Spark, the session that is active when a function is first applied decides.
        if udfs.is_by_arrow(self) and SparkSession._getActiveSessionOrCreate() in _sessions:
            func = udfs.WithRows(func)
        return stock(self, func, *args, **kwargs)

    return create  # type: ignore[return-value]


def _register(stock: _Call) -> _Call:
    @functools.wraps(stock)
    def register(self: Any, dataSource: Any) -> None:  # noqa: N803
        if self.sparkSession in _sessions and isinstance(dataSource, type):
            dataSource = sources.Registered(dataSource)  # noqa: N806
        stock(self, dataSource)

    return register  # type: ignore[return-value]


#: `take`, `head`, `first`, `foreach` and `foreachPartition` call these methods.
_REPLACED: dict[tuple[type, str], Callable[[Any], Any]] = {
    (DataFrame, "rdd"): _rdd,
    (DataFrame, "collect"): _collect,
    (DataFrame, "tail"): _tail,
    (DataFrame, "toLocalIterator"): _to_local_iterator,
    (DataStreamWriter, "foreachBatch"): _foreach_batch,
    # `createDataFrame` and `toDF` call this after they have checked their arguments.
    (SparkSession, "_create_dataframe"): _create_dataframe,
    (UserDefinedFunction, "_create_judf"): _create_function,
    (UserDefinedTableFunction, "_create_judtf"): _create_function,
}
if DataSourceRegistration is not None:
    _REPLACED[DataSourceRegistration, "register"] = _register
