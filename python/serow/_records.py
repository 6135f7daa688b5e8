"""The classes of decoded records and enum members.

Names and values come from messages, so they are untrusted: serow uses names only as names. This
module is imported when a message contains the first record or enum.
"""

import enum
import sys
from collections import OrderedDict
from collections.abc import Iterable
from operator import itemgetter
from typing import Any, ClassVar, cast
from weakref import WeakValueDictionary

#: Number of unused classes to keep for later messages.
MOST_UNUSED = 256

_classes: "WeakValueDictionary[tuple[Any, ...], type]" = WeakValueDictionary()
_recent: "OrderedDict[tuple[Any, ...], type]" = OrderedDict()


def _kept(key: tuple[Any, ...], made: type) -> type:
    """Give the class for `key`: the existing one or else `made`; keep it for a while."""
    kept = _classes.setdefault(key, made)
    _recent[key] = kept
    _recent.move_to_end(key)
    while len(_recent) > MOST_UNUSED:
        _recent.popitem(last=False)
    return kept


class _OfDataclass:
    """An attribute of a record's class by which `dataclasses` knows it: the names of its fields.

    It is made when somebody asks for it. A class whose fields are not all attributes has none.
    """

    def __init__(self, name: str) -> None:
        """Stand for the attribute of this name."""
        self._name = name

    def __get__(self, record: Any, cls: "type[Record]") -> Any:
        """Give the attribute of a dataclass with the same fields."""
        made = vars(cls).get("_dataclass")
        if made is None:
            made = cls._dataclass = _dataclass_of(cls)
        return getattr(made, self._name)


def _dataclass_of(cls: "type[Record]") -> type:
    import dataclasses

    are_attributes = all(isinstance(vars(cls).get(field), property) for field in cls._fields)
    if not cls._fields or not are_attributes:
        return object
    fields = [(field, Any) for field in cls._fields]
    try:
        return dataclasses.make_dataclass("Record", fields, init=False, repr=False, eq=False)
    except (TypeError, ValueError):
        # A name that no attribute of Python's syntax has.
        return object


class Record(tuple):  # type: ignore[type-arg]
    """A record: a tuple whose items have names, as in `typing.NamedTuple`.

    Each field is also an attribute, unless its name is special in Python or taken by this class.
    `_asdict` and the index give all fields. `dataclasses.asdict` gives a dict in which the records
    inside are dicts too.
    """

    __slots__ = ()

    #: The dataclass with the same fields, or a class that is none.
    _dataclass: ClassVar[type]

    __dataclass_fields__ = _OfDataclass("__dataclass_fields__")
    __dataclass_params__ = _OfDataclass("__dataclass_params__")

    _record_name = ""
    _fields: tuple[str, ...] = ()
    _field_defaults: ClassVar[dict[str, Any]] = {}

    def __new__(cls, /, *values: Any, **named: Any) -> "Record":
        """Make a record of the values of its fields, in their order or by their names."""
        fields = cls._fields
        rest = fields[len(values) :]
        if len(values) > len(fields) or named.keys() != set(rest):
            raise TypeError(f"{cls._record_name} has the fields {', '.join(fields)}")
        return tuple.__new__(cls, (*values, *(named[field] for field in rest)))

    @classmethod
    def _make(cls, values: Iterable[Any]) -> "Record":
        """Make a record from one value for each field."""
        return cls(*values)

    def _asdict(self) -> dict[str, Any]:
        """Give a dict of the fields."""
        return dict(zip(self._fields, self, strict=True))

    def _replace(self, /, **named: Any) -> "Record":
        """Give a record with other values for some fields."""
        values = [named.pop(field, value) for field, value in zip(self._fields, self, strict=True)]
        if named:
            raise ValueError(f"{self._record_name} has no fields {', '.join(named)}")
        return type(self)(*values)

    def __repr__(self) -> str:
        """Show the name and all fields."""
        fields = (f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"{self._record_name}({', '.join(fields)})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle names and values, because pickle can't import the class."""
        return _record, (self._record_name, self._fields, tuple(self))

    def __copy__(self) -> "Record":
        """Give the record itself: it is immutable."""
        return self


def record_class(name: str, fields: tuple[str, ...]) -> type[Record]:
    """Give the class of records of this name with these fields."""
    key = ("record", name, fields)
    made = _classes.get(key)
    if made is None:
        body: dict[str, Any] = {"__slots__": (), "_record_name": name, "_fields": fields}
        body["__match_args__"] = fields
        for at, field in enumerate(fields):
            if field not in vars(Record) and not (field[:2] == field[-2:] == "__"):
                body[field] = property(itemgetter(at))
        # A record's name may contain a NUL, a class's name may not.
        made = type(name.replace("\0", "?"), (Record,), body)
    return _kept(key, made)


def _record(name: str, fields: tuple[str, ...], values: tuple[Any, ...]) -> Record:
    return record_class(name, fields)(*values)


class Member(enum.Enum):
    """A member of an enum. Its value is its name, unless it is an int or a str as well."""

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        """Pickle the names and values, because pickle can't import the class."""
        cls = type(self)
        is_plain = issubclass(cls, (int, str))
        values = tuple(member._value_ for member in cls.__members__.values()) if is_plain else None
        return _member, (cls.__name__, tuple(cls.__members__), values, self._name_)

    def __copy__(self) -> "Member":
        """Give the member itself: it is a singleton."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "Member":
        """Give the member itself: it is a singleton."""
        return self


class IntMember(int, Member):
    """A member of an enum that equals its value, an int, and is printed like it."""

    __str__ = int.__repr__
    __format__ = int.__format__  # type: ignore[assignment]


class StrMember(str, Member):
    """A member of an enum that equals its value, a str, and is printed like it."""

    __str__ = str.__str__
    __format__ = str.__format__  # type: ignore[assignment]


#: The values of the members of an enum, if the members are ints or strs as well.
Values = tuple[int, ...] | tuple[str, ...] | None


def _enum_class(name: str, members: tuple[str, ...], values: Values) -> type[Member]:
    key = ("enum", name, members, values)
    kept = _classes.get(key)
    return cast("type[Member]", _kept(key, kept or _made_enum(name, members, values)))


def _made_enum(name: str, members: tuple[str, ...], values: Values) -> type:
    for member in members:
        # Python's enum does not treat such names as members.
        is_special = member.startswith("__") or member[:1] == member[-1:] == "_"
        if member in ("", "mro") or is_special or hasattr(Member, member):
            raise ValueError(f"Python doesn't allow the member {member!r} of enum {name!r}")
    if "\0" in name:
        raise ValueError(f"Python doesn't allow the name {name!r} of an enum")
    make: Any = Member
    if values is not None:
        make = IntMember if isinstance(values[0], int) else StrMember
    pairs = list(zip(members, members if values is None else values, strict=True))
    try:
        if sys.version_info >= (3, 11):
            made: type[Member] = make(name, pairs)
        else:
            made = _with_members(make(name, []), pairs)
    except MemoryError:
        raise
    except Exception as error:
        raise ValueError(f"Python doesn't allow enum {name!r}: {error}") from error
    if made.__name__ != name or tuple(made.__members__) != members:
        raise ValueError(f"Python doesn't allow enum {name!r} with members {members!r}")
    return made


def _with_members(made: Any, pairs: list[tuple[str, Any]]) -> type[Member]:
    """Add the members to the class in linear time.

    Python 3.10's enum compares each member with all others, and a message may have very many.
    """
    new, is_plain = made._member_type_.__new__, issubclass(made, (int, str))
    for order, (name, value) in enumerate(pairs):
        member = made._value2member_map_.get(value)
        if member is None:
            member = new(made, value) if is_plain else new(made)
            member._name_, member._value_ = name, value
            member._sort_order_ = order
            member.__objclass__ = made
            made._member_names_.append(name)
            made._value2member_map_[value] = member
        if hasattr(made, name):
            # An attribute of int or str would hide the member.
            type.__setattr__(made, name, member)
        made._member_map_[name] = member
    kept: type[Member] = made
    return kept


def enum_members(name: str, members: tuple[str, ...], values: Values = None) -> list[Member]:
    """Give the members of the enum with this name, one for each name in the given order.

    Names of equal values give the same member.
    """
    return list(_enum_class(name, members, values).__members__.values())


def _member(name: str, members: tuple[str, ...], values: Values, member: str) -> Member:
    return _enum_class(name, members, values)[member]
