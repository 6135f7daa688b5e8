"""Describes Spark's types to native code.

`UnsafeRows` takes the types of rows as text. `crates/core/src/layout/unsafe_row/describe.rs` has
the grammar. This module translates PySpark's types to this text, or tells which type is left to
Spark.
"""

import functools
import json
from collections.abc import Callable
from typing import NamedTuple

from pyspark.sql import types
from pyspark.sql.types import (
    ArrayType,
    DataType,
    DecimalType,
    MapType,
    Row,
    StructType,
    UserDefinedType,
)

from serow._native import RowArrays, UnsafeRows

#: Descriptions whose converters are kept, with their compiled code, for the next rows.
MOST_KEPT = 64

#: The converter of Spark's own row format, of a description and the class of rows.
unsafe_rows = functools.lru_cache(MOST_KEPT)(UnsafeRows)


@functools.lru_cache(MOST_KEPT)
def row_arrays(description: str) -> RowArrays:
    """Give the converter of Arrow's arrays and rows of this description."""
    return RowArrays(description, Row)


class NotCarried(Exception):  # noqa: N818 (no error: serow takes Spark's own path)
    """The rows have a type that is left to Spark; the message tells which and where."""


class _Described(NamedTuple):
    #: The type of the final Python value.
    exact: str
    #: The type of Spark's internal value, which `fromInternal` converts to the Python value.
    internal: str


class Description(NamedTuple):
    """The description of a schema for native code."""

    #: For final Python values; None if some value needs `fromInternal`.
    exact: str | None
    #: For Spark's internal values: structs are tuples, dates and times are integers.
    internal: str


#: By the names of PySpark's classes, because not every version has all of them. A subclass may have
#: any meaning, so classes are compared exactly.
_PLAIN = {
    "NullType": _Described("void", "void"),
    "BooleanType": _Described("boolean", "boolean"),
    "ByteType": _Described("byte", "byte"),
    "ShortType": _Described("short", "short"),
    "IntegerType": _Described("int", "int"),
    "LongType": _Described("long", "long"),
    "FloatType": _Described("float", "float"),
    "DoubleType": _Described("double", "double"),
    "StringType": _Described("string", "string"),
    "DateType": _Described("date", "int"),
    "TimestampType": _Described("timestamp", "long"),
    "TimestampNTZType": _Described("timestamp_ntz", "long"),
    "DayTimeIntervalType": _Described("interval", "long"),
    "TimeType": _Described("time", "long"),
}

_CLASSES = {
    getattr(types, name): described for name, described in _PLAIN.items() if hasattr(types, name)
}


def describe(schema: StructType, binary_as_bytes: Callable[[], bool]) -> Description:
    """Describe rows of `schema`; raises NotCarried for a type that only Spark reads.

    `binary_as_bytes` tells whether Spark's configuration makes binary values `bytes` or
    `bytearray`.
    """
    describing = _Describing(binary_as_bytes)
    exact, internal = describing.struct(schema, "")
    return Description(None if describing.converts else exact, internal)


def describe_given(schema: StructType) -> str:
    """Describe rows from Python; raises NotCarried as `describe` does."""
    if _has_map(schema):
        # The order of a map in Spark comes from the Java `HashMap` of the unpickled dict.
        raise NotCarried("some columns contain maps")
    return describe_given_arrays(schema, is_nullable=False)


def describe_arrays(of: DataType, is_nullable: bool, binary_as_bytes: bool = True) -> str:
    """Describe values that come as Arrow; raises NotCarried as `describe` does.

    Values of user-defined types are described as those of the types in which they are stored.
    """
    return _Describing(lambda: binary_as_bytes).nullable(of, is_nullable, "").exact


def describe_given_arrays(of: DataType, is_nullable: bool) -> str:
    """Describe values from Python that become Arrow; raises NotCarried as `describe` does."""
    describing = _Describing(lambda: True, is_given=True)
    exact = describing.nullable(of, is_nullable, "").exact
    if describing.converts:
        raise NotCarried("some columns have user-defined types")
    return exact


def _has_map(of: DataType) -> bool:
    if isinstance(of, StructType):
        return any(_has_map(field.dataType) for field in of.fields)
    return isinstance(of, MapType) or (isinstance(of, ArrayType) and _has_map(of.elementType))


class _Describing:
    def __init__(self, binary_as_bytes: Callable[[], bool], *, is_given: bool = False) -> None:
        self._binary_as_bytes = binary_as_bytes
        self._is_given = is_given
        #: Whether some type needs its own class to make values.
        self.converts = False

    def type(self, of: DataType, path: str) -> _Described:
        cls = type(of)
        if (plain := _CLASSES.get(cls)) is not None:
            return plain
        if cls is types.BinaryType:
            text = "binary" if self._binary_as_bytes() else "bytearray"
            return _Described(text, text)
        if cls is DecimalType:
            text = f"decimal({of.precision},{of.scale})"
            return _Described(text, text)
        if isinstance(of, StructType) and cls is StructType:
            return self.struct(of, path)
        if isinstance(of, ArrayType) and cls is ArrayType:
            element = self.nullable(of.elementType, of.containsNull, f"{path}[]")
            return _Described(*(f"array<{text}>" for text in element))
        if isinstance(of, MapType) and cls is MapType:
            return self.map(of, path)
        if isinstance(of, UserDefinedType):
            self.converts = True
            return self.type(of.sqlType(), path)
        raise NotCarried(f"{_named(path)} is of type {of.simpleString()}")

    def nullable(self, of: DataType, is_nullable: bool, path: str) -> _Described:
        described = self.type(of, path)
        # Spark writes null for a decimal that overflows, even if its schema allows no null.
        is_decimal = described.internal.startswith("decimal")
        may_be_null = is_nullable or (is_decimal and not self._is_given)
        if not may_be_null:
            return described
        return _Described(*(f"{text}?" for text in described))

    def struct(self, of: StructType, path: str) -> _Described:
        fields = [
            (
                json.dumps(field.name),
                self.nullable(field.dataType, field.nullable, _join(path, field.name)),
            )
            for field in of.fields
        ]
        exact = ",".join(f"{name}:{field.exact}" for name, field in fields)
        internal = ",".join(f"{name}:{field.internal}" for name, field in fields)
        return _Described(f"struct{{{exact}}}", f"struct{{{internal}}}")

    def map(self, of: MapType, path: str) -> _Described:
        if not _has_hash(of.keyType):
            raise NotCarried(f"{_named(path)} has keys of type {of.keyType.simpleString()}")
        key = self.nullable(of.keyType, is_nullable=False, path=f"{path}{{key}}")
        value = self.nullable(of.valueType, of.valueContainsNull, f"{path}{{}}")
        return _Described(*(f"map<{k},{v}>" for k, v in zip(key, value, strict=True)))


def _has_hash(key: DataType) -> bool:
    """Tell whether keys of the type equal each other in Python as they do in Spark."""
    return type(key) in _CLASSES or type(key) is DecimalType


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _named(path: str) -> str:
    return f"column {path!r}"
