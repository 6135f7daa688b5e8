"""Random values of Spark's types, as arguments of `createDataFrame`."""

import random
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from pyspark.sql import types
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
    StructField,
    StructType,
    TimestampNTZType,
    TimestampType,
)

_BITS = {ByteType: 8, ShortType: 16, IntegerType: 32, LongType: 64}

#: Spark has it since 4.1.
TIMES: list[type[DataType]] = [types.TimeType] if hasattr(types, "TimeType") else []

ATOMS: list[DataType] = [
    BooleanType(),
    ByteType(),
    ShortType(),
    IntegerType(),
    LongType(),
    FloatType(),
    DoubleType(),
    StringType(),
    BinaryType(),
    DateType(),
    TimestampType(),
    TimestampNTZType(),
    DayTimeIntervalType(),
    *(of() for of in TIMES),
    NullType(),
    DecimalType(9, 2),
    DecimalType(10, 10),
    DecimalType(18, 0),
    DecimalType(18, 9),
    DecimalType(19, 7),
    DecimalType(38, 0),
    DecimalType(38, 18),
    DecimalType(38, 38),
]

KEYS = [of for of in ATOMS if not isinstance(of, BinaryType | NullType)]


def value(of: DataType, rng: random.Random) -> Any:
    """Give a value that is not null, if the type has one."""
    if type(of) in _BITS:
        half = 1 << _BITS[type(of)] - 1
        return rng.choice([0, 1, -1, half - 1, -half, rng.randrange(-half, half)])
    match of:
        case BooleanType():
            return rng.random() < 0.5
        case FloatType() | DoubleType():
            return rng.choice(
                [0.0, -0.0, 0.5, -1.25, float("inf"), float("-inf"), float("nan"), 1e30, 3.0]
            )
        case StringType():
            return "".join(rng.choices("abc \0é€ÿ\u0800\ufffd😀", k=rng.choice([0, 1, 3, 8, 40])))
        case BinaryType():
            return bytearray(rng.randbytes(rng.choice([0, 1, 7, 8, 9, 100])))
        case DateType():
            return date.fromordinal(rng.randrange(1, date.max.toordinal() + 1))
        case TimestampType():
            # Every hour of these years, including the end of summer time.
            hours = rng.choice([rng.randrange(24 * 365 * 50), 7_441, 24 * 297 + 1, 24 * 297 + 2])
            return datetime(1978, 1, 1) + timedelta(
                hours=hours, microseconds=rng.choice([0, 1, 999_999])
            )
        case TimestampNTZType():
            days = rng.randrange(date.max.toordinal())
            return datetime.min + timedelta(days, microseconds=rng.randrange(86_400_000_000))
        case DayTimeIntervalType():
            return timedelta(
                microseconds=rng.choice([0, -1, 86_400_000_000, rng.randrange(-(2**60), 2**60)])
            )
        case _ if type(of) in TIMES:
            return time(
                rng.randrange(24), rng.randrange(60), rng.randrange(60), rng.randrange(1_000_000)
            )
        case DecimalType():
            digits = rng.choice([0, 1, 2, of.precision - 1, of.precision])
            unscaled = rng.choice([1, -1]) * rng.randrange(10**digits)
            return Decimal(f"{unscaled}E-{of.scale}")
        case ArrayType():
            length = rng.choice([0, 1, 3, 65])
            return [maybe(of.elementType, of.containsNull, rng) for _ in range(length)]
        case MapType():
            keys = [value(of.keyType, rng) for _ in range(rng.choice([0, 1, 3, 12, 40]))]
            return {key: maybe(of.valueType, of.valueContainsNull, rng) for key in keys}
        case StructType():
            return tuple(maybe(field.dataType, field.nullable, rng) for field in of.fields)
    return None


def maybe(of: DataType, is_nullable: bool, rng: random.Random) -> Any:
    """Give a value, or sometimes null if that is allowed."""
    if is_nullable and rng.random() < 0.2:
        return None
    return value(of, rng)


def schema(*of: DataType) -> StructType:
    """Give columns of these types."""
    return StructType([StructField(f"c{i}", ty) for i, ty in enumerate(of)])


def declared(columns: str) -> StructType:
    """Give the columns of an SQL declaration; requires a context."""
    of = types._parse_datatype_string(columns)
    assert isinstance(of, StructType)
    return of


def rows(of: StructType, count: int, seed: int) -> list[Any]:
    """Give random rows of a schema; the same seed gives the same rows."""
    rng = random.Random(seed)
    return [value(of, rng) for _ in range(count)]


def any_type(rng: random.Random, depth: int) -> DataType:
    """Give a type whose containers nest at most `depth` levels."""
    kind = rng.randrange(6) if depth else 3
    if kind == 0:
        return ArrayType(any_type(rng, depth - 1), rng.random() < 0.5)
    if kind == 1:
        return MapType(rng.choice(KEYS), any_type(rng, depth - 1), rng.random() < 0.5)
    if kind == 2:
        names = rng.sample(["a", "b b", 'c"\\', "d.é", "😀", "count", "index"], rng.randrange(4))
        fields = [(name, any_type(rng, depth - 1), rng.random() < 0.7) for name in names]
        return StructType([StructField(name, ty, null) for name, ty, null in fields])
    return rng.choice(ATOMS)
