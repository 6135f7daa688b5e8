"""Jobs that call a Python function for each row of a DataFrame."""

from collections.abc import Callable
from typing import Any

from spark.data import Data
from spark.task import Run, Task, Wanted
from spark.tasks_dataframe import hashed, touch

_STRUCTS = (Wanted(1.2),)


def _next(key: int) -> int:
    return key + 1


def _upper(name: str) -> str:
    return name.upper()


def _priced(key: int, name: str, price: float) -> str:
    return f"{key} {name[:5]} {price}"


def _sum(prices: list[float]) -> float:
    return sum(prices)


def _whole(row: Any) -> Any:
    return len(row["name"]) + row["size"]


def _two(row: Any) -> Any:
    return row.partkey + len(row.name)


def _two_arguments(key: int, name: str) -> int:
    return key + len(name)


def _grams(kind: Any) -> Any:
    return kind.grams


def _kinds(kinds: list[Any]) -> int:
    return sum(kind.grams for kind in kinds)


def _called(of: str, function: Callable[..., Any], gives: str, *columns: Any) -> Run:
    """Returns a DataFrame of a function's results for these columns."""

    def called(data: Data) -> Any:
        from pyspark.sql import functions as f

        arguments = (column(f) if callable(column) else column for column in columns)
        return getattr(data, of).select(f.udf(function, gives)(*arguments).alias("given"))

    return called


def _task(
    name: str, wanted: tuple[Wanted, ...], called: Run, of: str = "few", **others: Run
) -> Task:
    return Task(
        name,
        _touched(called),
        wanted,
        (of,),
        {other.replace("_", " "): _touched(run) for other, run in others.items()},
        found=lambda data: hashed(called(data)),
        others_need=(of,),
    )


def _touched(called: Run) -> Run:
    return lambda data: touch(called(data))


TASKS = [
    _task(
        'f(struct("*"))',
        _STRUCTS,
        _called("few", _whole, "long", lambda f: f.struct("*")),
        fields_as_arguments=_called("few", _two_arguments, "long", "size", "name"),
    ),
    _task(
        "f(struct of two)",
        _STRUCTS,
        _called("few", _two, "long", lambda f: f.struct("partkey", "name")),
        fields_as_arguments=_called("few", _two_arguments, "long", "partkey", "name"),
    ),
    _task("nested: f(struct)", (), _called("nested", _grams, "long", "kind"), "nested"),
    _task(
        "nested: f(array of structs)",
        (),
        _called("nested", _kinds, "long", lambda f: f.array("kind", "kind")),
        "nested",
    ),
    _task("f(long): long", (), _called("few", _next, "long", "partkey")),
    _task("f(string): string", (), _called("few", _upper, "string", "name")),
    _task(
        "f(long, string, double): string",
        (),
        _called("few", _priced, "string", "partkey", "name", "retailprice"),
    ),
    _task("nested: f(array): double", (), _called("nested", _sum, "double", "prices"), "nested"),
]
