"""Rows with more types than Part's: dates and decimals, dicts and lists, in both languages.

    lineitem   TPC-H's sixteen columns, with money as `Decimal` and days as `date`
    readings   nested rows: a dict, a list of floats, an optional, a date and a decimal
    dicts      Part's nine fields as a dict, like rows of JSON or of a database driver
    amounts    five of lineitem's fields as numbers and a bool
    versions   seven of Part's fields as a class, some messages written by an earlier version of it

`java/bench` reads the same tables and has the same rows.
"""

from datetime import date
from decimal import Decimal
from typing import Any, TypedDict

from suite.workload import Workload

LEAST, MOST = -(1 << 63), (1 << 63) - 1
NULL = "\\N"
"""The text of None in a table."""


class Sensor(TypedDict):
    """The sensor of a reading."""

    name: str
    room: int
    indoors: bool


class PartFields(TypedDict):
    """A row of Part."""

    partkey: int
    name: str
    mfgr: str
    brand: str
    type: str
    size: int
    container: str
    retailprice: float
    comment: str


def _lineitem(line: str) -> tuple[Any, ...]:
    fields = line.split("|")
    shipdate, commitdate, receiptdate = map(date.fromisoformat, fields[10:13])
    return (
        *map(int, fields[:4]),
        # A decimal(15, 2), as all money is. The text omits trailing zeros.
        Decimal(f"{fields[4]}.00"),
        *map(Decimal, fields[5:8]),
        *fields[8:10],
        shipdate,
        commitdate,
        receiptdate,
        *fields[13:16],
    )


def _reading(line: str) -> tuple[Any, ...]:
    key, name, room, indoors, samples, mean, note, day, cost = line.rstrip("\n").split("|")
    sensor = {"name": name, "room": int(room), "indoors": indoors == "1"}
    return (
        int(key),
        sensor,
        [float(sample) for sample in samples.split(";") if sample],
        float(mean),
        None if note == NULL else note,
        date.fromisoformat(day),
        Decimal(cost),
    )


def _amount(line: str) -> tuple[int, int, int, float, bool]:
    fields = line.split("|")
    return int(fields[0]), int(fields[1]), int(fields[3]), float(fields[5]), fields[8] == "R"


def _dict(line: str) -> PartFields:
    key, name, mfgr, brand, kind, size, container, price, comment, _ = line.split("|")
    return {
        "partkey": int(key),
        "name": name,
        "mfgr": mfgr,
        "brand": brand,
        "type": kind,
        "size": int(size),
        "container": container,
        "retailprice": float(price),
        "comment": comment,
    }


def _shared(line: str) -> tuple[Any, ...]:
    """Returns the fields that both versions of the class have, in the order of the current one."""
    key, name, _, brand, kind, size, _, price, comment, _ = line.split("|")
    return comment, float(price), int(key), name, brand, kind, int(size)


LINEITEM = Workload(
    "lineitem",
    "(i64, i64, i64, i64, decimal, decimal, decimal, decimal, str, str, date, date, date, "
    "str, str, str)",
    tuple[(int,) * 4 + (Decimal,) * 4 + (str,) * 2 + (date,) * 3 + (str,) * 3],  # type: ignore[misc]
    [
        (
            *(LEAST, MOST, -1, 0),
            *map(Decimal, ("0", "0.00", "-12.50", "1E+2")),
            *("", "é"),
            *(date(1, 1, 1), date(9999, 12, 31), date(1970, 1, 1)),
            *("羚", "😀", "x" * 70_000),
        ),
        (
            *(1, 127, 128, 1 << 31),
            Decimal("123456789012345678901234567890.12"),
            *map(Decimal, ("-9223372036854775808", "0.0000001", "92233720368547758.08")),
            *("\0", "x" * 15),
            *(date(1969, 12, 31), date(2000, 2, 29), date(1996, 3, 13)),
            *("x" * 16, "ÿ", ""),
        ),
    ],
    parse=_lineitem,
)

READINGS = Workload(
    "readings",
    '(i64, {"name": str, "room": i64, "indoors": bool}, [f64], f64, str?, date, decimal)',
    tuple[int, Sensor, list[float], float, str | None, date, Decimal],
    [
        (
            LEAST,
            {"name": "", "room": MOST, "indoors": True},
            [],
            -0.0,
            None,
            date(1, 1, 1),
            Decimal("0.00"),
        ),
        (
            0,
            {"name": "羚😀" * 100, "room": -1, "indoors": False},
            [-0.0, 5e-324, 0.1, 1 / 3] * 300,
            float("inf"),
            "",
            date(9999, 12, 31),
            Decimal("-123456789012345678901234567890.12"),
        ),
    ],
    parse=_reading,
)

DICTS = Workload(
    "dicts",
    '{"partkey": i64, "name": str, "mfgr": str, "brand": str, "type": str, "size": i64, '
    '"container": str, "retailprice": f64, "comment": str}',
    PartFields,
    # JSON has no infinity, and pymongo has no plain integers beyond 32 bits.
    [
        _dict("0||é|羚|😀|-1|\0|-0.0||"),
        _dict(f"{2**31 - 1}|a||ÿ||{-(2**31)}||1e308|{'é' * 300}|"),
        _dict(f"127|{'x' * 15}|{'x' * 16}|||128|{'x' * 32}|5e-324|{'x' * 70_000}|"),
    ],
    parse=_dict,
)

AMOUNTS = Workload(
    "amounts",
    "(i64, i64, i64, f64, bool)",
    tuple[int, int, int, float, bool],
    [(LEAST, MOST, -(1 << 31), -0.0, True), (0, -1, (1 << 31) - 1, float("inf"), False)],
    parse=_amount,
)

VERSIONS = Workload(
    "versions",
    "(str, f64, i64, str, str, str, i64)",
    tuple[str, float, int, str, str, str, int],
    [
        ("x" * 70_000, -0.0, LEAST, "", "é", "羚", MOST),
        ("", float("inf"), 0, "\0", "😀", "x" * 16, -1),
    ],
    parse=_shared,
)

WIDER = (LINEITEM, READINGS, DICTS, AMOUNTS, VERSIONS)
