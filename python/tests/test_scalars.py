"""Scalars of NumPy and pandas that are read where they are, and rows with other foreign values."""

from collections import deque
from datetime import date, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest
import serow
from serow import _foreign, _native
from serow._foreign import copying


class Row(tuple[Any, ...]):
    """PySpark's, in short."""


NOON = datetime(2024, 2, 29, 12, 30, 15, 123456)

SCALARS: list[tuple[Any, Any]] = [
    *((kind(-5), -5) for kind in (np.int8, np.int16, np.int32, np.int64, np.longlong)),
    *((kind(200), 200) for kind in (np.uint8, np.uint16, np.uint32, np.uint64, np.ulonglong)),
    (np.int64(-(2**63)), -(2**63)),
    (np.uint64(2**64 - 1), 2**64 - 1),
    (np.float32(0.1), float(np.float32(0.1))),
    (np.float64(0.1), 0.1),
    (np.float64("-inf"), float("-inf")),
    (np.str_(""), ""),
    (np.str_("plain"), "plain"),
    (np.str_("gr\u00fcn"), "gr\u00fcn"),
    (np.str_("\u20ac\udc80"), "\u20ac\udc80"),
    (np.str_("\U0001f600"), "\U0001f600"),
    (np.bytes_(b""), b""),
    (np.bytes_(b"\0\xff0"), b"\0\xff0"),
    (np.bool_(True), True),
    (np.bool_(False), False),
    (np.datetime64("2024-02-29"), date(2024, 2, 29)),
    (np.datetime64(-3, "25s"), datetime(1969, 12, 31, 23, 58, 45)),
    (np.datetime64(NOON), NOON),
    (np.datetime64(NOON, "ns"), NOON),
    (np.datetime64("0001-01-01T00", "h"), datetime(1, 1, 1)),
    (np.datetime64("NaT", "s"), None),
    (np.timedelta64(-7, "us"), timedelta(microseconds=-7)),
    (np.timedelta64(3, "2W"), timedelta(weeks=6)),
    (np.timedelta64("NaT", "s"), None),
    (pd.Timestamp(NOON), NOON),
    (pd.Timestamp(NOON).as_unit("s"), NOON.replace(microsecond=0)),
    (pd.Timestamp(NOON, tz="UTC"), NOON.replace(tzinfo=timezone.utc)),
    (pd.Timestamp(NOON, tz=timezone.utc), NOON.replace(tzinfo=timezone.utc)),
    (
        pd.Timestamp(NOON, tz=ZoneInfo("Europe/Berlin")),
        NOON.replace(tzinfo=ZoneInfo("Europe/Berlin")),
    ),
    (pd.NaT, None),
    (pd.NA, None),
]


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Count the rows that are copied."""
    rows: list[Any] = []
    of_row = copying._Copy.of_row

    def counted(self: Any, row: Any) -> Any:
        rows.append(row)
        return of_row(self, row)

    monkeypatch.setattr(copying._Copy, "of_row", counted)
    return rows


@pytest.fixture
def direct() -> None:
    """Skip the test if objects are accessed through the C API."""
    if _native.object_access() != "direct":
        pytest.skip("scalars are read by direct access only")


def same(one: Any, other: Any) -> bool:
    if isinstance(one, datetime) and one.tzinfo is not None:
        return bool(one == other and one.utcoffset() == other.utcoffset())
    return type(one) is type(other) and one == other


@pytest.mark.parametrize(("scalar", "plain"), SCALARS, ids=lambda value: repr(value)[:40])
def test_scalars_are_the_plain_values_that_they_equal(
    scalar: Any, plain: Any, wire: Any, access: str
) -> None:
    # Other code says what they equal.
    [defined] = _foreign.plain_rows([scalar], 0, 1, lambda _: None, 64, True)
    assert same(defined, plain) or isinstance(scalar, pd.Timestamp)
    for place in (
        lambda value: value,
        lambda value: (1, value, "x"),
        lambda value: {"a": value, "b": [value]},
    ):
        rows, expected = [place(scalar)] * 3, [place(plain)] * 3
        for rest in ([], [place("text")], [place(None)], [place(2.5), place(b"x")]):
            message = serow.dumps([*rows, *rest], wire=wire)
            assert message == serow.dumps([*expected, *rest], wire=wire)
            assert serow.loads(message) == [*expected, *rest]
            codec = serow.Codec.infer([*expected, *rest], wire=wire)
            assert serow.Schema.infer([*rows, *rest]) == codec.schema
            for _ in range(2):
                assert codec.encode([*rows, *rest]) == message
                assert codec.encode_one(rows[0]) == codec.encode_one(expected[0])
                if access == "direct":
                    codec.compile()


@pytest.mark.parametrize("wire", ["frame", "row"])
def test_no_row_is_copied_for_them(wire: Any, copied: list[Any], direct: None) -> None:
    rows = [tuple(scalar for scalar, _ in SCALARS) for _ in range(100)]
    plain = [tuple(value for _, value in SCALARS) for _ in range(100)]
    assert serow.dumps(rows, wire=wire) == serow.dumps(plain, wire=wire)
    codec = serow.Codec.infer(plain)
    for row, other in zip(rows, plain, strict=True):
        assert codec.encode_one(row) == codec.encode_one(other)
    assert copied == []


@pytest.mark.tiers
@pytest.mark.parametrize("wire", ["frame", "row"])
def test_columns_of_scalars_are_read_by_compiled_code(wire: Any, direct: None) -> None:
    kinds: list[tuple[Any, Any]] = [
        (int, np.int64),
        (lambda at: -at, np.int8),
        (lambda at: at / 4, np.float32),
        (lambda at: at % 2 == 0, np.bool_),
        (lambda at: "x" * (at % 70), np.str_),
        (lambda at: b"y" * (at % 70), np.bytes_),
        (lambda at: NOON + timedelta(seconds=at), lambda value: np.datetime64(value, "us")),
        (lambda at: timedelta(seconds=at), lambda value: np.timedelta64(value, "us")),
        (lambda at: NOON.replace(tzinfo=timezone.utc, microsecond=at), pd.Timestamp),
    ]
    plain = [tuple(of(at) for of, _ in kinds) for at in range(100)]
    rows = [tuple(kind(v) for v, (_, kind) in zip(row, kinds, strict=True)) for row in plain]
    codec = serow.Codec.infer(plain, wire=wire)
    codec.compile()
    assert codec.encode(rows) == codec.encode(plain)
    pairs = enumerate(zip(rows, plain, strict=True))
    mixed = [(*row[: at % 9], *other[at % 9 :]) for at, (row, other) in pairs]
    assert codec.encode(mixed) == codec.encode(plain)
    # In a set, plain values may become equal.
    keyed = serow.Codec("({i64}, {str: [f64]})", wire=wire)
    keyed.compile()
    for value in ({np.int64(1), 2}, {1}):
        row = (value, {"a": [np.float64(0.5)]})
        assert keyed.decode(keyed.encode([row])) == [({int(v) for v in value}, {"a": [0.5]})]


def test_other_foreign_values_cost_the_rows_around_them(copied: list[Any]) -> None:
    rows: list[Any] = [[n] for n in range(10_000)]
    rows[9_000] = deque([5])
    assert serow.loads(serow.dumps(rows)) == [*rows[:9_000], [5], *rows[9_001:]]
    assert 0 < len(copied) < 100
    copied.clear()
    many = [deque([n]) for n in range(10_000)]
    assert serow.loads(serow.dumps(many)) == [[n] for n in range(10_000)]
    assert len(copied) <= len(many) + 100


def test_values_that_become_equal_are_still_found(wire: Any, access: str) -> None:
    for row in (
        {pd.NaT, None},
        {np.datetime64("NaT", "s"), None},
        frozenset([(pd.NaT,), (None,)]),
        {pd.NaT: 1, None: 2},
    ):
        with pytest.raises(serow.EncodeError, match=r"row 0"):
            serow.dumps([row], wire=wire)
    mixed = [{np.int64(1), 2}, {np.float64(0.5): np.int8(1), 3: np.float32(2)}, {3: np.int64(5)}]
    plain = [{1, 2}, {0.5: 1, 3: 2.0}, {3: 5}]
    assert serow.loads(serow.dumps(mixed, wire=wire)) == plain
    # After a set, scalars are read as before it.
    row = ({1, 2}, [np.int64(3)], {4: 5}, np.float32(0.5))
    assert serow.loads(serow.dumps([row] * 3, wire=wire)) == [({1, 2}, [3], {4: 5}, 0.5)] * 3


def test_what_python_lacks_is_refused_by_name(wire: Any, access: str) -> None:
    for value, advice in [
        (np.datetime64(1, "ns"), "not a whole number of microseconds"),
        (np.datetime64("2024-01", "M"), "its unit is M"),
        (np.datetime64(1, "W"), "its unit is W"),
        (np.datetime64("10000-01-01"), "years from 1 to 9999"),
        (np.timedelta64(1, "Y"), "no fixed length"),
        (np.timedelta64(5), "it has no unit"),
        (pd.Timestamp("2024-01-01T00:00:00.000000001"), "nanoseconds"),
        (pd.Timestamp(np.datetime64("20000-01-01", "s")), "years from 1 to 9999"),
    ]:
        with pytest.raises(serow.EncodeError, match=rf"^row 1, field 0.*{advice}"):
            serow.dumps([(None,), (value,)], wire=wire)


def test_rows_that_must_be_exactly_the_same_have_none() -> None:
    batches = _native.Batches(Row)
    assert batches.write([(1, 2.5)] * 40) is not None
    for scalar, _ in SCALARS:
        assert batches.write([(1, scalar)] * 40) is None
        assert batches.write([(1, 2.5)] * 400 + [(1, scalar)]) is None
