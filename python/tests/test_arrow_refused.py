"""Arrays that pyarrow makes and serow refuses. `test_arrow_damage.py` has damaged C structures."""

import struct
from collections.abc import Iterator
from typing import Any

import pytest
import serow

pa = pytest.importorskip("pyarrow")

pytestmark = pytest.mark.tiers


def of_buffers(ty: Any, length: int, *buffers: bytes, children: Any = ()) -> Any:
    """Give an array of these buffers, which pyarrow does not check."""
    buffers = [None, *map(pa.py_buffer, buffers)]
    return pa.Array.from_buffers(ty, length, buffers, children=list(children) or None)


def numbers(code: str, *values: int) -> bytes:
    return struct.pack(f"<{len(values)}{code}", *values)


def view(length: int, buffer: int, offset: int) -> bytes:
    return struct.pack("<i4sii", length, b"abcd", buffer, offset)


EITHER = pa.dense_union([pa.field("a", pa.int64()), pa.field("b", pa.string())])
ONE_OF_EACH = [pa.array([1]), pa.array(["x"])]


@pytest.mark.parametrize(
    "make",
    [
        lambda: of_buffers(pa.string(), 2, numbers("i", 0, 5, 2), b"hello"),
        lambda: of_buffers(pa.string(), 1, numbers("i", 0, 2), b"\xff\xfe"),
        lambda: of_buffers(pa.string(), 2, numbers("i", 0, 1, 2), "é".encode()),
        lambda: of_buffers(pa.string_view(), 1, view(20, 3, 0), b"abcd" * 10),
        lambda: of_buffers(pa.string_view(), 1, view(20, 0, 1000), b"abcd" * 10),
        lambda: of_buffers(pa.string_view(), 1, view(-20, 0, 0), b"abcd" * 10),
        lambda: pa.DictionaryArray.from_arrays(pa.array([0, 5]), pa.array(["a"]), safe=False),
        lambda: pa.DictionaryArray.from_arrays(pa.array([0, -5]), pa.array(["a"]), safe=False),
        lambda: pa.DictionaryArray.from_arrays(
            pa.array([0]), pa.array([], pa.string()), safe=False
        ),
        lambda: of_buffers(
            pa.list_(pa.int64()), 2, numbers("i", 0, 2, 1), children=[pa.array([1, 2])]
        ),
        lambda: of_buffers(
            pa.list_view(pa.int64()),
            2,
            numbers("i", 0, 50),
            numbers("i", 1, 1),
            children=[pa.array([1, 2])],
        ),
        lambda: of_buffers(EITHER, 2, numbers("b", 0, 7), numbers("i", 0, 0), children=ONE_OF_EACH),
        lambda: of_buffers(
            EITHER, 2, numbers("b", 0, 1), numbers("i", 0, 10), children=ONE_OF_EACH
        ),
        lambda: of_buffers(
            EITHER, 2, numbers("b", 0, 1), numbers("i", 0, -1), children=ONE_OF_EACH
        ),
        lambda: of_buffers(pa.time64("us"), 1, numbers("q", 10**15)),
        lambda: of_buffers(pa.date32(), 1, numbers("i", 2**31 - 1)),
        lambda: of_buffers(pa.timestamp("s"), 1, numbers("q", 2**63 - 1)),
        lambda: of_buffers(pa.duration("s"), 1, numbers("q", 2**63 - 1)),
        lambda: pa.array([[("a", 1), ("a", 2)]], pa.map_(pa.string(), pa.int64())),
        lambda: pa.array([86_400_001], pa.int64()).view(pa.date64()),
    ],
)
def test_damaged_arrays_are_errors(make: Any) -> None:
    with pytest.raises(serow.DecodeError):
        serow.from_arrow(make())


class Gives:
    """An object whose method for a stream gives this."""

    def __init__(self, given: Any) -> None:
        self._given = given

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._given


def test_a_producer_that_gives_something_else_or_fails() -> None:
    with pytest.raises(TypeError, match="PyCapsule"):
        serow.from_arrow(Gives(5))
    with pytest.raises(ValueError, match="incorrect name"):
        serow.from_arrow(Gives(pa.schema([]).__arrow_c_schema__()))
    stream = Gives(pa.table({"a": [1]}).__arrow_c_stream__())
    assert serow.from_arrow(stream) == [{"a": 1}]
    with pytest.raises(serow.DecodeError, match="is already released"):
        serow.from_arrow(stream)

    def batches() -> Iterator[Any]:
        yield pa.record_batch({"a": [1]})
        raise ValueError("the source is gone")

    schema = pa.schema([("a", pa.int64())])
    with pytest.raises(serow.DecodeError, match="the source is gone"):
        serow.from_arrow(pa.RecordBatchReader.from_batches(schema, batches()))


def test_rows_that_nest_too_deeply_or_have_a_name_twice() -> None:
    array = pa.array([1])
    for _ in range(70):
        array = pa.ListArray.from_arrays([0, 1], array)
    with pytest.raises(serow.LimitError, match="64 deep"):
        serow.from_arrow(array)
    twice = pa.table([pa.array([1]), pa.array([2])], names=["a", "a"])
    with pytest.raises(serow.SchemaError, match='"a" comes twice'):
        serow.from_arrow(twice)
    assert serow.from_arrow(twice, type=tuple) == [(1, 2)]
