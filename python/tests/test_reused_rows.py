"""Rows of iterators that give one object again and again, changed each time."""

import array
import collections
import copy
import csv
import gc
import io
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

import attrs
import numpy as np
import pytest
import serow
from streams import read

pytestmark = pytest.mark.tiers


@dataclass
class Point:
    x: int
    y: Any


@dataclass(slots=True)
class Slotted:
    x: int
    y: Any


@attrs.define
class Attrs:
    x: int
    y: Any


@dataclass
class Ended:
    """A copy that ends would run code of the class."""

    x: int
    y: Any

    def __del__(self) -> None:
        assert self.y == "y"


class Pair(NamedTuple):
    x: int
    y: Any


def written(rows: Any, **options: Any) -> list[Any]:
    file = io.BytesIO()
    with serow.Writer(file, **options) as writer:
        writer.write_rows(rows)
    return read(file.getvalue())


def decoded(rows: Any, **options: Any) -> list[Any]:
    return list(serow.loads(serow.dumps(rows, **options)))


def filled_dict(count: int) -> Iterator[Any]:
    row = {}
    for n in range(count):
        row["key"] = n
        yield row


def filled_list(count: int) -> Iterator[Any]:
    row = [0, "x"]
    for n in range(count):
        row[0] = n
        yield row


def filled_set(count: int) -> Iterator[Any]:
    row: set[int] = set()
    for n in range(count):
        row.clear()
        row.add(n)
        yield row


def list_in_a_new_tuple(count: int) -> Iterator[Any]:
    buffer = [0]
    for n in range(count):
        buffer[0] = n
        yield (n, buffer)


def dict_in_a_new_dict(count: int) -> Iterator[Any]:
    inner: dict[str, Any] = {"a": {"b": 0}}
    for n in range(count):
        inner["a"]["b"] = n
        yield {"row": n, "inner": inner}


def bytes_in_a_named_tuple(count: int) -> Iterator[Any]:
    buffer = bytearray(8)
    for n in range(count):
        buffer[:] = n.to_bytes(8, "little")
        yield Pair(n, buffer)


def list_in_a_new_record(count: int) -> Iterator[Any]:
    buffer = [0]
    for n in range(count):
        buffer[0] = n
        yield Point(n, buffer)


def held_dict_of_a_new_record(count: int) -> Iterator[Any]:
    values = {"x": 0, "y": "y"}
    for n in range(count):
        values["x"] = n
        row = Point.__new__(Point)
        row.__dict__ = values
        yield row


def dict_with_new_keys(count: int) -> Iterator[Any]:
    row: dict[str, int] = {}
    for n in range(count):
        row.clear()
        for name in ("first", "second"):
            row["".join(name)] = n
        yield row


def changed_after_it_was_given(count: int) -> Iterator[Any]:
    for n in range(count):
        row = {"key": n}
        yield row
        row["key"] = -1


def record_of(of: type[Any]) -> Callable[[int], Iterator[Any]]:
    def rows(count: int) -> Iterator[Any]:
        row = of(0, "y")
        for n in range(count):
            row.x = n
            yield row

    rows.__name__ = f"filled_{of.__name__}"
    return rows


def array_in_a_tuple(count: int) -> Iterator[Any]:
    buffer = np.zeros(1, np.int64)
    for n in range(count):
        buffer[0] = n
        yield (n, [buffer[0]], buffer)


KINDS = [
    filled_dict,
    filled_list,
    filled_set,
    list_in_a_new_tuple,
    dict_in_a_new_dict,
    bytes_in_a_named_tuple,
    list_in_a_new_record,
    held_dict_of_a_new_record,
    dict_with_new_keys,
    changed_after_it_was_given,
    array_in_a_tuple,
    *map(record_of, (Point, Slotted, Attrs, Ended)),
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
class TestEachRowIsTakenBeforeTheNext:
    @pytest.mark.parametrize("count", [5, 700])
    def test_by_every_door(self, kind: Any, count: int, access: str) -> None:
        as_given = [copy.deepcopy(row) for row in kind(count)]
        expected = decoded(as_given)
        assert serow.dumps(kind(count)) == serow.dumps(as_given)
        assert serow.dumps(kind(count), threads=2) == serow.dumps(as_given)
        codec = serow.Codec.infer(kind(count))
        assert codec.schema == serow.Schema.infer(kind(count)) == serow.Schema.infer(as_given)
        assert codec.encode(kind(count)) == codec.encode(as_given)
        buffer = bytearray(1 << 20)
        length = codec.encode_into(kind(count), buffer)
        assert serow.loads(buffer[:length]) == expected
        assert written(kind(count)) == expected
        assert written(kind(count), threads=2, wire="row") == expected
        assert written(kind(count), schema=codec.schema) == expected

    def test_in_frames_of_many_rows(self, kind: Any) -> None:
        count = 2000 if kind.__name__ == "array_in_a_tuple" else 40_000
        rows = written(kind(count))
        firsts = [next(iter(row.values() if isinstance(row, dict) else [row])) for row in rows]
        assert len(firsts) == count
        assert rows[-1] == written(kind(count - 1 if count == 1 else count))[-1]
        assert rows[0] != rows[1] or kind is changed_after_it_was_given


def test_rows_are_taken_as_they_are_where_nobody_can_change_them() -> None:
    """The copy would cost time. A new object that the iterator lets go is nobody's."""

    def fresh() -> Iterator[Any]:
        for n in range(100):
            yield {"n": n, "inner": [n, {"a": n}]}

    assert decoded(fresh()) == list(fresh())
    assert decoded(map(list, zip(range(3), "abc", strict=True))) == [[0, "a"], [1, "b"], [2, "c"]]
    held = {"a": [1, 2]}
    before = sys.getrefcount(held), sys.getrefcount(held["a"])
    for rows in (iter([held] * 300), (held for _ in range(300)), (("x", held) for _ in range(300))):
        assert len(serow.loads(serow.dumps(rows))) == 300
    assert (sys.getrefcount(held), sys.getrefcount(held["a"])) == before


@pytest.mark.parametrize("threads", [1, 2])
def test_held_rows_among_new_ones_keep_their_place(threads: int) -> None:
    held = {"n": 0}

    def rows(of: str) -> Iterator[Any]:
        for n, kind in enumerate(of):
            held["n"] = n
            yield held if kind == "h" else {"n": n}

    for of in ("n" * 3000 + "h", "h" * 1500 + "n" * 30, "nh" * 1000, "nnnnnnnnnnnnnnnnnnnnh" * 90):
        assert [row["n"] for row in written(rows(of), threads=threads)] == list(range(len(of)))


def test_a_held_row_that_does_not_fit_widens_the_schema() -> None:
    held: dict[str, Any] = {}

    def rows() -> Iterator[Any]:
        for n in range(700):
            held["n"] = n if n % 200 < 100 else str(n)
            if n % 300 == 299:
                held["m"] = n
            yield held
            held.pop("m", None)

    as_given = [dict(row) for row in rows()]
    assert written(rows()) == written(as_given) == as_given


def test_common_sources() -> None:
    text = "a,b\n1,x\n2,y\n"
    assert decoded(csv.DictReader(io.StringIO(text))) == [
        {"a": "1", "b": "x"},
        {"a": "2", "b": "y"},
    ]
    assert decoded(csv.reader(io.StringIO(text)))[0] == ["a", "b"]
    assert decoded({1: (1, "x"), 2: (2, "y")}.values()) == [(1, "x"), (2, "y")]
    assert decoded(collections.deque([{"a": 1}, {"a": 2}])) == [{"a": 1}, {"a": 2}]
    assert decoded(reversed([1, 2])) == [2, 1]
    assert decoded(array.array("q", [1, 2])) == [1, 2]
    assert decoded(enumerate("ab")) == [(0, "a"), (1, "b")]
    assert decoded((Decimal(n), n > 1) for n in range(3)) == [(Decimal(n), n > 1) for n in range(3)]


def test_parts_that_occur_twice_are_copied_once_and_a_cycle_ends() -> None:
    def nested(depth: int) -> list[Any]:
        part: list[Any] = [1]
        for _ in range(depth):
            part = [part, part]
        return part

    held = nested(14)
    assert decoded(row for row in [held]) == [held]
    tuples: tuple[Any, ...] = ()
    for _ in range(9):
        tuples = (tuples, tuples, [])
    assert decoded(row for row in [tuples]) == [tuples]
    cycle: list[Any] = []
    cycle.append(cycle)
    with pytest.raises(serow.LimitError):
        serow.dumps(row for row in [cycle])


def test_a_row_that_can_not_be_copied_is_still_the_row_of_the_error() -> None:
    lock = threading.Lock()

    def rows() -> Iterator[Any]:
        yield {"a": 1}
        row = {"a": 2, "b": lock}
        yield row
        yield {"a": 3}

    with pytest.raises(serow.EncodeError) as error:
        serow.dumps(rows())
    assert (error.value.row, error.value.path) == (1, ("b",))
    file = io.BytesIO()
    with serow.Writer(file) as writer, pytest.raises(serow.EncodeError) as error:
        writer.write_rows(rows())
    assert (error.value.row, error.value.path) == (1, ("b",))
    assert read(file.getvalue()) == [{"a": 1}]


def test_a_metaclass_runs_no_code_while_a_row_is_looked_at() -> None:
    """Its code could find the dict of the row among the objects of the collector, and change it."""
    rows_changed = []

    def change_rows() -> None:
        # Where serow's own Python code is the caller, encoding has stopped.
        if any("serow/_" in frame.filename for frame in traceback.extract_stack()):
            return
        for found in gc.get_objects():
            if type(found) is dict and "only in these rows" in found:
                rows_changed.append(dict(found))
                found.clear()

    class Curious(type):
        @property
        def __mro__(cls) -> Any:
            change_rows()
            return type.__dict__["__mro__"].__get__(cls)

        @property
        def __dict__(cls) -> Any:
            change_rows()
            return type.__dict__["__dict__"].__get__(cls)

        def __getattribute__(cls, name: str) -> Any:
            if name in {"__name__", "__module__"}:
                change_rows()
            return super().__getattribute__(name)

    @dataclass
    class Odd(metaclass=Curious):
        x: int

    def rows() -> Iterator[Any]:
        for i in range(3):
            yield {"only in these rows": [i], "odd": Odd(i)} | {
                f"k{j}": f"{i * j}" for j in range(200)
            }

    rows_changed.clear()
    file = io.BytesIO()
    with serow.Writer(file) as writer:
        writer.write_rows(rows())
    assert rows_changed == []
    assert [row["odd"].x for row in read(file.getvalue())] == [0, 1, 2]
