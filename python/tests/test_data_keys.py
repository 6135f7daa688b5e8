"""Dicts whose keys are data take bytes for their entries, whatever the mix of keys and types."""

import io
import pickle
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import serow
from hypothesis import given
from hypothesis import strategies as st
from rowtext import canonical
from strategies import rows as any_rows

pytestmark = pytest.mark.once

Rows = list[Any]
WIRES = ["frame", "row"]


def value(i: int) -> Any:
    """Give a value of one of eight types."""
    values = [i, i / 3, f"v{i}", None, i % 2 == 0, [i, i + 1], {"a": i, "b": i / 2}, (i, "x")]
    return values[i % len(values)]


def mixes(count: int) -> Iterator[tuple[str, Rows]]:
    """Give rows of each kind of dict that has, or may seem to have, keys that are data."""
    rng = random.Random(count)
    names = [f"feature_{i}" for i in range(4000)]
    few = [f"field{i}" for i in range(20)]
    rows = range(count)

    def some(of: int) -> list[str]:
        return rng.sample(names[:of], 10)

    yield "a key of its own", [{"id": i, "at": {f"host{i}": i if i % 2 else i / 2}} for i in rows]
    yield "features", [{"id": i, "x": {k: value(i) for k in some(4000)}} for i in rows]
    yield "features of 100", [{"id": i, "x": {k: value(i) for k in some(100)}} for i in rows]
    yield "features alone", [{k: rng.random() if i % 2 else i for k in some(4000)} for i in rows]
    yield "fields and a key", [{**{k: value(i) for k in few}, f"host{i}": value(i)} for i in rows]
    yield "nested", [{f"a{i % 90}": {f"b{i % 70}": {f"c{i}": value(i)}}} for i in rows]
    yield "in lists", [[{f"k{rng.randrange(3000)}": value(i)} for _ in range(4)] for i in rows]
    yield "one of 16", [{f"kind{i % 16}": {"a": i, "b": str(i)}} for i in rows]
    yield "sometimes", [{k: value(i) for k in few if rng.random() < 0.1} for i in rows]
    yield "mostly", [{k: value(i) for k in few if rng.random() < 0.9} for i in rows]
    yield "empty", [{} if i % 9 else {f"k{i}": i} for i in rows]


def one_by_one(rows: Rows, wire: str) -> bytes:
    file = io.BytesIO()
    with serow.Writer(file, wire=wire) as writer:
        for row in rows:
            writer.write(row)
    return file.getvalue()


def in_batches(rows: Rows, wire: str) -> bytes:
    file = io.BytesIO()
    with serow.Writer(file, wire=wire) as writer:
        for begin in range(0, len(rows), 50):
            writer.write_rows(rows[begin : begin + 50])
    return file.getvalue()


def at_once(rows: Rows, wire: str) -> bytes:
    return serow.dumps(rows, wire=wire)


def pickled(rows: Rows, wire: str) -> int:
    """Give the bytes of pickle. Records repeat their texts, as pickles of single rows do."""
    if wire == "frame":
        return len(pickle.dumps(rows))
    return sum(len(pickle.dumps(row)) for row in rows)


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("write", [at_once, one_by_one, in_batches])
@pytest.mark.parametrize("count", [12, 60, 400])
def test_bytes_are_at_most_half_as_many_again_as_pickles(
    write: Callable[[Rows, str], bytes], wire: str, count: int
) -> None:
    for what, rows in mixes(count):
        data = write(rows, wire)
        assert serow.loads(data) == rows, what
        # A message has its header, and a frame its schema and what its columns need.
        assert len(data) <= 1.5 * pickled(rows, wire) + 500, what


@pytest.mark.parametrize("wire", WIRES)
def test_a_stream_of_new_keys_has_few_frames(wire: str) -> None:
    for what, rows in mixes(400):
        reader = serow.Reader(io.BytesIO(one_by_one(rows, wire)))
        assert len(list(reader.frames())) <= 8, what


@pytest.mark.parametrize("wire", WIRES)
def test_keys_that_are_missing_now_and_then_stay_fixed(wire: str) -> None:
    rng = random.Random(1)
    rows = [{f"k{i}": i for i in range(300) if rng.random() < 0.95} for _ in range(100)]
    assert str(serow.Schema.infer(rows)).startswith('{"k')
    file = io.BytesIO()
    with serow.Writer(file, wire=wire) as writer:
        for row in rows:
            writer.write(row)
        assert str(writer.schema).startswith('{"k')
    frames = list(serow.Reader(io.BytesIO(file.getvalue())).frames())
    assert [row for frame in frames for row in frame] == rows
    assert len(frames) <= 4


def test_values_of_more_types_than_a_union_has_keep_their_keys_fixed() -> None:
    """A dict with fixed keys has a type for each key, and a map one union."""
    classes = [type(f"C{i}", (tuple,), {"_fields": ("a",), "__slots__": ()}) for i in range(300)]
    rows = [{f"k{i}": [c((i,))] for i, c in enumerate(classes) if i % 300 == r} for r in range(300)]
    assert str(serow.Schema.infer(rows)).startswith('{"k')


@given(rows=any_rows(), wire=st.sampled_from(WIRES))
def test_rows_that_widen_a_stream_come_back(rows: list[Any], wire: str) -> None:
    back = serow.loads(one_by_one(rows, wire))
    assert list(map(canonical, back)) == list(map(canonical, rows))


KEYED = st.recursive(
    st.one_of(st.none(), st.integers(-9, 9), st.booleans(), st.text("ab", max_size=2)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.sampled_from([f"k{i}" for i in range(30)]), inner, max_size=4),
    ),
    max_leaves=12,
)


@given(rows=st.lists(KEYED, max_size=30), wire=st.sampled_from(WIRES))
def test_dicts_that_become_maps_in_a_stream_come_back(rows: list[Any], wire: str) -> None:
    back = serow.loads(one_by_one(rows, wire))
    assert list(map(canonical, back)) == list(map(canonical, rows))
