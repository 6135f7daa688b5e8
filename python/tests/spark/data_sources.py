"""Python data sources for tests, which say who makes batches of their rows."""

import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from pyspark.sql import Row
from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    DataSourceStreamReader,
    InputPartition,
    SimpleDataSourceStreamReader,
)

TABLE = "n long, name string, p struct<a: long, b: string>, d decimal(10, 2), who string"
#: Rows of a partition: more than PySpark makes faster, and more than one batch of the tests.
MANY = 500


def maker() -> str:
    """Give the name of the module that takes rows from the generators which call this."""
    frame: Any = sys._getframe()
    while frame.f_code.co_filename == __file__:
        frame = frame.f_back
    return Path(frame.f_code.co_filename).stem


def tuples(number: int) -> Iterator[Any]:
    for at in range(MANY):
        name = f"name {at}" if at % 3 else None
        yield number * MANY + at, name, (at, None), Decimal(at) / 4, maker()


def named(number: int) -> Iterator[Any]:
    names = Row("who", "p", "n", "d", "name")
    for at in range(MANY):
        yield names(maker(), Row(a=at, b="x"), number, Decimal(1), "x")


def failing(number: int) -> Iterator[Any]:
    yield from tuples(number)
    raise ValueError("no more")


def wrong(number: int) -> Iterator[Any]:
    yield from tuples(number)
    yield number, "x", (1, "x"), 1.5, "x"


def short(number: int) -> Iterator[Any]:
    yield from tuples(number)
    yield number, "x"


def listed(number: int) -> list[Any]:
    return list(tuples(number))


def none(number: int) -> Iterator[Any]:
    yield from ()


HOW: dict[str, Callable[[int], Any]] = {
    function.__name__: function for function in (tuples, named, failing, wrong, short, listed, none)
}


class Part(InputPartition):
    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class Reader(DataSourceReader):
    """Reads two partitions, in which columns may be equal to what was pushed down."""

    def __init__(self, source: "Source") -> None:
        self.source = source
        self.pushed: list[str] = []

    def partitions(self) -> list[InputPartition]:
        return [Part(0), Part(1)]

    def read(self, partition: Any) -> Any:
        # The class of the source is the user's own one.
        assert type(self.source) is Source
        assert vars(self.source).keys() == {"options"}
        return HOW[self.source.options["how"]](partition.number)


class Pushed(Reader):
    def pushFilters(self, filters: list[Any]) -> Iterator[Any]:  # noqa: N802
        for pushed in filters:
            if type(pushed).__name__ == "GreaterThan":
                self.pushed.append(f"{'.'.join(pushed.attribute)} > {pushed.value}")
            else:
                yield pushed

    def read(self, partition: Any) -> Any:
        for n, _, p, d, who in tuples(partition.number):
            yield n, str(self.pushed), p, d, who


class Stream(DataSourceStreamReader):
    def __init__(self) -> None:
        self.at = 0

    def initialOffset(self) -> dict[str, int]:  # noqa: N802
        return {"at": 0}

    def latestOffset(self, *_: Any) -> dict[str, int]:  # noqa: N802
        self.at = min(self.at + 1, 2)
        return {"at": self.at}

    def partitions(self, start: Any, end: Any) -> list[InputPartition]:
        return [Part(number) for number in range(start["at"], end["at"])]

    def read(self, partition: Any) -> Any:
        return tuples(partition.number)


class Simple(SimpleDataSourceStreamReader):
    def initialOffset(self) -> dict[str, int]:  # noqa: N802
        return {"at": 0}

    def read(self, start: Any) -> Any:
        # Spark copies the iterator, so it can be no generator.
        return iter(Lazy(1) if start["at"] == 0 else ()), {"at": 1}

    def readBetweenOffsets(self, start: Any, end: Any) -> Any:  # noqa: N802
        return iter(Lazy(end["at"] - start["at"]))


class Lazy:
    """An iterator of rows that can be copied."""

    def __init__(self, count: int) -> None:
        self.left = count * MANY

    def __iter__(self) -> "Lazy":
        return self

    def __next__(self) -> Any:
        if not self.left:
            raise StopIteration
        self.left -= 1
        return self.left, "x", (1, "y"), None, maker()


class Source(DataSource):
    """A data source that reads in the way that an option names."""

    @classmethod
    def name(cls) -> str:
        assert cls is Source
        return "tests"

    def __init__(self, options: Any) -> None:
        assert type(self) is Source
        super().__init__(dict(options))

    def schema(self) -> str:
        return TABLE

    def reader(self, schema: Any) -> Any:
        assert schema.simpleString().startswith("struct<n:bigint")
        return Pushed(self) if self.options["how"] == "pushed" else Reader(self)

    def streamReader(self, schema: Any) -> Any:  # noqa: N802
        return Stream()

    def simpleStreamReader(self, schema: Any) -> Any:  # noqa: N802
        return Simple()


class SimpleSource(Source):
    """A stream whose rows come in the worker that plans it."""

    @classmethod
    def name(cls) -> str:
        return "simple"

    def __init__(self, options: Any) -> None:
        DataSource.__init__(self, options)

    def streamReader(self, schema: Any) -> Any:  # noqa: N802
        return DataSource.streamReader(self, schema)
