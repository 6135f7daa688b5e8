"""Jobs that move rows of DataFrames to Python, and rows of Python to DataFrames."""

import zlib
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Any

from spark.data import Data
from spark.task import Run, Task, Wanted

_BOTH = (Wanted(1.3), Wanted(2.5, "serow, gc off", "stock, gc off"))

_price = itemgetter(7)


def _hash(row: Any) -> int:
    return zlib.crc32(repr(row).encode())


def _prices_of_arrow(batches: Iterable[Any]) -> Iterator[Any]:
    for batch in batches:
        yield batch.select(["retailprice"])


def _prices_of_pandas(frames: Iterable[Any]) -> Iterator[Any]:
    for frame in frames:
        yield frame[["retailprice"]]


def _collect(name: str, of: str) -> Task:
    return Task(
        name,
        lambda data: getattr(data, of).collect(),
        _BOTH,
        (of,),
        {
            "toArrow, to_pylist": lambda data: getattr(data, of).toArrow().to_pylist(),
            "toPandas": lambda data: getattr(data, of).toPandas(),
        },
        others_need=(of,),
    )


def _iterate(name: str, of: str) -> Task:
    return Task(
        name,
        lambda data: sum(1 for _ in getattr(data, of).toLocalIterator()),
        _BOTH,
        (of,),
        found=lambda data: list(getattr(data, of).toLocalIterator()),
    )


def _create(name: str, verify: bool, times: float, others: dict[str, Run]) -> Task:
    def created(data: Data) -> Any:
        schema = data.flat.schema
        return data.spark.createDataFrame(data.tuples, schema, verifySchema=verify)

    return Task(
        name,
        lambda data: touch(created(data)),
        (Wanted(times),),
        ("flat", "tuples"),
        others,
        found=lambda data: hashed(created(data)),
        others_need=("flat", "frame", "table"),
    )


def touch(frame: Any) -> None:
    """Lets the JVM make all rows and drop them."""
    frame.write.format("noop").mode("overwrite").save()


def hashed(frame: Any) -> list[Any]:
    """Returns the columns of a DataFrame, and the JVM's hash of all rows."""
    return [frame.dtypes, *frame.selectExpr("count(*)", "bit_xor(xxhash64(*))").collect()]


def _from(local: str) -> Run:
    return lambda data: touch(data.spark.createDataFrame(getattr(data, local), data.flat.schema))


TASKS = [
    Task(
        "df.rdd.map(f).count()",
        lambda data: data.flat.rdd.map(_price).count(),
        (Wanted(3.5),),
        ("flat",),
        {
            "mapInArrow": lambda data: data.flat.mapInArrow(
                _prices_of_arrow, "retailprice double"
            ).count(),
            "mapInPandas": lambda data: data.flat.mapInPandas(
                _prices_of_pandas, "retailprice double"
            ).count(),
        },
        found=lambda data: data.flat.rdd.map(_hash).sum(),
        others_need=("flat",),
    ),
    _collect("collect()", "flat"),
    _iterate("toLocalIterator()", "flat"),
    _collect("nested: collect()", "nested"),
    _iterate("nested: toLocalIterator()", "nested"),
    _create(
        "createDataFrame(rdd), verified",
        True,
        1.7,
        {
            "from pandas": _from("frame"),
            "from Arrow": _from("table"),
        },
    ),
    _create("createDataFrame(rdd), not verified", False, 2.2, {}),
]
