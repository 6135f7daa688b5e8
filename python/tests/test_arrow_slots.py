"""Which slots of Arrow's arrays are values, and of what type."""

import io
import uuid
from dataclasses import dataclass
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow")

import serow  # noqa: E402


@dataclass
class Vector:
    v: list[float] | None


VECTORS = [[1.0, 2.0], None, [3.0, 4.0]]


@pytest.mark.parametrize("ty", [pa.list_(pa.float32()), pa.list_(pa.float32(), 2)], ids=str)
def test_nulls_below_a_null_are_none_of_the_elements(ty: Any) -> None:
    table = pa.table({"v": pa.array(VECTORS, ty)})
    rows = [Vector(v) for v in VECTORS]
    assert str(serow.schema_of(serow.dumps(table))) == '{"v": [f64]?}'
    assert serow.from_arrow(table, type=Vector) == rows
    assert serow.loads(serow.dumps(table), type=Vector) == rows
    codec = serow.Codec(Vector)
    assert codec.decode(codec.encode(table)) == rows
    arrays = serow.from_arrow(table, arrays="numpy")
    assert [row["v"] if row["v"] is None else row["v"].tolist() for row in arrays] == VECTORS


def test_nulls_within_structs_maps_and_dictionaries_count_where_a_row_has_them() -> None:
    nulls = pa.array([None, 1, None], pa.int64())
    of_structs = pa.StructArray.from_arrays([nulls], ["a"], mask=pa.array([True, False, True]))
    table = pa.table({"s": of_structs})
    assert serow.from_arrow(table) == [{"s": None}, {"s": {"a": 1}}, {"s": None}]
    assert str(serow.schema_of(serow.dumps(table))) == '{"s": {"a": i64}?}'
    assert str(serow.schema_of(serow.dumps(table.slice(1, 1)))) == '{"s": {"a": i64}}'
    entries = pa.StructArray.from_arrays([pa.array(["x", "y", "z"]), nulls], ["key", "value"])
    lists = pa.ListArray.from_arrays(pa.array([1, 2], pa.int32()), entries)
    assert str(serow.schema_of(serow.dumps(lists))) == '[{"key": str, "value": i64}]'
    words = pa.array(["a", None])
    picked = pa.DictionaryArray.from_arrays(pa.array([0, 0]), words)
    assert str(serow.schema_of(serow.dumps(picked))) == "str"
    other = pa.DictionaryArray.from_arrays(pa.array([0, 1, None]), words)
    assert serow.loads(serow.dumps(other)) == ["a", None, None]
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([2, 3], pa.int32()), pa.array([None, 1]))
    assert serow.loads(serow.dumps(runs)) == [None, None, 1]
    assert str(serow.schema_of(serow.dumps(runs[2:]))) == "i64"


def test_dictionaries_of_nulls_without_entries() -> None:
    def nulls(count: int) -> Any:
        return pa.DictionaryArray.from_arrays(pa.nulls(count, pa.int8()), pa.array([], pa.null()))

    of = nulls(0).type
    assert serow.from_arrow(nulls(2)) == [None, None]
    assert serow.from_arrow(nulls(3)[1:]) == [None, None]
    assert serow.from_arrow(nulls(0)) == []
    struct = pa.StructArray.from_arrays([nulls(2), pa.array([1, 2])], ["c", "k"])
    lists = pa.ListArray.from_arrays(pa.array([0, 2, 2], pa.int32()), nulls(2))
    table = pa.table({"s": struct, "l": lists, "t": pa.chunked_array([nulls(1), nulls(1)], of)})
    rows = table.to_pylist()
    assert serow.from_arrow(table) == rows
    assert serow.loads(serow.dumps(table)) == rows


def test_dictionaries_of_several_frames_and_of_slices() -> None:
    count = 70_000
    keys = pa.array([None if n % 7 == 0 else n % 300 for n in range(count)], pa.int32())
    words = pa.DictionaryArray.from_arrays(keys, pa.array([f"word {n}" for n in range(300)]))
    numbers = pa.DictionaryArray.from_arrays(keys, pa.array(range(300, 600)))
    table = pa.table({"w": words, "n": numbers})
    for of in (table, table.slice(65_000, 4_000), table.slice(3, 2)):
        assert serow.loads(serow.dumps(of)) == of.to_pylist()


def test_decimals_of_more_digits_than_their_type_has() -> None:
    digits = (10**5).to_bytes(16, "little")
    array = pa.Array.from_buffers(pa.decimal128(5, 2), 1, [None, pa.py_buffer(digits)])
    with pytest.raises(serow.DecodeError, match="the digits 100000, which are more than the 5 of"):
        serow.dumps(pa.table({"d": array}))


def test_extensions() -> None:
    assert serow.from_arrow(pa.array([b"\1" * 16], pa.uuid())) == [uuid.UUID(bytes=b"\1" * 16)]
    assert serow.from_arrow(pa.array(['{"a":1}'], pa.json_())) == ['{"a":1}']
    bools = pa.ExtensionArray.from_storage(pa.bool8(), pa.array([1, 0, None], pa.int8()))
    assert serow.from_arrow(bools) == [True, False, None]
    words = pa.DictionaryArray.from_arrays(pa.array([0, 0]), pa.array([b"\1" * 16], pa.uuid()))
    assert serow.from_arrow(words) == [uuid.UUID(bytes=b"\1" * 16)] * 2


def test_extensions_that_serow_does_not_know_are_read_if_their_storage_is_asked_for() -> None:
    storage = pa.array([b"\4\xf5"], pa.binary())
    ty = pa.opaque(pa.binary(), type_name="bit", vendor_name="DuckDB")
    bits = pa.ExtensionArray.from_storage(ty, storage)
    for data in (
        pa.table({"b": bits}),
        pa.table({"b": pa.StructArray.from_arrays([bits], ["c"])}),
        pa.table({"b": pa.ListArray.from_arrays(pa.array([0, 1], pa.int32()), bits)}),
        pa.table({"b": pa.DictionaryArray.from_arrays(pa.array([0]), bits)}),
    ):
        with io.BytesIO() as file, serow.Writer(file) as writer:
            for read in (serow.from_arrow, serow.dumps, writer.write_rows):
                with pytest.raises(serow.SchemaError, match=r"column b: .*arrow\.opaque.*DuckDB"):
                    read(data)
            writer.write_rows(data, extensions="storage")
            writer.close()
            file.seek(0)
            rows = list(serow.Reader(file))
        assert rows == serow.from_arrow(data, extensions="storage")
        assert rows == serow.loads(serow.dumps(data, extensions="storage"))
        assert "\\xf5" in str(rows)
    assert serow.from_arrow(bits, extensions="storage") == [b"\4\xf5"]
    with pytest.raises(ValueError, match="extensions must be 'storage' or None"):
        serow.from_arrow(bits, extensions="type")


def test_a_period_and_an_interval_of_pandas_are_refused() -> None:
    pd = pytest.importorskip("pandas")
    for values in (pd.period_range("2024-01", periods=2, freq="M"), pd.interval_range(0, 1)):
        with pytest.raises(serow.SchemaError, match="does not know the extension type pandas"):
            serow.dumps(pd.DataFrame({"p": values}))


def test_objects_of_polars_are_refused() -> None:
    """Polars gives their addresses as bytes. Here is a frame that looks like one of its own."""

    class DataFrame:
        __module__ = "polars.dataframe.frame"

        def collect_schema(self) -> dict[str, str]:
            return {"k": "Int64", "o": "Object"}

        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
            raise AssertionError

    with pytest.raises(serow.SchemaError, match="column o: it has Python objects"):
        serow.dumps(DataFrame())
