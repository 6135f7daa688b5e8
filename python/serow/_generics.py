"""Finds the types that the type variables of generic classes and aliases stand for."""

import inspect
import sys
import typing
from collections.abc import Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, Generic

#: The types of type variables. A `TypeVarTuple` stands for a tuple of types.
Types = Mapping[Any, Any]


def variables(generic: Any) -> tuple[Any, ...]:
    """Give the type variables of a generic class, an alias, or an annotation such as `list[T]`."""
    # Of an alias, `__parameters__` has the variables of `type X[T]` only in some versions.
    found = getattr(generic, "__type_params__", None) or getattr(generic, "__parameters__", ())
    return found if isinstance(found, tuple) else ()


def is_variable(annotation: Any) -> bool:
    """Tell whether an annotation is a type variable, of any library."""
    return type(annotation).__name__ in ("TypeVar", "TypeVarTuple", "ParamSpec")


def given(generic: Any, args: Sequence[Any]) -> Types:
    """Give the types of the variables of a class or alias: its arguments, or else their defaults.

    A variable with neither is not in the result.
    """
    rest, every = list(args), variables(generic)
    found: dict[Any, Any] = {}
    for at, variable in enumerate(every):
        if _is_tuple(variable):
            if args:
                own = max(len(rest) - len(every[at + 1 :]), 0)
                found[variable], rest = tuple(rest[:own]), rest[own:]
            continue
        default = variable.__default__ if _has_default(variable) else variable
        one = rest.pop(0) if rest else default
        if one is default:
            # A default may name the variables before it. Python gives it as an argument too.
            one = substituted(default, found)
        if one is not variable:
            found[variable] = one
    return found


def _has_default(variable: Any) -> bool:
    return hasattr(variable, "has_default") and bool(variable.has_default())


def hints(cls: type, args: Sequence[Any]) -> dict[str, Any]:
    """Give the annotations of a class and its bases, with types in the place of their variables.

    It raises what resolving the annotations raises.
    """
    types = of_bases(cls, args)
    named = {one.__name__: one for of in types for one in getattr(of, "__type_params__", ())}
    local = None
    if named:
        # Python 3.12 does not find these variables for an annotation that is a string.
        module = vars(sys.modules[cls.__module__]) if cls.__module__ in sys.modules else {}
        local = {**vars(cls), **module, **named}
    try:
        found = typing.get_type_hints(cls, localns=local, include_extras=True)
    except NameError:
        # A class inside a function may name itself, and `make_dataclass` names `typing.Any`.
        local = {"typing": typing, **(local or vars(cls)), cls.__name__: cls}
        found = typing.get_type_hints(cls, localns=local, include_extras=True)
    if any(types.values()):
        for name, owner in _owners(cls, found).items():
            found[name] = substituted(found[name], types.get(owner, {}))
    return found


def resolved(cls: type, annotation: Any) -> Any:
    """Give what an annotation that is a string means in a class; None if that is unknown.

    Before Python 3.11, `typing` leaves the string in `list["Tree"]` as it is.
    """
    module = vars(sys.modules[cls.__module__]) if cls.__module__ in sys.modules else {}
    holder = SimpleNamespace(__annotations__={"it": annotation})
    try:
        local = {**vars(cls), cls.__name__: cls}
        return typing.get_type_hints(holder, module, local, include_extras=True)["it"]
    except MemoryError:
        raise
    except Exception:
        return None


def of_bases(cls: type, args: Sequence[Any]) -> dict[type, Types]:
    """Give the types of the variables of a class and of all its bases, by class."""
    found: dict[type, Types] = {}

    def walk(of: type, args: Sequence[Any]) -> None:
        found[of] = given(of, args)
        for base in _bases(of):
            origin = typing.get_origin(base) or base
            if isinstance(origin, type) and origin is not Generic and not found.get(origin):
                walk(origin, [substituted(arg, found[of]) for arg in typing.get_args(base)])

    walk(cls, args)
    return found


def _owners(cls: type, names: Iterable[str]) -> dict[str, type]:
    """Give the class that annotates each of these names: a class itself or one of its bases."""
    annotations = {of: inspect.get_annotations(of) for of in [*_typed_dicts(cls), *cls.__mro__]}
    if not hasattr(cls, "__required_keys__"):
        every = {name: of for of in reversed(cls.__mro__) for name in annotations[of]}
        return {name: every[name] for name in names if name in every}
    # The annotations of a TypedDict contain those that it inherits.
    found = {}
    for name in names:
        of_cls = annotations[cls][name]
        nearest_last = [of for of in _typed_dicts(cls) if annotations[of].get(name) is of_cls]
        found[name] = nearest_last[-1]
    return found


def _typed_dicts(cls: type) -> list[type]:
    """Give a TypedDict and those that it extends, which its `__mro__` lacks."""
    found = [cls]
    for base in _bases(cls):
        origin = typing.get_origin(base) or base
        if hasattr(origin, "__required_keys__"):
            found += [of for of in _typed_dicts(origin) if of not in found]
    return found


def _bases(cls: type) -> tuple[Any, ...]:
    """Give the bases as they are written, with their arguments."""
    bases: tuple[Any, ...] = vars(cls).get("__orig_bases__", cls.__bases__)
    return bases


def substituted(annotation: Any, types: Types) -> Any:
    """Put types in the place of the variables in an annotation."""
    if is_variable(annotation):
        return types.get(annotation, annotation)
    # A class without arguments has variables, but they are not part of the annotation. Python 3.10
    # takes `list[T]` for a class too.
    is_class = isinstance(annotation, type) and typing.get_origin(annotation) is None
    every = () if is_class else getattr(annotation, "__parameters__", ())
    if not isinstance(every, tuple) or not any(variable in types for variable in every):
        return annotation
    args: list[Any] = []
    for variable in every:
        one = types.get(variable, variable)
        args.extend(one if isinstance(one, tuple) and _is_tuple(variable) else [one])
    return annotation[tuple(args)]


def _is_tuple(variable: Any) -> bool:
    return type(variable).__name__ == "TypeVarTuple"
