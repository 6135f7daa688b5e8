"""Compares values of foreign classes with the plain values that they equal."""

import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import serow


def shown(value: Any) -> Any:
    """Give an object that is equal only for values with equal types and bits at every node."""
    if isinstance(value, (set, frozenset)):
        return type(value), sorted(map(shown, value), key=repr)
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [shown(item) for item in value]
    if isinstance(value, dict):
        return dict, [(shown(key), shown(item)) for key, item in value.items()]
    if isinstance(value, float):
        return type(value), struct.pack("<d", value)
    if isinstance(value, complex):
        return type(value), struct.pack("<dd", value.real, value.imag)
    return type(value), repr(value)


def check(foreign: Any, plain: Any) -> None:
    """Assert that both are encoded alike, at every kind of place."""
    places: list[Callable[[Any], Any]] = [
        lambda value: [value],
        lambda value: [(1, "a")] * 100 + [(value, value, [[value]])] * 2,
        lambda value: [{"a": value, "b": [{"c": value}]}, {"a": None}],
        lambda value: [{1: value}, {}],
    ]
    if type(plain) not in (list, dict) and type(foreign) is not np.ndarray:
        places.append(lambda value: [{value}, frozenset([value]), {value: 1}, {(1, value): 1}])
    for place in places:
        for wire in ("frame", "row"):
            same(place(foreign), place(plain), wire)


def same(foreign: list[Any], plain: list[Any], wire: Any) -> None:
    """Assert that both rows are encoded alike, by every function."""
    before = repr(foreign)
    message = serow.dumps(plain, wire=wire)
    assert shown(serow.loads(serow.dumps(foreign, wire=wire))) == shown(serow.loads(message))
    schema, of_foreign = serow.Schema.infer(plain), serow.Schema.infer(foreign)
    # Arrays have a type of their own, and are lists where a schema declares these.
    if "ndarray" not in str(of_foreign):
        assert of_foreign == schema
        assert serow.Codec.infer(foreign).schema == schema
    codec = serow.Codec.infer(plain, wire=wire)
    message = codec.encode(plain)
    assert codec.encode(foreign) == message
    buffer = bytearray(len(message))
    assert codec.encode_into(foreign, buffer) == len(message)
    assert buffer == message
    with pytest.raises(serow.BufferTooSmall, match=f"takes {len(message)} bytes"):
        codec.encode_into(foreign, bytearray(len(message) - 1))
    for row, plain_row in zip(foreign, plain, strict=True):
        record = codec.encode_one(plain_row)
        assert codec.encode_one(row) == record
        assert codec.encode_one_into(row, buffer := bytearray(len(record))) == len(record)
        assert buffer == record
    assert repr(foreign) == before


def assert_refused(value: Any, advice: str, wire: str) -> None:
    """Assert that a value is an error at every kind of place, and that the error gives advice."""
    rows: list[Any] = [(np.int64(i), "a", [(i, np.float32(2.5))]) for i in range(500)]
    rows[450] = (object(), "a", [])
    for row, at in [
        ((1, value, []), r"field 1 \(str\)"),
        ((1, "a", [(1, 2.5), (np.int8(1), value)]), r"field 2\.1\.1 \(f64\)"),
    ]:
        rows[417] = row
        start = rf"^row 417, {at}: cannot encode "
        with pytest.raises(serow.EncodeError, match=start) as caught:
            serow.dumps(rows, wire=wire)  # type: ignore[arg-type]
        assert advice in str(caught.value)
        codec = serow.Codec("(i64, str, [(i64, f64)])", wire=wire)  # type: ignore[arg-type]
        for _ in range(2):
            with pytest.raises(serow.EncodeError, match=start) as caught:
                codec.encode(rows)
            assert advice in str(caught.value)
        with pytest.raises(serow.EncodeError, match=r"^row 417, field ") as caught:
            serow.Schema.infer(rows)
        assert advice in str(caught.value)
