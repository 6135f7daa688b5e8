import struct
from datetime import date
from decimal import Decimal

import pytest

from demo.compare import first_difference

NAN = float("nan")
OTHER_NAN = struct.unpack("<d", struct.pack("<Q", 0x7FF8000000000123))[0]


@pytest.mark.parametrize(
    "row",
    [
        (1, "a", 2.5),
        (0.0, -0.0, NAN, OTHER_NAN),
        (None, True, [1, (2,)]),
        (),
        ("\ud83d",),
        (Decimal("1.00"), date(2024, 2, 29), {"a": 1, "b": [0.0]}),
    ],
)
def test_equal_rows_have_no_difference(row: tuple[object, ...]) -> None:
    assert first_difference([row], [struct_copy(row)]) is None


def struct_copy(row: tuple[object, ...]) -> tuple[object, ...]:
    """Returns the row with new float objects, because a NaN equals itself only by identity."""
    return tuple(
        struct.unpack("<d", struct.pack("<d", value))[0] if isinstance(value, float) else value
        for value in row
    )


@pytest.mark.parametrize(
    ("sent", "received"),
    [
        (1, True),
        (1, 1.0),
        (0.0, -0.0),
        (NAN, OTHER_NAN),
        ("a", "b"),
        (None, 0),
        ((1,), [1]),
        ([1, 2], [1]),
        ([0.0], [-0.0]),
        (Decimal("1.0"), Decimal("1.00")),
        (Decimal("0"), Decimal("-0")),
        (date(2024, 2, 29), date(2024, 2, 28)),
        ({"a": 1}, {"a": 1.0}),
        ({"a": 1}, {"b": 1}),
        ({"a": 1}, {}),
        ({"a": [{"b": 0.0}]}, {"a": [{"b": -0.0}]}),
    ],
)
def test_a_difference_is_named_with_its_row_and_field(sent: object, received: object) -> None:
    same = ("same", "x")
    difference = first_difference([same, ("same", sent)], [same, ("same", received)])
    assert difference is not None
    assert difference.startswith("row 1, field 1")


def test_a_nested_difference_is_named_by_its_path() -> None:
    difference = first_difference([(1, (2, [3]))], [(1, (2, [4]))])
    assert difference == "row 0, field 1, field 1, field 0: expected 3 (int), got 4 (int)"


def test_a_dicts_difference_is_named_by_its_key_and_order_is_none() -> None:
    assert first_difference([{"a": 1, "b": 2}], [{"b": 2, "a": 1}]) is None
    difference = first_difference([{"a": (1,)}], [{"a": (2,)}])
    assert difference == "row 0, key 'a' (str), field 0: expected 1 (int), got 2 (int)"


def test_a_row_of_another_type_or_length_differs() -> None:
    assert first_difference([(1,)], [[1]]) is not None
    assert first_difference([(1,)], [(1, 2)]) is not None


def test_missing_and_surplus_rows_differ() -> None:
    assert first_difference([(1,), (2,)], [(1,)]) == "expected 2 rows, got 1"
    assert first_difference([(1,)], [(1,), (2,)]) == "expected 1 rows, got 2"


def test_a_lone_surrogate_can_be_shown() -> None:
    difference = first_difference([("\ud83d" * 100,)], [("x",)])
    assert difference is not None
    difference.encode()
