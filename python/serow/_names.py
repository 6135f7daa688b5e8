"""Declares the names of classes, fields and members in schemas, and those that they had before.

`serow._naming` finds what is declared here.
"""

import enum
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from serow._native import SchemaError, names_exist
from serow._values import Value

#: The attribute of a class that has its `Name`, and that of an enum with those of its members.
CLASS_NAME = "__serow_name__"
MEMBER_NAMES = "__serow_members__"

#: The attribute where the encoder finds the names of a class: its own, and those of its fields or
#: members that are not Python's. It is a text instead if they can't be found.
FOUND = "__serow_names__"

_Class = TypeVar("_Class", bound=type)


class Name(Value):
    """The name of a field in the schema, and the names that it had before.

    Its place is the annotation of the field:

        >>> import serow
        >>> from dataclasses import dataclass
        >>> from typing import Annotated
        >>> @dataclass
        ... class User:
        ...     id: int
        ...     username: Annotated[str, serow.Name("user", was=["login"])]
        >>> str(serow.Schema.of(User))
        'User{id: i64, user: str}'
        >>> serow.loads(serow.dumps([{"id": 1, "login": "ann"}]), type=User)
        [User(id=1, username='ann')]

    or the metadata of a field of a dataclass or of attrs: `field(metadata={"serow": Name(...)})`.

    Without `value` the name is the attribute's. `was` is one name or several. If rows have several
    of the names, a reader takes the present one, or else the first of `was`. `serow.name` is for
    classes, enums and their members.
    """

    __match_args__ = ("value", "was")
    value: str | None
    was: tuple[str, ...]

    def __init__(self, value: str | None = None, *, was: str | Iterable[str] = ()) -> None:
        """Take the name in schemas, and the former names."""
        former = (was,) if isinstance(was, str) else tuple(was)
        for one in former if value is None else (value, *former):
            _check(one)
        self._set(value, former)
        names_exist()

    def __repr__(self) -> str:
        """Show the call that makes it."""
        shown = [] if self.value is None else [repr(self.value)]
        return f"Name({', '.join([*shown, *([f'was={[*self.was]}'] if self.was else [])])})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the names."""
        return _name, self._values()


def _name(value: str | None, was: tuple[str, ...]) -> Name:
    return Name(value, was=was)


def _check(name: Any) -> None:
    if not isinstance(name, str):
        raise TypeError(f"a name must be a str, not {name!r}")
    why = why_no_name(name)
    if why:
        raise SchemaError(why)


def why_no_name(text: str) -> str | None:
    """Say why a schema can't have this name, because no UTF-8 has it."""
    try:
        # Encoding alone takes characters that do not exist, which C code can put into a `str`.
        text.encode().decode()
    except UnicodeEncodeError:
        return f"the name {text!r} has a lone surrogate"
    except UnicodeDecodeError:
        return "a name has a character beyond U+10FFFF, the last that exists"
    return None


def name(
    value: str | None = None,
    *,
    was: str | Iterable[str] = (),
    members: Mapping[str, Name] | None = None,
) -> Callable[[_Class], _Class]:
    """Give a class the name that it has in schemas, and the names that it had before.

    `value` is the name in schemas; without it, that is the class's. `was` is a former name, or
    several. If the class is an enum, `members` has the names of members. The attribute
    `__serow_name__ = serow.Name("Address", was=["Addr"])` in a class does the same. Subclasses have
    names of their own.

    The decorator raises a `TypeError` if the class is no class or a `TypedDict`, or if it has no
    such members.

        >>> import enum, serow
        >>> from dataclasses import dataclass
        >>> @serow.name("Address", was=["Addr"])
        ... @dataclass
        ... class PostalAddress:
        ...     street: str
        >>> str(serow.Schema.of(PostalAddress))
        'Address{street: str}'
        >>> @serow.name(was="Colour", members={"CRIMSON": serow.Name(was="RED")})
        ... class Color(enum.Enum):
        ...     CRIMSON = 1
        ...     BLUE = 2
    """
    own = Name(value, was=was)

    def decorate(cls: _Class) -> _Class:
        if not isinstance(cls, type):
            raise TypeError(f"serow.name names a class, not {cls!r}")
        if hasattr(cls, "__required_keys__"):
            raise TypeError("a TypedDict is a dict, which has no name in a schema")
        if members is not None and not isinstance(cls, enum.EnumMeta):
            raise TypeError(f"members are for an enum, which {cls.__qualname__} is not")
        for member, said in (members or {}).items():
            if member not in cls.__members__:  # type: ignore[attr-defined]
                raise TypeError(f"enum {cls.__qualname__} has no member {member}")
            if not isinstance(said, Name):
                raise TypeError(f"the name of a member must be a serow.Name, not {said!r}")
        # A metaclass may have rules of its own for attributes, as that of enums has.
        type.__setattr__(cls, CLASS_NAME, own)
        if members is not None:
            type.__setattr__(cls, MEMBER_NAMES, dict(members))
        if FOUND in vars(cls):
            type.__delattr__(cls, FOUND)
        annotations = sys.modules.get("serow._annotations")
        if annotations is not None:
            annotations.cached_codec.cache_clear()
        return cls

    return decorate
