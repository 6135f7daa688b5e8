"""Finds the names of classes, fields and members in schemas, and those that they had before.

`serow._annotations` asks for them when it describes a class. The encoder asks for them once for
each class whose instances it meets, and only if the program declares any.
"""

import enum
import operator
import sys
import typing
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from serow import _classes, _generics
from serow._classes import QUALIFIERS, Field
from serow._constructors import tell
from serow._names import CLASS_NAME, FOUND, MEMBER_NAMES, Name

#: The key of a `Name` in the metadata of a field of a dataclass or of attrs.
METADATA_KEY = "serow"

#: The former names of a class, and of each of its fields or members.
Former = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]


class Declared(NamedTuple):
    """The names of a class and of its fields or members in schemas, and their former names."""

    name: str
    parts: list[str]
    former: Former


def of_fields(cls: Any, own: str | None, fields: Sequence[Field]) -> Declared:
    """Give the names of a class named `own` with these fields; a `TypedDict` has no name.

    It raises a ValueError if the names can't be in one schema.
    """
    said, each = of_class(cls), [of_field(field) for field in fields]
    attributes = [field.name for field in fields]
    for attribute, of in zip(attributes, each, strict=True):
        if own is None and of.value not in (None, attribute):
            raise ValueError(
                f"key {attribute} can't have the name {of.value}, because rows have the keys of "
                "the TypedDict; rename the key, and give its old name as was="
            )
    names = _names_of(each, attributes)
    _distinct("fields", attributes, names)
    # Aliases are for other formats first, so one that could mean two fields means none.
    taken = {*names, *(name for of in each for name in of.was)}
    count = Counter(alias for field in fields for alias in {*field.aliases} - taken)
    former = tuple(
        of.was + tuple(alias for alias in field.aliases if count[alias] == 1)
        for of, field in zip(each, fields, strict=True)
    )
    name = "" if own is None else own if said.value is None else said.value
    return Declared(name, names, (said.was, former))


def of_members(cls: Any, members: Sequence[str]) -> Declared:
    """Give the names of an enum with these members, of which some may be aliases.

    It raises a ValueError if two members have one name.
    """
    said, declared = of_class(cls), vars(cls).get(MEMBER_NAMES, {})
    each = [declared.get(member, Name()) for member in members]
    names = _names_of(each, members)
    _distinct("members", members, names)
    own = cls.__name__ if said.value is None else said.value
    return Declared(own, names, (said.was, tuple(of.was for of in each)))


def of_class(cls: Any) -> Name:
    """Give what a class declares of its own name."""
    said = vars(cls).get(CLASS_NAME) if isinstance(cls, type) else None
    if said is not None and not isinstance(said, Name):
        raise ValueError(f"its {CLASS_NAME} must be a serow.Name, not {said!r}")
    return said or Name()


def of_field(field: Field) -> Name:
    """Give what a field declares of its name, in its annotation or its metadata."""
    said = [one for one in _metadata(field.annotation) if isinstance(one, Name)]
    other = field.metadata.get(METADATA_KEY) if isinstance(field.metadata, Mapping) else None
    if other is not None:
        if not isinstance(other, Name):
            raise ValueError(
                f"the metadata {METADATA_KEY!r} of field {field.name} must be a serow.Name, not "
                f"{other!r}"
            )
        said.append(other)
    if len(said) > 1:
        raise ValueError(f"field {field.name} has two names, {said[0]!r} and {said[1]!r}")
    return said[0] if said else Name()


def _names_of(declared: Sequence[Name], parts: Sequence[str]) -> list[str]:
    each = zip(declared, parts, strict=True)
    return [part if of.value is None else of.value for of, part in each]


def without_name(annotation: Any) -> Any:
    """Give the annotation of a field without its name, and without markers around that."""
    if not any(isinstance(one, Name) for one in _metadata(annotation)):
        return annotation
    if typing.get_origin(annotation) is not typing.Annotated:
        return without_name(typing.get_args(annotation)[0])
    rest = tuple(one for one in annotation.__metadata__ if not isinstance(one, Name))
    inner = without_name(annotation.__origin__)
    return operator.getitem(typing.Annotated, (inner, *rest)) if rest else inner


def _metadata(annotation: Any) -> list[Any]:
    """Give the metadata of an `Annotated`, also inside markers such as `Required`."""
    found: list[Any] = []
    while (origin := typing.get_origin(annotation)) is not None:
        if origin is typing.Annotated:
            found += annotation.__metadata__
            annotation = annotation.__origin__
        elif _classes.name_of(origin) in QUALIFIERS:
            annotation = typing.get_args(annotation)[0]
        else:
            break
    return found


def _distinct(what: str, parts: Sequence[str], names: list[str]) -> None:
    known: dict[str, str] = {}
    for part, name in zip(parts, names, strict=True):
        other = known.setdefault(name, part)
        if other != part:
            raise ValueError(f"{what} {other} and {part} have the same name {name}")


def fields_set_converter(
    attributes: Sequence[str], declared: Declared
) -> Callable[[Any], Any] | None:
    """Give the conversion of the names of the fields that a model was given; None if there is none.

    Rows have the names of the attributes of their time.
    """
    attribute_of = {
        name: attribute
        for attribute, present, was in zip(
            attributes, declared.parts, declared.former[1], strict=True
        )
        for name in (present, *was)
        if name not in attributes
    }
    if not attribute_of:
        return None

    def convert(given: set[str] | None) -> set[str] | None:
        return None if given is None else {attribute_of.get(name, name) for name in given}

    return convert


def resolve(cls: type) -> bool:
    """Find the names of a class for the encoder. Tell whether it can have them now."""
    found: Any
    try:
        found = _found(cls)
    except ValueError as error:
        found = str(error)
    return tell(cls, FOUND, found)


def written(cls: type) -> tuple[str, dict[str, str]]:
    """Give the name of a record class in schemas, and those of fields with other ones than here."""
    if FOUND not in vars(cls):
        resolve(cls)
    found = vars(cls)[FOUND]
    if isinstance(found, str):
        # Encoding has stopped with this reason before.
        return cls.__name__, {}
    return cls.__name__ if found[0] is None else found[0], found[1]


def _found(cls: Any) -> tuple[str | None, dict[str, str]]:
    """Give the name that a class declares, and the names of its parts that are not Python's."""
    if isinstance(cls, enum.EnumMeta):
        parts = [*cls.__members__]
        declared = of_members(cls, parts)
    else:
        fields = _classes.of_class(cls, lambda fields: _hints(cls, fields)) or []
        parts = [field.name for field in fields]
        declared = of_fields(cls, cls.__name__, fields)
    differ = {part: name for part, name in zip(parts, declared.parts, strict=True) if part != name}
    return of_class(cls).value, differ


def _evaluated(cls: Any, field: str, annotation: str, error: Exception) -> Any:
    """Give what the text of an annotation says by itself; `object` if it certainly has no name."""
    module = vars(sys.modules[cls.__module__]) if cls.__module__ in sys.modules else {}
    try:
        return eval(annotation, {**module}, {**vars(cls), cls.__name__: cls})
    except MemoryError:
        raise
    except Exception:
        if "Name(" not in annotation:
            return object
        raise ValueError(
            f"the annotation of its field {field} can't be resolved: {error}; it may name the "
            "field, so define what it needs where the class is, and not for type checkers only; "
            f"then call serow.Schema.of({cls.__qualname__}) once"
        ) from error


def forget_failure(cls: Any) -> None:
    """Let the encoder ask for the names of a class again, if they could not be found before."""
    if isinstance(vars(cls).get(FOUND), str):
        type.__delattr__(cls, FOUND)


def _hints(cls: Any, fields: Sequence[Field]) -> Mapping[str, Any]:
    """Give the annotations of these fields, as far as their text can be resolved."""
    try:
        return _generics.hints(cls, ())
    except MemoryError:
        raise
    except Exception as error:
        # The names of the fields do not depend on what is missing, unless an annotation has them.
        return {
            field.name: _evaluated(cls, field.name, field.annotation, error)
            for field in fields
            if isinstance(field.annotation, str) and "(" in field.annotation
        }
