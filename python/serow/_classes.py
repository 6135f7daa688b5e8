"""Describes the classes that declare fields or members: which kinds there are, and what each says.

The libraries of these classes are never imported: if a class occurs, its library is loaded already.
"""

import enum
import functools
import operator
import sys
import typing
from collections.abc import Callable, Iterator, Mapping
from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any, NamedTuple

#: Type qualifiers that do not change the schema.
QUALIFIERS = {"Required", "NotRequired", "ReadOnly", "Final"}

#: The slot where pydantic stores the names of the fields that were given.
FIELDS_SET = "__pydantic_fields_set__"

#: What msgspec's C code declares in the metaclass of all Structs, and in their common base.
STRUCT_FIELDS = "__struct_fields__"

#: The annotations of a class and its bases, without the type variables they name.
Hints = Mapping[str, Any]

#: The value of a field that a row lacks, or what is called to make it.
Default = tuple[bool, Any]


class ByName(enum.Enum):
    """Stands for the keyword of a field of pydantic that no keyword of the constructor gives."""

    BY_NAME = enum.auto()


BY_NAME = ByName.BY_NAME


class Field(NamedTuple):
    """A field that a class declares."""

    name: str
    annotation: Any
    #: The keyword by which the constructor takes it; None if it takes it by none.
    keyword: str | ByName | None
    has_default: bool = False
    #: The default, if it is known without calling the class.
    default: Default | None = None
    #: Whether a dict may lack it.
    may_be_missing: bool = False
    #: What the program says of it to others, in a dataclass or with attrs.
    metadata: Any = None
    #: The names by which pydantic and msgspec read it from other formats.
    aliases: tuple[str, ...] = ()


def is_model(cls: Any) -> bool:
    """Tell whether pydantic has made a class: a model or a dataclass of pydantic."""
    return "__pydantic_core_schema__" in vars(cls)


def is_struct(cls: Any) -> bool:
    """Tell whether a class is a Struct of msgspec."""
    return any(is_base_of_structs(base) for base in type(cls).__mro__)


def is_base_of_structs(base: Any) -> bool:
    """Tell whether a class is the metaclass of all Structs, or their common base."""
    declared = vars(base).get(STRUCT_FIELDS)
    return isinstance(declared, (MemberDescriptorType, GetSetDescriptorType))


def of_typed_dict(cls: Any, hints: Hints) -> list[Field]:
    """Give the keys of a TypedDict."""
    fields = []
    for name, annotation in hints.items():
        # `__required_keys__` ignores markers in annotations that are strings.
        required = _is_required(annotation)
        if required is None:
            required = name in cls.__required_keys__
        fields.append(Field(name, annotation, None, may_be_missing=not required))
    return fields


def of_class(cls: Any, hints: Callable[[list[Field]], Hints]) -> list[Field] | None:
    """Give the fields of a record class, or None for other classes.

    `hints` gives the annotations, for fields that have them as the class body or its bases do.
    """
    if hasattr(cls, "__dataclass_fields__"):
        fields = list(_of_dataclass(cls))
    elif hasattr(cls, "__attrs_attrs__"):
        fields = list(_of_attrs(cls))
    elif is_model(cls):
        # pydantic has resolved the annotations.
        return list(_of_pydantic(cls))
    elif is_struct(cls):
        fields = list(_of_msgspec(cls))
    elif issubclass(cls, tuple) and hasattr(cls, "_fields"):
        defaults = getattr(cls, "_field_defaults", ())
        fields = [Field(name, Any, name, name in defaults) for name in cls._fields]
    else:
        return None
    found = hints(fields)
    return [of._replace(annotation=found.get(of.name, of.annotation)) for of in fields]


def _of_dataclass(cls: Any) -> Iterator[Field]:
    import dataclasses

    of_pydantic = vars(cls).get("__pydantic_fields__", {})
    for field in cls.__dataclass_fields__.values():
        if field._field_type is not dataclasses._FIELD:  # type: ignore[attr-defined]
            # A class variable, or a parameter that only `__init__` takes.
            continue
        default: Default | None = None
        if field.default_factory is not dataclasses.MISSING:
            default = (True, field.default_factory)
        elif field.default is not dataclasses.MISSING:
            default = (False, field.default)
        of = Field(field.name, field.type, field.name, default is not None, default)
        if field.name in of_pydantic:
            of = _by_pydantic(of, of_pydantic[field.name], cls.__pydantic_config__)
        if not field.init:
            # The class itself initializes fields that its constructor does not take.
            of = of._replace(keyword=None, has_default=True)
        yield of._replace(metadata=field.metadata)


def _of_attrs(cls: Any) -> Iterator[Field]:
    nothing = sys.modules["attr"].NOTHING
    for field in cls.__attrs_attrs__:
        annotation = Any if field.type is None else field.type
        keyword = (getattr(field, "alias", None) or field.name.lstrip("_")) if field.init else None
        has_default = field.default is not nothing or not field.init
        default: Default | None = None
        if isinstance(field.default, sys.modules["attr"].Factory):
            default = None if field.default.takes_self else (True, field.default.factory)
        elif field.default is not nothing:
            default = (False, field.default)
        if field.converter is not None:
            # The class converts defaults too.
            default = None
        yield Field(field.name, annotation, keyword, has_default, default, metadata=field.metadata)


def _of_pydantic(cls: Any) -> Iterator[Field]:
    for name, field in cls.model_fields.items():
        annotation = field.annotation
        if field.metadata:
            both = (annotation, *field.metadata)
            annotation = operator.getitem(typing.Annotated, both)
        yield _by_pydantic(Field(name, annotation, name), field, cls.model_config)
    if any(not field.is_required() for field in cls.model_fields.values()):
        # None if all fields were given.
        yield Field(FIELDS_SET, set[str] | None, None, has_default=True)


def _by_pydantic(of: Field, described: Any, config: dict[str, Any]) -> Field:
    """Add what pydantic says of a field: its keyword, its aliases and its default."""
    alias = described.validation_alias or described.alias
    # An alias may also be a path into other values, which is no name.
    choices = getattr(alias, "choices", [alias])
    aliases = tuple(choice for choice in choices if isinstance(choice, str))
    keyword: str | ByName = of.name
    if alias is not None and not (config.get("populate_by_name") or config.get("validate_by_name")):
        keyword = next(iter(aliases), BY_NAME)
    has_default, default = not described.is_required(), None
    needs_the_class = getattr(described, "default_factory_takes_validated_data", False)
    if has_default and not described.validate_default and not needs_the_class:
        default = (True, functools.partial(described.get_default, call_default_factory=True))
    return of._replace(keyword=keyword, has_default=has_default, default=default, aliases=aliases)


def _of_msgspec(cls: Any) -> Iterator[Field]:
    nothing, factory = sys.modules["msgspec"].NODEFAULT, sys.modules["msgspec._core"].Factory
    annotations = {
        name: annotation
        for base in reversed(cls.__mro__)
        for name, annotation in vars(base).get("__annotations__", {}).items()
    }
    declared = cls.__struct_defaults__
    without = len(cls.__struct_fields__) - len(declared)
    defaults = (nothing,) * without + declared
    each = zip(cls.__struct_fields__, cls.__struct_encode_fields__, defaults, strict=True)
    for name, encoded, value in each:
        is_made, has_default = isinstance(value, factory), value is not nothing
        known = (is_made, value.factory if is_made else value) if has_default else None
        aliases = () if encoded == name else (encoded,)
        yield Field(name, annotations.get(name), name, has_default, known, aliases=aliases)


def of_members(cls: Any, *, with_aliases: bool) -> tuple[list[str], list[Any]]:
    """Give the names of the members and, if members are ints or strs as well, what they are.

    Aliases come last, if they are asked for. Raises a ValueError if a value fits no schema, or if
    two members are equal.
    """
    every: dict[str, Any] = dict(cls.__members__)
    names = [name for name, member in every.items() if member.name == name]
    aliases = [name for name, member in every.items() if member.name != name]
    values: list[Any] = []
    if issubclass(cls, (int, str)):
        # What the members are, whatever their attribute `value` is.
        value = int.__index__ if issubclass(cls, int) else str.__str__
        values = [value(every[name]) for name in names]
        if len(set(values)) < len(values):
            raise ValueError(f"enum {cls.__qualname__} has members that are equal")
        large = [v for v in values if isinstance(v, int) and not -(2**63) <= v < 2**63]
        if large:
            what = f"the value {large[0]} of a member of enum {cls.__qualname__}"
            raise ValueError(f"{what} needs more than 64 bits")
        if with_aliases:
            values += [value(every[name]) for name in aliases]
    return names + aliases if with_aliases else names, values


def required_init_var(cls: Any) -> str | None:
    """Give a parameter of a dataclass's `__init__` that is no field and has no default."""
    import dataclasses

    for field in getattr(cls, "__dataclass_fields__", {}).values():
        is_given = field.default is field.default_factory is dataclasses.MISSING
        if field._field_type is dataclasses._FIELD_INITVAR and is_given:  # type: ignore[attr-defined]
            return str(field.name)
    return None


def name_of(annotation: Any) -> str:
    """Give the name of what an annotation or its origin is."""
    return getattr(annotation, "__name__", None) or getattr(annotation, "_name", None) or ""


def _is_required(annotation: Any) -> bool | None:
    """Tell whether an annotation marks its key as required; None if it has no marker."""
    while (origin := typing.get_origin(annotation)) is not None:
        name = name_of(origin)
        if name in ("Required", "NotRequired"):
            return name == "Required"
        if origin is not typing.Annotated and name not in QUALIFIERS:
            return None
        annotation = typing.get_args(annotation)[0]
    return None
