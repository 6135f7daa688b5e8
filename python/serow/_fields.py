"""Finds the fields that classes declare, with their annotations, keywords and defaults."""

import operator
import sys
import typing
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from serow import _naming, _structs
from serow._makers import BY_NAME, ByName
from serow._restoring import FIELDS_SET, Default

#: Type qualifiers that do not change the schema.
WRAPPERS = {"Required", "NotRequired", "ReadOnly", "Final"}

#: The annotations of a class and its bases, without the type variables they name.
Hints = dict[str, Any]


class Field(NamedTuple):
    """A field that a class declares."""

    name: str
    annotation: Any
    keyword: str | ByName | None
    has_default: bool = False
    #: The default, if it is known without calling the class.
    default: Default | None = None
    may_be_missing: bool = False


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


def of_class(cls: Any, hints: Callable[[], Hints]) -> list[Field] | None:
    """Give the fields of a record class, or None for other classes."""
    if hasattr(cls, "__dataclass_fields__"):
        return list(_of_dataclass(cls, hints()))
    if hasattr(cls, "__attrs_attrs__"):
        return list(_of_attrs(cls, hints()))
    if "__pydantic_core_schema__" in vars(cls):
        return list(_of_pydantic(cls))
    if _structs.is_struct(cls):
        return list(_of_msgspec(cls, hints()))
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        annotations, defaults = hints(), cls._field_defaults
        return [
            Field(name, annotations.get(name, Any), name, name in defaults) for name in cls._fields
        ]
    return None


def _of_dataclass(cls: Any, hints: Hints) -> Iterator[Field]:
    import dataclasses

    # pydantic's dataclasses follow pydantic's rules for keywords.
    of_pydantic = vars(cls).get("__pydantic_fields__", {})
    for field in cls.__dataclass_fields__.values():
        default = field.default is not dataclasses.MISSING
        has_default = default or field.default_factory is not dataclasses.MISSING
        kind = field._field_type
        if kind is dataclasses._FIELD:  # type: ignore[attr-defined]
            keyword: str | ByName | None = field.name if field.init else None
            described = of_pydantic.get(field.name)
            known: Default | None = None
            if field.default_factory is not dataclasses.MISSING:
                known = (True, field.default_factory)
            elif default:
                known = (False, field.default)
            if described is not None:
                has_default, known = not described.is_required(), _pydantic_default(described)
                if field.init:
                    config = cls.__pydantic_config__
                    keyword = _pydantic_keyword(field.name, described, config)
            # The class itself initializes fields that its constructor does not take.
            has_default = has_default or not field.init
            yield Field(field.name, hints[field.name], keyword, has_default, known)


def _of_attrs(cls: Any, hints: Hints) -> Iterator[Field]:
    nothing = sys.modules["attr"].NOTHING
    for field in cls.__attrs_attrs__:
        annotation = hints.get(field.name, field.type)
        if annotation is None and field.name not in hints:
            annotation = Any
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
        yield Field(field.name, annotation, keyword, has_default, default)


def _of_pydantic(cls: Any) -> Iterator[Field]:
    for name, field in cls.model_fields.items():
        keyword = _pydantic_keyword(name, field, cls.model_config)
        annotation = field.annotation
        if field.metadata:
            both = (annotation, *field.metadata)
            annotation = operator.getitem(typing.Annotated, both)
        default = _pydantic_default(field)
        yield Field(name, annotation, keyword, not field.is_required(), default)
    if any(not field.is_required() for field in cls.model_fields.values()):
        # None if all fields were given.
        yield Field(FIELDS_SET, set[str] | None, None, has_default=True)


def _of_msgspec(cls: Any, hints: Hints) -> Iterator[Field]:
    nothing, factory = sys.modules["msgspec"].NODEFAULT, sys.modules["msgspec._core"].Factory
    declared = cls.__struct_defaults__
    without = len(cls.__struct_fields__) - len(declared)
    each = zip(cls.__struct_fields__, (nothing,) * without + declared, strict=True)
    for name, value in each:
        is_made = isinstance(value, factory)
        known = (is_made, value.factory if is_made else value)
        has_default = value is not nothing
        yield Field(name, hints[name], name, has_default, known if has_default else None)


def required_init_var(cls: Any) -> str | None:
    """Give a parameter of a dataclass's `__init__` that is no field and has no default."""
    import dataclasses

    for field in getattr(cls, "__dataclass_fields__", {}).values():
        is_given = field.default is field.default_factory is dataclasses.MISSING
        if field._field_type is dataclasses._FIELD_INITVAR and is_given:  # type: ignore[attr-defined]
            return str(field.name)
    return None


def _pydantic_default(field: Any) -> Default | None:
    """Give the default of a field as pydantic describes it."""
    needs_the_class = getattr(field, "default_factory_takes_validated_data", False)
    if field.is_required() or field.validate_default or needs_the_class:
        return None
    return True, lambda: field.get_default(call_default_factory=True)


def _pydantic_keyword(name: str, field: Any, config: dict[str, Any]) -> str | ByName:
    """Give the keyword by which a model's constructor takes a field.

    A path into other values is none.
    """
    alias = field.validation_alias or field.alias
    if config.get("populate_by_name") or config.get("validate_by_name") or alias is None:
        return name
    return next(iter(_naming.validation_aliases(field)), BY_NAME)


def name_of(annotation: Any) -> str:
    """Give the name of what an annotation or its origin is."""
    return getattr(annotation, "__name__", None) or getattr(annotation, "_name", None) or ""


def _is_required(annotation: Any) -> bool | None:
    """Tell whether an annotation marks its key as required; None if it has no marker."""
    while (origin := typing.get_origin(annotation)) is not None:
        name = name_of(origin)
        if name in ("Required", "NotRequired"):
            return name == "Required"
        if origin is not typing.Annotated and name not in WRAPPERS:
            return None
        annotation = typing.get_args(annotation)[0]
    return None
