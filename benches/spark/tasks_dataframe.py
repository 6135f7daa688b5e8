"""Jobs that carry rows of DataFrames to Python, and rows of Python to DataFrames."""

import zlib
from collections.abc import Callable, Iterable, Iterator
from operator import itemgetter
from typing import Any

from spark.data import Data
from spark.task import Run, Task, Wanted

_BOTH = (Wanted(1.3), Wanted(2.5, "serow, gc off", "stock, gc off"))

#: Which of a Data's DataFrames.
_Which = Callable[[Data], Any]

_price = itemgetter(7)


def _hash(row: Any) -> int:
    return zlib.crc32(repr(row).encode())


def _prices_of_arrow(batches: Iterable[Any]) -> Iterator[Any]:
    for batch in batches:
        yield batch.select(["retailprice"])


def _prices_of_pandas(frames: Iterable[Any]) -> Iterator[Any]:
    for frame in frames:
        yield frame[["retailprice"]]


def _collect(name: str, which: _Which) -> Task:
    return Task(
        name,
        lambda data: which(data).collect(),
        _BOTH,
        {
            "toArrow, to_pylist": lambda data: which(data).toArrow().to_pylist(),
            "toPandas": lambda data: which(data).toPandas(),
        },
    )


def _iterate(name: str, which: _Which) -> Task:
    return Task(
        name,
        lambda data: sum(1 for _ in which(data).toLocalIterator()),
        _BOTH,
        found=lambda data: list(which(data).toLocalIterator()),
    )


def _create(name: str, verify: bool, times: float, others: dict[str, Run]) -> Task:
    def created(data: Data) -> Any:
        schema = data.flat.schema
        return data.spark.createDataFrame(data.tuples, schema, verifySchema=verify)

    return Task(
        name,
        lambda data: _touch(created(data)),
        (Wanted(times),),
        others,
        found=lambda data: _found(created(data)),
    )


def _touch(frame: Any) -> None:
    """Have the JVM make all rows, and drop them."""
    frame.write.format("noop").mode("overwrite").save()


def _found(frame: Any) -> list[Any]:
    return [frame.dtypes, *frame.selectExpr("count(*)", "bit_xor(xxhash64(*))").collect()]


def _from(which: _Which) -> Run:
    return lambda data: _touch(data.spark.createDataFrame(which(data), data.flat.schema))


TASKS = [
    Task(
        "df.rdd.map(f).count()",
        lambda data: data.flat.rdd.map(_price).count(),
        (Wanted(3.5),),
        {
            "mapInArrow": lambda data: data.flat.mapInArrow(
                _prices_of_arrow, "retailprice double"
            ).count(),
            "mapInPandas": lambda data: data.flat.mapInPandas(
                _prices_of_pandas, "retailprice double"
            ).count(),
        },
        found=lambda data: data.flat.rdd.map(_hash).sum(),
    ),
    _collect("collect()", lambda data: data.flat),
    _iterate("toLocalIterator()", lambda data: data.flat),
    _collect("nested: collect()", lambda data: data.nested),
    _iterate("nested: toLocalIterator()", lambda data: data.nested),
    _create(
        "createDataFrame(rdd), verified",
        True,
        1.7,
        {
            "from pandas": _from(lambda data: data.frame),
            "from Arrow": _from(lambda data: data.table),
        },
    ),
    _create("createDataFrame(rdd), not verified", False, 2.2, {}),
]
