"""What Spark's types are to native code.

`UnsafeRows` is told in text of which types the rows are: the grammar is in
`crates/core/src/layout/unsafe_row/describe.rs`. This module makes the text of PySpark's types, or
says which of them is left to Spark.
"""

import json
from collections.abc import Callable
from typing import NamedTuple

from pyspark.sql import types
from pyspark.sql.types import ArrayType, DataType, DecimalType, MapType, StructType, UserDefinedType


class NotCarried(Exception):  # noqa: N818 (no error: Spark's own path is taken)
    """Rows of a type that is left to Spark; says which and where."""


class _Described(NamedTuple):
    #: The type as the value that Python gets.
    exact: str
    #: The type as Spark's internal value, of which `fromInternal` makes Python's.
    internal: str


class Description(NamedTuple):
    """What native code is told of a schema."""

    #: For rows as Python gets them. None if something in them is for `fromInternal` to make.
    exact: str | None
    #: For rows of Spark's internal values: tuples for structs, integers for what is of time.
    internal: str


#: By the names of PySpark's classes, as not every version has all of them. A subclass may mean
#: anything, so classes are compared and not asked what they are.
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
    """Describe rows of `schema`; raises NotCarried if there is a type in it that Spark alone reads.

    Binary values are `bytes` or `bytearray`, as Spark's configuration has it.
    """
    describing = _Describing(binary_as_bytes)
    exact, internal = describing.struct(schema, "")
    return Description(None if describing.converts else exact, internal)


def describe_given(schema: StructType) -> str:
    """Describe rows that Python gives; raises NotCarried as `describe` does."""
    if _has_map(schema):
        # Spark makes a map's order of what Java's `HashMap` has of the pickled dict.
        raise NotCarried("there are maps among the columns")
    describing = _Describing(lambda: True, is_given=True)
    exact = describing.struct(schema, "").exact
    if describing.converts:
        raise NotCarried("there are user-defined types among the columns")
    return exact


def _has_map(of: DataType) -> bool:
    if isinstance(of, StructType):
        return any(_has_map(field.dataType) for field in of.fields)
    return isinstance(of, MapType) or (isinstance(of, ArrayType) and _has_map(of.elementType))


class _Describing:
    def __init__(self, binary_as_bytes: Callable[[], bool], *, is_given: bool = False) -> None:
        self._binary_as_bytes = binary_as_bytes
        self._is_given = is_given
        #: Whether there is a type that only its own class can make values of.
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
            internal = self.type(of.sqlType(), path).internal
            return _Described(internal, internal)
        raise NotCarried(f"{_named(path)} is of type {of.simpleString()}")

    def nullable(self, of: DataType, is_nullable: bool, path: str) -> _Described:
        described = self.type(of, path)
        # Spark writes that a decimal is null where its schema says that none is.
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
    """Whether values of the type are keys of dicts in Python as in Spark."""
    return type(key) in _CLASSES or type(key) is DecimalType


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _named(path: str) -> str:
    return f"column {path!r}"
