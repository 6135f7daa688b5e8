"""`SerowSerializer` gives back what pickle would give, for all data."""

import collections
import enum
import pickle
import random
import subprocess
import sys
import threading
import venv
from dataclasses import FrozenInstanceError
from datetime import datetime, timedelta, timezone, tzinfo
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import pandas
import pytest
import serow
from hypothesis import given
from hypothesis import strategies as st
from pyspark import Row, cloudpickle
from pyspark.serializers import (
    AutoBatchedSerializer,
    BatchedSerializer,
    CPickleSerializer,
    FlattenedValuesSerializer,
    MarshalSerializer,
)
from serow.spark import SerowSerializer
from shown import shown
from strategies import Table, brief, has_hash, rows, scalars, seeds, wild_texts

stock = CPickleSerializer()

hashables = st.recursive(
    scalars(wild_texts).filter(has_hash),
    lambda inner: st.one_of(
        st.lists(brief(inner), max_size=3).map(tuple), st.frozensets(brief(inner), max_size=3)
    ),
    max_leaves=6,
)
in_sets = brief(hashables)


def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    inner = brief(inner)
    names = st.sampled_from(["a", "b", "c d", "größe", ""])
    return st.one_of(
        st.lists(inner, max_size=6),
        st.lists(inner, max_size=4).map(tuple),
        st.sets(in_sets, max_size=9),
        st.frozensets(in_sets, max_size=9),
        st.dictionaries(names, inner, max_size=5),
        st.dictionaries(names, inner, min_size=1, max_size=5).map(lambda fields: Row(**fields)),
        st.dictionaries(in_sets, inner, max_size=4),
    )


#: Values of the classes that serow carries.
carried = st.recursive(scalars(wild_texts), containers, max_leaves=25)


def is_message(data: bytes) -> bool:
    return data[:4] == b"SROW"


def assert_as_stock(batch: Any, ser: SerowSerializer | None = None) -> bytes:
    """Check the round trip, and give the bytes."""
    ser = ser or SerowSerializer()
    data = ser.dumps(batch)
    assert of_bytes(SerowSerializer(), data) == of_bytes(stock, stock.dumps(batch))
    return data


def of_bytes(ser: Any, data: bytes) -> Any:
    """Give the expected value; pickle can't load a frozen dataclass with slots."""
    try:
        return shown(ser.loads(data))
    except FrozenInstanceError as error:
        return repr(error)


@given(rows())
def test_any_batches(batch: list[Any]) -> None:
    assert_as_stock(batch)


@given(st.lists(carried, min_size=1, max_size=8))
def test_batches_of_what_is_carried(batch: list[Any]) -> None:
    assert_as_stock(batch)


@given(st.lists(st.lists(carried, min_size=1, max_size=3), max_size=6))
def test_one_instance_and_many_batches(batches: list[list[Any]]) -> None:
    ser = SerowSerializer()
    for batch in batches:
        assert_as_stock(batch, ser)
        assert_as_stock(batch, ser)


@given(seeds)
def test_tables_in_batches_as_spark_makes_them(seed: int) -> None:
    left = Table(seed).rows()
    ser = SerowSerializer()
    size = 1
    while left:
        assert_as_stock(left[:size], ser)
        left, size = left[size:], size * 2


def test_a_carried_batch_is_a_message() -> None:
    zone = timezone(timedelta(hours=1), "CET")
    for row in [
        1,
        2**70,
        "a\ud800",
        None,
        (1, "a", 2.5, True, b"x"),
        [{"a": [1, 2], "b": None}],
        {(1, 2): {3}, "x": frozenset([1.5])},
        (datetime(2024, 1, 1, tzinfo=zone), Decimal("sNaN123"), Decimal("-0.00")),
        Row(a=1, b=Row(c=[Row(d=None)])),
        {Row(a=1): {Row(b=2)}},
    ]:
        assert is_message(assert_as_stock([row] * 3)), row
        assert is_message(assert_as_stock([row] * 300)), row


class Point(NamedTuple):
    x: int
    y: int


class Color(enum.Enum):
    RED = 1


class Zone(tzinfo):
    def utcoffset(self, when: datetime | None) -> timedelta:
        return timedelta(hours=2)

    def dst(self, when: datetime | None) -> timedelta:
        return timedelta(0)

    def tzname(self, when: datetime | None) -> str:
        return "two"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Zone)

    def __hash__(self) -> int:
        return 2

    def __repr__(self) -> str:
        return "Zone()"


class Text(str):
    __slots__ = ()


class Plain:
    def __init__(self) -> None:
        self.x = 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plain) and self.x == other.x

    def __hash__(self) -> int:
        return 1

    def __repr__(self) -> str:
        return f"Plain({self.x})"


class SubRow(Row):
    __slots__ = ()


twice = Row(a=1, b=2)
twice.__fields__ = ["a", "a"]

deep: list[Any] = []
for _ in range(80):
    deep = [deep]

OTHERS = {
    "named tuple": Point(1, 2),
    "names of rows": Row("a", "b"),
    "Row of such": Row("a", "b")(1, 2),
    "Row without names": Row(1, 2),
    "Row with a name twice": twice,
    "subclass of Row": SubRow(a=1),
    "member of an enum": Color.RED,
    "subclass of str": Text("a"),
    "subclass of dict": collections.OrderedDict(a=1),
    "counter": collections.Counter("abc"),
    "instance": Plain(),
    "time zone": datetime(2024, 1, 1, tzinfo=Zone()),
    "NumPy": numpy.int64(3),
    "NumPy's float": numpy.float64(3.5),
    "NumPy's text": numpy.str_("a"),
    "pandas": pandas.Timestamp("2024-01-01"),
    "range": range(3),
    "class": Plain,
    "deep": deep,
    "ellipsis": ...,
}


@pytest.mark.parametrize("value", OTHERS.values(), ids=OTHERS)
def test_other_batches_are_pickled(value: Any) -> None:
    for row in (value, (1, value), [value], {"a": value}, {1: value}):
        for batch in ([row], [row] * 3, [(1, 2), row], [(1, 2)] * 300 + [row]):
            assert not is_message(assert_as_stock(batch)), row


def test_functions_are_pickled() -> None:
    twice = 2
    ser = SerowSerializer()
    back = ser.loads(ser.dumps([1, lambda x: twice * x]))
    assert back[1](4) == 8


def test_order_of_keys() -> None:
    same = [{"b": 1, "a": 2}] * 3
    assert is_message(assert_as_stock(same))
    assert not is_message(assert_as_stock([*same, {"a": 1, "b": 2}]))
    # A missing key does not change the order of the others.
    assert is_message(assert_as_stock([*same, {"a": 1}, {"b": 1}]))
    ser = SerowSerializer()
    assert is_message(assert_as_stock(same, ser))
    # Another batch may have another order.
    assert is_message(assert_as_stock([{"a": 1, "b": 2}] * 3, ser))
    nested = [(1, [{"x": {"b": 1, "a": 2}}]), (1, [{"x": {"a": 1, "b": 2}}])]
    assert not is_message(assert_as_stock(nested))


@pytest.mark.parametrize("size", [1, 7, 300])
def test_order_of_sets(size: int) -> None:
    for seed in range(20):
        some = random.Random(seed)
        row = set()
        for _ in range(some.randrange(200)):
            row.add(some.choice([some.randrange(1 << 40), str(some.randrange(99)), some.random()]))
            if some.random() < 0.3:
                row.remove(next(iter(row)))
        assert is_message(assert_as_stock([row] * size))


def test_a_value_that_contains_itself() -> None:
    loop: list[Any] = []
    loop.append(loop)
    ser = SerowSerializer()
    back = ser.loads(ser.dumps([loop]))
    assert back[0][0] is back[0]


def test_rows_of_a_dataframe_s_kind() -> None:
    ser = SerowSerializer()
    rows = [Row(id=n, name=str(n), inner=Row(x=n / 2, tags=[Row(t=n)])) for n in range(600)]
    assert is_message(assert_as_stock(rows, ser))
    (back, *_) = ser.loads(ser.dumps(rows))
    assert back.inner.tags[0].t == 0
    assert back.asDict(recursive=True) == rows[0].asDict(recursive=True)
    assert hash(back.inner.tags[0]) == hash(rows[0].inner.tags[0])
    # Rows of several tables, as after a union.
    mixed = [Row(b=1, a=2), *rows[:300], Row(a=1, b=2), (1, 2), *rows[300:]]
    assert is_message(assert_as_stock(mixed, ser))


def test_batches_that_share_a_list_very_often_are_pickled() -> None:
    often: list[Any] = []
    for _ in range(40):
        often = [often, often]
    ser = SerowSerializer()
    back = ser.loads(ser.dumps([often]))[0]
    assert back[0] is back[1]


def test_other_objects_are_pickled() -> None:
    for value in [None, 1, "a", (1, 2), {1: 2}, (1, [2, 3]), []]:
        assert not is_message(assert_as_stock(value))


class Unpicklable:
    def __reduce__(self) -> tuple[Any, ...]:
        raise ValueError("not this")


def test_errors_are_those_of_pickle(capsys: pytest.CaptureFixture[str]) -> None:
    for row in (Unpicklable(), threading.Lock()):
        raised = []
        for ser in (stock, SerowSerializer()):
            with pytest.raises((pickle.PicklingError, TypeError)) as caught:
                ser.dumps([row])
            raised.append((caught.type, str(caught.value)))
        assert raised[0] == raised[1]


def test_any_pickle_is_read() -> None:
    ser = SerowSerializer()
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        for value in ["SROW", ["SROW"], b"SROW", 1, [(1, "a")], {"S": "R"}]:
            data = pickle.dumps(value, protocol)
            assert not is_message(data)
            assert ser.loads(data) == value


def test_after_refusals_batches_are_pickled_for_a_while() -> None:
    ser = SerowSerializer()
    mixed, plain = [1, Plain()], [1, 2]
    for _ in range(100):
        assert_as_stock(mixed, ser)
    pickled = 0
    while not is_message(assert_as_stock(plain, ser)):
        pickled += 1
    assert 0 < pickled <= 64
    # From then on all batches are carried again.
    assert all(is_message(assert_as_stock(plain, ser)) for _ in range(10))


def test_no_code_of_the_rows_runs() -> None:
    class Shy:
        def __repr__(self) -> str:
            raise AssertionError("was asked")

        def __getattr__(self, name: str) -> Any:
            raise AssertionError(f"was asked for {name}")

    assert serow._native.Batches(Row).write([1, Shy()]) is None


@given(st.lists(carried, min_size=1, max_size=4), st.integers(0), st.integers(1, 255))
def test_damaged_messages_are_errors(batch: list[Any], at: int, by: int) -> None:
    ser = SerowSerializer()
    data = bytearray(ser.dumps(batch))
    if is_message(data):
        # Damage after the magic, because otherwise it would be read as a pickle.
        data[4 + at % (len(data) - 4)] ^= by
        with pytest.raises(serow.SerowError):
            ser.loads(bytes(data))


def test_instances_are_equal_and_differ_from_others() -> None:
    ser = SerowSerializer()
    ser.dumps([1])
    assert ser == SerowSerializer()
    assert hash(ser) == hash(SerowSerializer())
    assert AutoBatchedSerializer(ser) == AutoBatchedSerializer(SerowSerializer())
    assert BatchedSerializer(ser, 2) != BatchedSerializer(SerowSerializer(), 3)
    for other in (stock, MarshalSerializer()):
        assert ser != other
        assert other != ser
        assert AutoBatchedSerializer(ser) != AutoBatchedSerializer(other)
        assert AutoBatchedSerializer(other) != AutoBatchedSerializer(ser)
    assert repr(AutoBatchedSerializer(ser)) == "AutoBatchedSerializer(SerowSerializer())"


def test_values_that_are_flattened() -> None:
    ser = FlattenedValuesSerializer(AutoBatchedSerializer(SerowSerializer()), 3)
    stream = BytesIO()
    ser.dump_stream([("a", [1, 2, 3, 4]), ("b", [5])], stream)
    stream.seek(0)
    assert list(ser.load_stream(stream)) == [("a", [1, 2, 3]), ("a", [4]), ("b", [5])]


@pytest.mark.parametrize("pickler", [pickle, cloudpickle])
def test_it_travels(pickler: Any) -> None:
    ser = pickler.loads(pickler.dumps(SerowSerializer()))
    assert type(ser) is SerowSerializer
    assert ser.loads(ser.dumps([(1, "a")])) == [(1, "a")]


def test_threads_share_an_instance() -> None:
    ser = SerowSerializer()
    batches = [[(n, str(n))] * n for n in range(1, 60)] + [[float(n)] * n for n in range(1, 60)]
    wrong = []

    def run(seed: int) -> None:
        order = random.Random(seed).sample(batches, len(batches))
        wrong.extend(batch for batch in order if ser.loads(ser.dumps(batch)) != batch)

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_python_without_serow_says_so_in_one_line(tmp_path: Path) -> None:
    command = tmp_path / "command"
    command.write_bytes(cloudpickle.dumps((len, SerowSerializer())))
    venv.create(tmp_path / "bare", symlinks=True)
    python = tmp_path / "bare" / "bin" / "python"
    # The worker needs nothing of PySpark beyond what the command refers to.
    where = Path(cloudpickle.__file__).parents[2]
    code = f"""
import sys, types
package = types.ModuleType("pyspark"); package.__path__ = [{str(where / "pyspark")!r}]
sys.modules["pyspark"] = package
import pickle
pickle.load(open({str(command)!r}, "rb"))
"""
    ran = subprocess.run([python, "-I", "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    last = ran.stderr.strip().splitlines()[-1]
    assert last.startswith(
        f"RuntimeError: the job's data is serialized by serow, which {python} on "
    )
    assert f"'{python} -m pip install serow=={serow.__version__}'" in last
    assert sys.executable not in last
