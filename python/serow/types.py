"""Types as values: what `Schema.type` gives, and what `Schema` makes a schema of.

They are immutable, hashable, equal if they are the same type, and made for `match`:

    >>> import serow
    >>> from serow.types import *
    >>> schema = serow.Schema.parse("Part{key: i64, tags: [str]?}")
    >>> schema.type
    Record('Part', [Field('key', I64()), Field('tags', Optional(List(Str())))])
    >>> match schema["tags"]:
    ...     case Optional(List(element)):
    ...         print("a list of", element, "or None")
    a list of str or None
    >>> serow.Schema(Record("Part", [*schema.fields, Field("price", F64())]))
    Schema.parse('Part{key: i64, tags: [str]?, price: f64}')

`str(type)` is the text form of a schema, see docs/types.md. A type that no rows can have, such as a
set of lists, can be made here; `Schema` refuses it. `Schema` also brings types to their one
canonical form: `Optional(Optional(I64()))` becomes `Optional(I64())`.
"""

import operator
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, TypeVar

from serow import _native
from serow._values import Value

_T = TypeVar("_T")

__all__ = [
    "F32",
    "F64",
    "I8",
    "I16",
    "I32",
    "I64",
    "U8",
    "U16",
    "U32",
    "U64",
    "Anything",
    "Bool",
    "ByteArray",
    "Bytes",
    "Complex",
    "Date",
    "Decimal",
    "Dict",
    "Duration",
    "Enum",
    "Field",
    "FixedList",
    "FrozenSet",
    "Int",
    "List",
    "Map",
    "NdArray",
    "Never",
    "Null",
    "Optional",
    "Record",
    "Same",
    "Set",
    "Str",
    "Time",
    "TimeTz",
    "Timestamp",
    "TimestampTz",
    "Tuple",
    "Type",
    "Union",
    "Uuid",
    "VariadicTuple",
]


class Type(Value):
    """The type of a row or of a value in it: the base of all others, without values of its own."""

    #: The text form, with places for the texts of the parts.
    _form: ClassVar[str]

    def _text(self) -> str:
        """Give a text form with all names in quotes, for `Schema.parse`."""
        if type(self) is Type:
            raise TypeError("Type is the base of all types; use one of them, such as I64()")
        return self._form.format(*(part._text() for part in self._values()))

    def __str__(self) -> str:
        """Give the text form, as `str(schema)` does; for a type that no rows can have, the repr."""
        try:
            return str(_native.Schema(self))
        except _native.SerowError:
            return repr(self)

    def __getitem__(self, key: int | str) -> "Type":
        """Give the type of a field by its name, or of a field or item by its position."""
        raise TypeError(f"{self} has no fields; records, dicts, tuples and fixed lists have")


def _schema(type: Type) -> "_native.Schema":
    """Make a schema, for `Schema(type)`."""
    if not isinstance(type, Type):
        hint = ""
        if isinstance(type, str):
            hint = "; use Schema.parse for text"
        elif isinstance(type, _native.Schema):
            hint = "; it is a Schema already"
        else:
            hint = "; use Schema.of for classes and annotations"
        raise TypeError(f"type must be a value of serow.types, not {_name_of(type)}{hint}")
    try:
        text = type._text()
    except RecursionError:
        raise _native.LimitError("types nest too deep for a schema") from None
    return _native.Schema.parse(text)


def _name_of(value: Any) -> str:
    return value.__name__ if isinstance(value, type) else type(value).__name__


def _type(value: Any, what: str) -> Type:
    if not isinstance(value, Type):
        hint = ""
        if isinstance(value, type) and issubclass(value, Type):
            hint = f"; call it: {value.__name__}()"
        raise TypeError(f"{what} must be a type of serow.types, not {_name_of(value)}{hint}")
    return value


def _types(values: Iterable[Type], what: str) -> tuple[Type, ...]:
    return tuple(_type(value, f"{what} {at}") for at, value in enumerate(values))


def _at(of: Type, parts: tuple[_T, ...], position: int) -> _T:
    try:
        return parts[operator.index(position)]
    except IndexError:
        raise IndexError(f"position {position}; {of} has {len(parts)}") from None


def _name(value: Any, what: str) -> str:
    if type(value) is not str:
        raise TypeError(f"{what} must be a str, not {_name_of(value)}")
    return value


def _quoted(name: str) -> str:
    """Quote a name as the text form of schemas does."""
    escaped = (
        f"\\{c}"
        if c in '"\\'
        else c
        if c.isprintable() or ord(c) >= 0x100
        else f"\\u{{{ord(c):x}}}"
        for c in name
    )
    return f'"{"".join(escaped)}"'


class _Scalar(Type):
    def _text(self) -> str:
        return type(self).__name__.lower()


class Never(_Scalar):
    """No value at all: the element of lists that were always empty."""


class Null(_Scalar):
    """Only None."""


class Bool(_Scalar):
    """A bool."""


class I64(_Scalar):
    """An int of 64 bits."""


class Int(_Scalar):
    """An int of any size."""


class I8(_Scalar):
    """An int of 8 bits."""


class I16(_Scalar):
    """An int of 16 bits."""


class I32(_Scalar):
    """An int of 32 bits."""


class U8(_Scalar):
    """An int of 8 bits without a sign."""


class U16(_Scalar):
    """An int of 16 bits without a sign."""


class U32(_Scalar):
    """An int of 32 bits without a sign."""


class U64(_Scalar):
    """An int of 64 bits without a sign."""


class F64(_Scalar):
    """A float."""


class F32(_Scalar):
    """A float that a float of 32 bits equals."""


class Complex(_Scalar):
    """A complex."""


class NdArray(_Scalar):
    """An array of numbers of any type, with any number of dimensions."""


class Decimal(_Scalar):
    """A `decimal.Decimal` of any precision and scale."""


class Str(_Scalar):
    """A str."""


class Bytes(_Scalar):
    """A bytes object."""


class ByteArray(_Scalar):
    """A bytearray."""


class Date(_Scalar):
    """A `datetime.date`."""


class Time(_Scalar):
    """A `datetime.time` without a time zone."""


class TimeTz(_Scalar):
    """A `datetime.time` with a time zone. Each value has its own zone."""


class Timestamp(_Scalar):
    """A `datetime.datetime` without a time zone."""


class TimestampTz(_Scalar):
    """A `datetime.datetime` with a time zone. Each value has its own zone."""


class Duration(_Scalar):
    """A `datetime.timedelta`."""


class Uuid(_Scalar):
    """A `uuid.UUID`."""


class Anything(_Scalar):
    """In a reader's schema: whatever type the rows have here."""

    def _text(self) -> str:
        return "any"


class Same(Type):
    """In a reader's schema: the type of the dict or record number `index`, which may contain this.

    The first dict with fixed keys or record in the text of the schema is number 0.
    """

    __match_args__ = ("index",)
    index: int

    def __init__(self, index: int) -> None:
        """Name a dict or record by its number."""
        self._set(operator.index(index))

    def _text(self) -> str:
        return f"^{self.index}"


class Optional(Type):
    """A value of `type`, or None."""

    _form = "{}?"
    __match_args__ = ("type",)
    type: Type

    def __init__(self, type: Type) -> None:
        """Allow None besides `type`."""
        self._set(_type(type, "the type of Optional"))


class Union(Type):
    """A value of one of several types, the arms, which a value's class distinguishes."""

    __match_args__ = ("arms",)
    arms: tuple[Type, ...]

    def __init__(self, arms: Iterable[Type]) -> None:
        """Allow values of each arm."""
        self._set(_types(arms, "arm"))

    def _text(self) -> str:
        return f"({'|'.join(arm._text() for arm in self.arms) or 'never'})"


class _OfElements(Type):
    __match_args__ = ("element",)
    element: Type

    def __init__(self, element: Type) -> None:
        """Make the type of containers of any length whose elements have one type."""
        self._set(_type(element, f"the element of {type(self).__name__}"))


class List(_OfElements):
    """A list of any length whose elements have one type."""

    _form = "[{}]"


class VariadicTuple(_OfElements):
    """A tuple of any length whose elements have one type."""

    _form = "({}, ...)"


class Set(_OfElements):
    """A set."""

    _form = "{{{}}}"


class FrozenSet(_OfElements):
    """A frozenset."""

    _form = "frozenset{{{}}}"


class _OfItems(Type):
    __match_args__ = ("items",)
    items: tuple[Type, ...]

    def __init__(self, items: Iterable[Type]) -> None:
        """Give the type of the item at each position."""
        self._set(_types(items, "item"))

    def __getitem__(self, key: int | str) -> Type:
        """Give the type of the item at a position."""
        if isinstance(key, str):
            raise KeyError(f"{self} has no names, only positions: {key!r}")
        return _at(self, self.items, key)

    def _text(self) -> str:
        return self._form.format("".join(f"{item._text()}, " for item in self.items))


class Tuple(_OfItems):
    """A tuple with a type for each position."""

    _form = "({})"


class FixedList(_OfItems):
    """A list with a type for each position, such as `[1, "a"]` in all rows."""

    _form = "[{}]"


class Map(Type):
    """A dict with any number of keys of one type and values of another."""

    _form = "{{{}: {}}}"
    __match_args__ = ("key", "value")
    key: Type
    value: Type

    def __init__(self, key: Type, value: Type) -> None:
        """Make the type of dicts from `key` to `value`."""
        self._set(_type(key, "the key of Map"), _type(value, "the value of Map"))


class Field(Value):
    """A field of a record or dict, or a position of a tuple or fixed list.

    `name` is a str, or the position in `Schema.fields` of a tuple. Only a field of a `Dict` may be
    missing, which differs from None.
    """

    __match_args__ = ("name", "type", "may_be_missing")
    name: str | int
    type: Type
    may_be_missing: bool

    def __init__(self, name: str | int, type: Type, may_be_missing: bool = False) -> None:
        """Name a type."""
        if not isinstance(name, int):
            _name(name, "the name of a field")
        self._set(name, _type(type, f"the type of field {name!r}"), bool(may_be_missing))

    def __str__(self) -> str:
        """Give the name and the text of the type."""
        return f"{self.name}{'?' if self.may_be_missing else ''}: {self.type}"


class _OfFields(Type):
    fields: tuple[Field, ...]

    def _checked(self, fields: Iterable[Field]) -> tuple[Field, ...]:
        checked = tuple(fields)
        for at, field in enumerate(checked):
            what = type(self).__name__
            if not isinstance(field, Field):
                raise TypeError(f"field {at} of {what} must be a Field, not {_name_of(field)}")
            _name(field.name, f"the name of field {at} of {what}")
        return checked

    def __getitem__(self, key: int | str) -> Type:
        """Give the type of a field by its name or its position."""
        if isinstance(key, str):
            for field in self.fields:
                if field.name == key:
                    return field.type
            names = ", ".join(repr(field.name) for field in self.fields)
            raise KeyError(f"{key!r}; the fields are {names or 'none'}")
        return _at(self, self.fields, key).type

    def __iter__(self) -> Iterator[Field]:
        """Iterate over the fields."""
        return iter(self.fields)

    def _text(self) -> str:
        fields = (
            f"{_quoted(str(field.name))}{'?' if field.may_be_missing else ''}: {field.type._text()}"
            for field in self.fields
        )
        return f"{{{', '.join(fields)}}}"


class Dict(_OfFields):
    """A dict with fixed keys, which are strings."""

    __match_args__ = ("fields",)

    def __init__(self, fields: Iterable[Field]) -> None:
        """Give the keys and their types."""
        self._set(self._checked(fields))


class Record(_OfFields):
    """A record: an instance of a class with fields."""

    __match_args__ = ("name", "fields")
    name: str

    def __init__(self, name: str, fields: Iterable[Field]) -> None:
        """Give the name of the class and its fields."""
        self._set(_name(name, "the name of a Record"), self._checked(fields))

    def _text(self) -> str:
        return _quoted(self.name) + super()._text()


class Enum(Type):
    """One of the members of an enum. If they are ints or strs as well, `values` has these."""

    __match_args__ = ("name", "members", "values")
    name: str
    members: tuple[str, ...]
    values: tuple[int, ...] | tuple[str, ...] | None

    def __init__(
        self,
        name: str,
        members: Iterable[str],
        values: Iterable[int] | Iterable[str] | None = None,
    ) -> None:
        """Give the names of the class and of its members."""
        if isinstance(members, str | Mapping):
            raise TypeError(f"members of an Enum must be several names, not {_name_of(members)}")
        names = tuple(_name(member, "a member of an Enum") for member in members)
        held: tuple[Any, ...] | None = None
        if values is not None:
            held = tuple(values)
            kinds = {type(value) for value in held}
            if len(held) != len(names) or len(kinds) > 1 or not kinds <= {int, str}:
                raise TypeError("values of an Enum must be ints or strs, one for each member")
        self._set(_name(name, "the name of an Enum"), names, held)

    def _text(self) -> str:
        values: Iterable[Any] = [None] * len(self.members) if self.values is None else self.values
        members = []
        for member, value in zip(self.members, values, strict=True):
            shown = "" if value is None else _quoted(value) if type(value) is str else str(value)
            members.append(_quoted(member) + (f" = {shown}" if value is not None else ""))
        return f"enum {_quoted(self.name)}{{{', '.join(members)}}}"


#: The types without parts, by their text.
_SCALARS: dict[str, Type] = {of()._text(): of() for of in _Scalar.__subclasses__()}


def _fields_of(type: Type) -> tuple[Field, ...]:
    """Give `Schema.fields`."""
    if isinstance(type, Optional):
        type = type.type
    if isinstance(type, Record | Dict):
        return type.fields
    if isinstance(type, _OfItems):
        return tuple(Field(at, item) for at, item in enumerate(type.items))
    return ()


def _item_of(type: Type, key: int | str) -> Type:
    """Give `Schema[key]`."""
    return (type.type if isinstance(type, Optional) else type)[key]
