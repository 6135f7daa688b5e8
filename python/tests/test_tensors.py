"""Arrays of several dimensions, and tensors of Arrow."""

import io
from typing import Any

import pytest

np = pytest.importorskip("numpy")
pa = pytest.importorskip("pyarrow")

import serow  # noqa: E402

TYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
TYPES += ["float16", "float32", "float64"]


def grid(dtype: str, *shape: int, start: int = 0) -> Any:
    size = int(np.prod(shape))
    return np.arange(start, start + size).astype(dtype).reshape(shape)


def tensors(values: Any) -> Any:
    return pa.FixedShapeTensorArray.from_numpy_ndarray(values)


def same(one: Any, other: Any) -> bool:
    """Whether values are equal, and arrays of one type and shape."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return (
            type(one) is type(other)
            and (one.dtype, one.shape) == (other.dtype, other.shape)
            and np.array_equal(one, other)
        )
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def comes_back(rows: list[Any]) -> Any:
    """Check that rows come back from a table. Returns it."""
    table = pa.table(serow.to_arrow(rows))
    table.validate(full=True)
    assert same(serow.from_arrow(table, arrays="numpy"), rows)
    sliced = table.slice(1)
    assert same(serow.from_arrow(sliced, arrays="numpy"), rows[1:])
    return table


@pytest.mark.parametrize("dtype", TYPES)
def test_tensors_of_pyarrow_are_arrays(dtype: str) -> None:
    values = grid(dtype, 3, 2, 4)
    table = pa.table({"key": [1, 2, 3], "grid": tensors(values)})
    lists = serow.from_arrow(table)
    assert [row["grid"] for row in lists] == values.tolist()
    rows = serow.from_arrow(table, arrays="numpy")
    assert same(rows, [{"key": i + 1, "grid": values[i]} for i in range(3)])
    again = comes_back(rows)
    assert again.column("grid").type == pa.fixed_shape_tensor(pa.from_numpy_dtype(dtype), (2, 4))
    assert np.array_equal(again.column("grid").combine_chunks().to_numpy_ndarray(), values)


def test_tensors_may_be_transposed_in_memory() -> None:
    values = grid("int64", 3, 4, 2).transpose(0, 2, 1)
    array = tensors(values)
    assert array.type.permutation == [1, 0]
    rows = serow.from_arrow(pa.table({"a": array}), arrays="numpy")
    assert same([row["a"] for row in rows], list(np.ascontiguousarray(values)))
    table = pa.table(serow.to_arrow(rows, schema=pa.schema([("a", array.type)])))
    assert table.column("a").type == array.type
    assert np.array_equal(table.column("a").combine_chunks().to_numpy_ndarray(), values)


def test_nulls_between_tensors() -> None:
    ty = pa.fixed_shape_tensor(pa.float32(), (2, 2))
    storage = pa.array([[1, 2, 3, 4], None, [5, 6, 7, 8]], ty.storage_type)
    table = pa.table({"a": pa.ExtensionArray.from_storage(ty, storage)})
    lists = [row["a"] for row in serow.from_arrow(table)]
    assert lists == [[[1, 2], [3, 4]], None, [[5, 6], [7, 8]]]
    rows = serow.from_arrow(table, arrays="numpy")
    assert rows[1]["a"] is None
    assert rows[2]["a"].dtype == np.float32
    assert comes_back(rows).column("a").null_count == 1
    storage = pa.array([[1, 2, 3, 4], [5, None, 7, 8]], ty.storage_type)
    table = pa.table({"a": pa.ExtensionArray.from_storage(ty, storage)})
    with pytest.raises(serow.DecodeError, match=r"column a.*slot 1 has a null element"):
        serow.from_arrow(table)


def test_lists_become_tensors_by_their_schema() -> None:
    table = pa.table({"a": tensors(grid("float32", 3, 2, 4))})
    rows = serow.from_arrow(table)
    assert pa.table(serow.to_arrow(rows, schema=table.schema)) == table


def test_arrays_of_one_dimension_are_lists() -> None:
    rows = [{"a": grid("float32", 3)}, {"a": grid("float32", 0)}, {"a": None}]
    table = comes_back(rows)
    assert table.column("a").type.value_type == pa.float32()
    assert table.column("a").to_pylist() == [[0, 1, 2], [], None]


def test_arrays_of_several_shapes_are_lists_of_lists() -> None:
    rows = [{"a": grid("int16", 1, 2)}, {"a": grid("int16", 2, 3)}, {"a": grid("int16", 2, 0)}]
    table = comes_back(rows)
    assert table.column("a").type.value_type.value_type == pa.int16()
    assert table.column("a").to_pylist() == [[[0, 1]], [[0, 1, 2], [3, 4, 5]], [[], []]]


@pytest.mark.parametrize(
    "values",
    [
        [grid("int16", 2), grid("int16", 2, 2)],
        [grid("int16", 2, 2), grid("float32", 2, 2)],
        [grid("complex64", 2, 2), None],
        [grid("int8", 0, 3), grid("int8", 2, 3)],
        [grid(">i4", 2, 2), grid("<i4", 2, 2)],
    ],
    ids=["dimensions", "types", "complex", "empty", "orders"],
)
def test_other_arrays_are_structs(values: list[Any]) -> None:
    table = comes_back([{"a": v} for v in values])
    parts = table.column("a").to_pylist()[0]
    assert list(parts) == ["type", "shape", "data"]
    assert (tuple(parts["shape"]), parts["data"]) == (values[0].shape, values[0].tobytes())


def test_the_order_of_bytes_comes_back() -> None:
    rows = [{"a": grid(">f4", 2, 3)}, {"a": grid(">f4", 2, 3, start=6)}]
    table = comes_back(rows)
    assert table.column("a").type == pa.fixed_shape_tensor(pa.float32(), (2, 3))


def test_bools_are_tensors() -> None:
    rows = [{"a": np.array([[True, False, True]])}, {"a": np.array([[False, False, True]])}]
    table = comes_back(rows)
    assert table.column("a").type == pa.fixed_shape_tensor(pa.bool_(), (1, 3))


def test_tensors_go_through_messages() -> None:
    table = pa.table({"a": tensors(grid("uint8", 5, 3, 2))})
    message = serow.dumps(table)
    assert [row["a"] for row in serow.loads(message)] == grid("uint8", 5, 3, 2).tolist()
    codec = serow.Codec(serow.schema_of(message))
    assert pa.table(codec.decode_arrow(message)).column("a").type == table.column("a").type
    file = io.BytesIO()
    with serow.Writer(file) as writer:
        writer.write_rows(table)
    file.seek(0)
    with serow.Reader(file) as reader:
        assert pa.table(reader.arrow()).column("a").to_pylist() == table.column("a").to_pylist()


def test_arrays_become_the_types_of_a_schema() -> None:
    rows = [{"a": grid("int64", 2, 2)}, {"a": grid("int64", 2, 2, start=200)}]
    wanted = pa.schema([("a", pa.list_(pa.list_(pa.int16(), 2)))])
    table = pa.table(serow.to_arrow(rows, schema=wanted))
    assert table.schema == wanted
    assert table.column("a").to_pylist()[1] == [[200, 201], [202, 203]]
    with pytest.raises(serow.EncodeError, match="column a: Int8 does not hold 200"):
        serow.to_arrow(rows, schema=pa.schema([("a", pa.fixed_shape_tensor(pa.int8(), (2, 2)))]))
    with pytest.raises(serow.EncodeError, match=r"column a: an array of shape \[2, 2\]"):
        serow.to_arrow(rows, schema=pa.schema([("a", pa.fixed_shape_tensor(pa.int64(), (4,)))]))


def test_tensors_in_polars() -> None:
    pl = pytest.importorskip("polars")
    rows = [{"a": grid("float32", 3)}, {"a": grid("float32", 1)}]
    frame = pl.DataFrame(serow.to_arrow(rows))
    assert frame["a"].to_list() == [[0, 1, 2], [0]]


def test_tensors_of_other_elements_are_refused() -> None:
    ty = pa.fixed_shape_tensor(pa.date32(), (1, 2))
    storage = pa.array([[1, 2]], pa.list_(pa.int32(), 2)).cast(ty.storage_type)
    table = pa.table({"a": pa.ExtensionArray.from_storage(ty, storage)})
    with pytest.raises(serow.SchemaError, match=r"the extension type arrow\.fixed_shape_tensor"):
        serow.from_arrow(table)
