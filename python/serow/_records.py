"""The classes that records and members of enums are given back as.

They are made of names that come from a message, so a name is never more than a name here: whatever
it is, it only ever stands for a value. The module is imported when a message has the first of them.
"""

import enum
import sys
from collections import OrderedDict
from collections.abc import Iterable
from operator import itemgetter
from typing import Any, ClassVar, cast
from weakref import WeakValueDictionary

#: Classes that nothing uses any more are kept up to this number, for messages to come.
MOST_UNUSED = 256

_classes: "WeakValueDictionary[tuple[Any, ...], type]" = WeakValueDictionary()
_recent: "OrderedDict[tuple[Any, ...], type]" = OrderedDict()


def _kept(key: tuple[Any, ...], made: type) -> type:
    """Give the class for `key`, which is `made` if there is none, and keep it for a while."""
    kept = _classes.setdefault(key, made)
    _recent[key] = kept
    _recent.move_to_end(key)
    while len(_recent) > MOST_UNUSED:
        _recent.popitem(last=False)
    return kept


class Record(tuple):  # type: ignore[type-arg]
    """A record: a tuple whose items have names, as those of `typing.NamedTuple` have.

    A field is an attribute too, unless Python or this class has its name for something else;
    `_asdict` and the index have all.
    """

    __slots__ = ()

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
        """Make a record of as many values as it has fields."""
        return cls(*values)

    def _asdict(self) -> dict[str, Any]:
        """Give a dict of the fields."""
        return dict(zip(self._fields, self, strict=True))

    def _replace(self, /, **named: Any) -> "Record":
        """Give a record in which some fields have other values."""
        values = [named.pop(field, value) for field, value in zip(self._fields, self, strict=True)]
        if named:
            raise ValueError(f"{self._record_name} has no fields {', '.join(named)}")
        return type(self)(*values)

    def __repr__(self) -> str:
        """Show the name and all fields."""
        fields = (f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"{self._record_name}({', '.join(fields)})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Be pickled by names and values, since the class is found nowhere."""
        return _record, (self._record_name, self._fields, tuple(self))

    def __copy__(self) -> "Record":
        """Give the record itself, since it can't change."""
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
        # A class can't have every name that a record can.
        made = type(name.replace("\0", "?"), (Record,), body)
    return _kept(key, made)


def _record(name: str, fields: tuple[str, ...], values: tuple[Any, ...]) -> Record:
    return record_class(name, fields)(*values)


class Member(enum.Enum):
    """A member of an enum. Its value is its name."""

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        """Be pickled by names, since the class is found nowhere."""
        return _member, (type(self).__name__, tuple(type(self).__members__), self._name_)

    def __copy__(self) -> "Member":
        """Give the member itself, of which there is only one."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "Member":
        """Give the member itself, of which there is only one."""
        return self


def _enum_class(name: str, members: tuple[str, ...]) -> type[Member]:
    key = ("enum", name, members)
    kept = _classes.get(key)
    return cast("type[Member]", _kept(key, kept or _made_enum(name, members)))


def _made_enum(name: str, members: tuple[str, ...]) -> type:
    for member in members:
        # What begins or ends so, enum takes for something else than a member.
        is_special = member.startswith("__") or member[:1] == member[-1:] == "_"
        if member in ("", "mro") or is_special or hasattr(Member, member):
            raise ValueError(
                f"an enum in Python can't have the member {member!r} that enum {name!r} has"
            )
    if "\0" in name:
        raise ValueError(f"a class in Python can't have the name {name!r} that an enum has")
    make: Any = Member
    try:
        if sys.version_info >= (3, 11):
            made: type[Member] = make(name, [(member, member) for member in members])
        else:
            made = _with_members(make(name, []), members)
    except Exception as error:
        raise ValueError(f"Python can't have enum {name!r}: {error}") from error
    if made.__name__ != name or tuple(made.__members__) != members:
        raise ValueError(f"Python can't have enum {name!r} with members {members!r}")
    return made


def _with_members(made: Any, members: tuple[str, ...]) -> type[Member]:
    """Give the class its members as enum itself does, without comparing each of them to all others.

    Until Python 3.10 it does that, and a message may have very many members.
    """
    for order, name in enumerate(members):
        member = object.__new__(made)
        member._name_ = member._value_ = name
        member._sort_order_ = order
        member.__objclass__ = made
        made._member_names_.append(name)
        made._member_map_[name] = made._value2member_map_[name] = member
    kept: type[Member] = made
    return kept


def enum_members(name: str, members: tuple[str, ...]) -> list[Member]:
    """Give the members of the enum of this name, in this order."""
    return list(_enum_class(name, members))


def _member(name: str, members: tuple[str, ...], member: str) -> Member:
    return _enum_class(name, members)[member]
