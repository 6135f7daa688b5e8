"""The data of jobs: texts, RDDs and DataFrames."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from spark import made_rows

Part = tuple[int, str, str, str, str, int, str, float, str]


def parse(line: str) -> Part:
    """Returns the tuple of a line of TPC-H's Part."""
    key, name, mfgr, brand, kind, size, container, price, comment, *_ = line.split("|")
    return int(key), name, mfgr, brand, kind, int(size), container, float(price), comment


def text(sc: Any, path: str) -> Any:
    """Returns the tuples of a file."""
    return sc.textFile(path).map(parse)


class Data:
    """All data of jobs. Cached data is made at its first use."""

    def __init__(
        self, spark: Any, large: str, small: str, rows: int = 0, nested_rows: int = 0
    ) -> None:
        """Takes the files of Part at the measured scale and at 0.1, and the rows of DataFrames."""
        self.spark = spark
        self.large = large
        self.small = small
        self._rows = rows
        self._nested_rows = nested_rows

    @property
    def sc(self) -> Any:
        """Returns the context, which a session of Spark Connect lacks."""
        return self.spark.sparkContext

    def make(self, needs: Iterable[str]) -> None:
        """Makes the cached data with these names."""
        for name in needs:
            getattr(self, name)

    @cached_property
    def parts(self) -> Any:
        """Returns an RDD of the large file's tuples."""
        return _cached(text(self.sc, self.large))

    @cached_property
    def flat(self) -> Any:
        """Returns a DataFrame with nine columns of numbers and strings."""
        return _cached(made_rows.flat(self.spark, self._rows))

    @cached_property
    def few(self) -> Any:
        """Returns as many rows of the same columns as `nested` has."""
        return _cached(made_rows.flat(self.spark, self._nested_rows))

    @cached_property
    def nested(self) -> Any:
        """Returns a DataFrame with an array, a map and a struct."""
        return _cached(made_rows.nested(self.spark, self._nested_rows))

    @cached_property
    def tuples(self) -> Any:
        """Returns an RDD of tuples, which are the rows of `flat`."""
        return _cached(self.flat.rdd.map(tuple))

    @cached_property
    def local_tuples(self) -> Any:
        """Returns a list in this process of the rows of `flat`, as tuples."""
        return list(map(tuple, self.flat.collect()))

    @cached_property
    def local_rows(self) -> Any:
        """Returns a list in this process of the rows of `flat`."""
        return self.flat.collect()

    @cached_property
    def local_dicts(self) -> Any:
        """Returns a list in this process of the rows of `flat`, as dicts."""
        names = self.flat.columns
        return [dict(zip(names, row, strict=True)) for row in self.flat.collect()]

    @cached_property
    def table(self) -> Any:
        """Returns an Arrow table in this process, with the rows of `flat`."""
        return self.flat.toArrow()

    @cached_property
    def frame(self) -> Any:
        """Returns a pandas DataFrame in this process, with the rows of `flat`."""
        return self.flat.toPandas()


def _cached(data: Any) -> Any:
    data.cache().count()
    return data
