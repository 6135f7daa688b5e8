"""What is a list of rows: every function that takes rows asks the same question."""

import enum
import io
import types
from collections import ChainMap, OrderedDict, UserDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pydantic
import pytest
import serow

pytestmark = pytest.mark.once

try:
    import pyarrow
except ModuleNotFoundError:  # It has no wheels for the newest Python.
    pyarrow = None


class Pair(NamedTuple):
    x: int
    y: str


@dataclass
class Point:
    x: int


class Model(pydantic.BaseModel):
    x: int = 1


class Rows(pydantic.RootModel[list[int]]):
    def __iter__(self) -> Any:
        return iter(self.root)


class Text(str):
    pass


def write_rows(rows: Any) -> None:
    file = io.BytesIO()
    with serow.Writer(file) as writer:
        try:
            writer.write_rows(rows)
        finally:
            assert writer.rows == 0 or isinstance(rows, (list, tuple)) or taken_as_rows(rows)


def taken_as_rows(rows: Any) -> bool:
    return any(rows is one for one in [*RIGHT, *ARRAYS])


CODEC = serow.Codec("str|i64|(i64, str)")
DOORS: dict[str, Callable[[Any], Any]] = {
    "dumps": serow.dumps,
    "Codec.encode": CODEC.encode,
    "Codec.encode_into": lambda rows: CODEC.encode_into(rows, bytearray(1000)),
    "Codec.infer": serow.Codec.infer,
    "Schema.infer": serow.Schema.infer,
    "Writer.write_rows": write_rows,
}

WRONG: list[Any] = [
    None,
    5,
    2.5,
    True,
    object(),
    int,
    "abc",
    Text("abc"),
    b"abc",
    bytearray(b"abc"),
    memoryview(b"abc"),
    {"a": 1},
    OrderedDict(a=1),
    UserDict(a=1),
    ChainMap({"a": 1}),
    types.MappingProxyType({"a": 1}),
    Pair(1, "x"),
    Point(1),
    Model(),
    np.float64(1.5),
    np.array(7),
    np.array([(1, 2.5)], [("a", "i8"), ("b", "f8")])[0],
]


class DataFrame:
    """A table of Polars, as far as serow looks at it."""

    def iter_rows(self) -> None: ...
    def __iter__(self) -> Any:
        return iter("ab")


class LazyFrame:
    """A table of Polars or Spark that is not computed yet."""

    def collect(self) -> None: ...
    def __getitem__(self, item: int) -> int:
        return item


TABLES: list[Any] = [DataFrame(), LazyFrame()]
#: Tables whose arrays are read.
ARRAYS: list[Any] = []
if pyarrow is not None:
    ARRAYS += [pyarrow.table({"id": [1]}), pyarrow.record_batch({"id": [1]}), pyarrow.array([1])]
    ARRAYS += [pd.DataFrame({"id": [1, 2]})]
RIGHT: list[Any] = [
    [],
    [1, "x"],
    (1, "x"),
    {1, 2},
    range(3),
    iter([1, 2]),
    np.array([1, 2]),
    Rows([1, 2]),
    pd.Series([1, 2]),
]


@pytest.mark.parametrize("door", DOORS)
class TestEveryDoor:
    @pytest.mark.parametrize("rows", WRONG, ids=lambda rows: type(rows).__name__)
    def test_refuses_what_is_one_value(self, door: str, rows: Any) -> None:
        with pytest.raises(
            serow.EncodeError, match=r"rows must be an iterable of rows, not \w+"
        ) as error:
            DOORS[door](rows)
        assert "to encode one row, use [row]" in str(error.value)

    @pytest.mark.parametrize("rows", TABLES, ids=lambda rows: type(rows).__qualname__)
    def test_refuses_tables_and_says_what_to_use(self, door: str, rows: Any) -> None:
        with pytest.raises(TypeError, match=r"whose items are its columns; use .*rows\.\w+"):
            DOORS[door](rows)

    @pytest.mark.parametrize("rows", ARRAYS, ids=lambda rows: type(rows).__qualname__)
    def test_takes_tables_with_arrays(self, door: str, rows: Any) -> None:
        try:
            DOORS[door](rows)
        except serow.SchemaError as error:
            # The codec of these doors is for other rows.
            assert door.startswith("Codec.encode")
            assert "id" in str(error)  # noqa: PT017

    def test_takes_what_holds_rows(self, door: str) -> None:
        for rows in RIGHT:
            DOORS[door](rows)

    def test_passes_on_what_the_iterable_raises(self, door: str) -> None:
        class Failing:
            def __iter__(self) -> Any:
                raise OSError("no")

        with pytest.raises(OSError, match="no"):
            DOORS[door](Failing())


def test_streams_offer_no_inner_methods() -> None:
    offered = {
        serow.Writer: "abort bytes_written close flush frames_written rows schema write write_rows",
        serow.Reader: "arrow bytes_lost bytes_read close frames metadata rows rows_lost schema",
        serow.Decoder: "bytes_lost bytes_read close feed metadata rows rows_lost schema",
        serow.View: "close column count describe frames index json_lines metadata nbytes schema",
    }
    for kind, names in offered.items():
        assert {name for name in dir(kind) if not name.startswith("_")} == set(names.split())


def test_members_of_an_enum_are_rows() -> None:
    class Color(enum.Enum):
        RED = 1

    assert serow.dumps(Color) == serow.dumps(list(Color))
