"""Values of columns, of the usual class of the column's type and of others."""

from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from pyspark.sql import Row
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    ByteType,
    DataType,
    DateType,
    DayTimeIntervalType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    MapType,
    NullType,
    ShortType,
    StringType,
    StructType,
    TimestampNTZType,
    TimestampType,
    UserDefinedType,
)
from sql_values import TIMES

FLOATS = [0.5, None, float("nan"), -0.0, float("inf"), 1e300]
DECIMALS = [Decimal("1.50"), None, Decimal("-0.01"), Decimal("99999999.99"), Decimal("0.00")]
PAIR = StructType().add("a", LongType()).add("b", StringType())

AWARE = datetime(2024, 10, 27, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"))

#: Structs without fields, of which no column says how many there are.
EMPTY: list[tuple[DataType, list[Any]]] = [
    (StructType(), [(), None, ()]),
    (StructType().add("e", StructType()), [((),), None, (None,)]),
    (ArrayType(StructType()), [[(), None], None, [], [()]]),
    (MapType(StringType(), StructType()), [{"k": (), "l": None}, None, {}]),
]

#: Types and values of a column.
GIVEN: list[tuple[DataType, list[Any]]] = [
    (LongType(), [1, None, -(2**63), 2**63 - 1]),
    (IntegerType(), [1, None, -(2**31), 2**31 - 1]),
    (ShortType(), [1, None, -(2**15), 2**15 - 1]),
    (ByteType(), [1, None, -128, 127]),
    (DoubleType(), FLOATS),
    (FloatType(), [0.1, None, float("nan"), -0.0, 1e-46, 16777217.0, float("inf")]),
    (BooleanType(), [True, None, False]),
    (StringType(), ["", None, "é😀\0", "x" * 300]),
    (BinaryType(), [b"", None, b"\0\xff"]),
    (DateType(), [date.min, None, date.max]),
    (TimestampNTZType(), [datetime.min, None, datetime.max, datetime(2024, 10, 27, 2, 30)]),
    (TimestampType(), [AWARE, None, AWARE.replace(fold=1)]),
    (TimestampType(), [datetime(2024, 3, 31, 1, 59, tzinfo=timezone.utc), None]),
    (TimestampType(), [datetime(2024, 10, 27, 2, 30), None, datetime(1969, 1, 1, 0, 0, 0, 1)]),
    (ArrayType(TimestampType()), [[datetime(2024, 3, 31, 3)], None, [None, datetime(1, 1, 4)]]),
    (DayTimeIntervalType(), [timedelta(-1), None, timedelta(5, 6, 7)]),
    *((of(), [time(1, 2, 3, 4), None, time.max]) for of in TIMES),
    (DecimalType(10, 2), DECIMALS),
    (DecimalType(38, 18), DECIMALS),
    (DecimalType(38, 0), [Decimal(10**38 - 1), Decimal(-1), None]),
    (ArrayType(LongType()), [[1, None], None, [], [2]]),
    (ArrayType(IntegerType(), containsNull=False), [[1, 2], None, [], [3]]),
    (ArrayType(StringType()), [["x", None, ""], [], None]),
    (ArrayType(ArrayType(DoubleType())), [[[0.5], None, []], None, [], [[None]]]),
    (ArrayType(DateType()), [[], None]),
]


class Name(UserDefinedType):
    """A text in a struct."""

    @classmethod
    def sqlType(cls) -> DataType:  # noqa: N802
        return StructType().add("text", StringType())

    @classmethod
    def module(cls) -> str:
        return __name__

    def serialize(self, obj: Any) -> Any:
        return (obj[1:],)

    def deserialize(self, datum: Any) -> Any:
        return f"n{datum.text}"


class Text(str):
    """A text that says something else."""

    def __str__(self) -> str:
        return "other"


#: Types and values of other classes, or that a column cannot have.
OTHERS: list[tuple[DataType, list[Any]]] = [
    (LongType(), [True, 2]),
    (LongType(), [2**63]),
    (LongType(), ["1"]),
    (LongType(), [1.5]),
    (ByteType(), [128]),
    (IntegerType(), [2**31, None]),
    (DoubleType(), [1, 2.5]),
    (DoubleType(), [2**60 + 1]),
    (DoubleType(), ["x"]),
    (FloatType(), [1e300]),
    (BooleanType(), [1]),
    (StringType(), [1, True, None, 2.5, b"x"]),
    (StringType(), [Text("x")]),
    (StringType(), ["\ud800"]),
    (BinaryType(), [bytearray(b"x"), b"y"]),
    (BinaryType(), [memoryview(b"x")]),
    (BinaryType(), ["x"]),
    (DateType(), [datetime(2024, 1, 2, 3)]),
    (DateType(), ["2024-01-01"]),
    (TimestampType(), [datetime.min, None, datetime.max]),
    (TimestampType(), [datetime(2024, 10, 27, 2, 30, fold=1)]),
    (TimestampType(), [date(2024, 1, 1)]),
    (TimestampType(), [AWARE, datetime(2024, 1, 1)]),
    (TimestampNTZType(), [AWARE]),
    (TimestampNTZType(), [datetime(2024, 10, 27, 2, 30, fold=1)]),
    (DayTimeIntervalType(), [timedelta.max]),
    (DecimalType(10, 2), [Decimal("1.005"), Decimal("1.015"), None]),
    (DecimalType(10, 2), [Decimal("NaN"), Decimal("1.5"), Decimal("2")]),
    (DecimalType(10, 2), [Decimal("Infinity")]),
    (DecimalType(3, 2), [Decimal("10.00")]),
    (DecimalType(10, 2), [1]),
    (DecimalType(10, 2), [Decimal("1E5")]),
    (ArrayType(LongType()), [[True]]),
    (ArrayType(LongType()), [(1, 2)]),
    (ArrayType(LongType()), [[1], {2}]),
    (ArrayType(LongType(), containsNull=False), [[1, None]]),
    (ArrayType(StringType()), [[1, "x"], [Text("y")]]),
    (MapType(StringType(), LongType()), [{"x": 1}, None, {}]),
    (PAIR, [(1, "x"), {"a": 2}, None, Row(b=1, a="x")]),
    (PAIR, [(1, 2, 3)]),
    (NullType(), [None, None]),
    (NullType(), [1]),
    (Name(), ["nx", None]),
]
