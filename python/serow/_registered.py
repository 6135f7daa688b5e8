"""Conversions that the caller registers for classes that serow does not know."""

import sys
from collections.abc import Callable
from enum import Enum
from typing import Any

from serow._native import DecodeError, outdate, registered_classes


class Registered:
    """How to convert instances of a class."""

    __slots__ = ("from_", "to", "type")

    def __init__(
        self, to: Callable[[Any], Any], from_: Callable[[Any], Any] | None, type: Any
    ) -> None:
        """Take the functions, and the annotation of what `to` gives; None if it is unknown."""
        self.to = to
        self.from_ = from_
        self.type = type


#: By class. Only this process knows them: no message names a class.
CLASSES: dict[type, Registered] = registered_classes()


def register(
    cls: type,
    *,
    to: Callable[[Any], Any],
    from_: Callable[[Any], Any] | None = None,
    type: Any = None,
) -> None:
    """Encode instances of a class as other values, in this process.

    `to` takes an instance of exactly this class and gives the value to encode: any value that rows
    can hold, except another instance of the class. Decoding gives that value, unless an annotation
    names the class: then `from_` makes an instance of it. `type` is the annotation of what `to`
    gives. It is only needed if `to` is not itself a plain class and has no annotation of what it
    returns.

    The class may also be one whose fields serow knows, such as a dataclass or a pydantic model.
    Then the conversion takes the place of the record.

        >>> import pathlib, serow
        >>> serow.register(pathlib.PurePosixPath, to=str, from_=pathlib.PurePosixPath)
        >>> data = serow.dumps([[pathlib.PurePosixPath("/tmp")]])
        >>> serow.loads(data)
        [['/tmp']]
        >>> serow.loads(data, type=list[pathlib.PurePosixPath])
        [[PurePosixPath('/tmp')]]

    Registering a class again replaces its functions. If `to` or `from_` raises an exception, the
    `EncodeError` or `DecodeError` names the row.

    It raises a `TypeError` if `cls` is not a class, or if it is a plain class such as `int` or an
    enum.
    """
    if not isinstance(cls, _type):
        raise TypeError(f"cls must be a class, not {cls!r}")
    for name, function in [("to", to), ("from_", from_)]:
        if not callable(function) and (function is not None or name == "to"):
            raise TypeError(f"{name} must be a function, not {function!r}")
    own = _own_type(cls)
    if own:
        raise TypeError(f"{cls.__qualname__} is {own}, which serow encodes as it is")
    outdate(cls)
    CLASSES[cls] = Registered(to, from_, type if type is not None else _result(cls, to))
    annotations = sys.modules.get("serow._annotations")
    if annotations is not None:
        annotations.cached_codec.cache_clear()


_type = type


def _own_type(cls: type) -> str | None:
    """Say what makes serow encode instances of the class without a conversion."""
    from serow import _containers
    from serow._annotations import SCALARS

    if cls in SCALARS or cls in _containers.PLAIN or cls is tuple:
        return "a plain class"
    return "an enum" if issubclass(cls, Enum) else None


def _result(cls: _type, to: Callable[[Any], Any]) -> Any:
    """Give the annotation of what a function returns for a class; None if it is unknown."""
    from typing import get_type_hints

    from serow import _generics
    from serow._annotations import SCALARS

    if isinstance(to, _type):
        return to if to in SCALARS else None
    try:
        result = get_type_hints(to, include_extras=True).get("return")
    except MemoryError:
        raise
    except Exception:
        # Its annotations name what can't be resolved. The caller may give `type`.
        return None
    # A method of a generic class names its type variables, which the class or a base may give.
    types = {of: one for given in _generics.of_bases(cls, ()).values() for of, one in given.items()}
    result = _generics.substituted(result, types)
    return None if _generics.is_variable(result) else result


def elements_converter(
    kind: type | None, converters: list[Callable[[Any], Any] | None]
) -> Callable[[Any], Any] | None:
    """Give the conversion of a container from those of its elements; None if they have none.

    A `kind` of None is a tuple with a converter for each field.
    """
    if not any(converters):
        return None
    each = [convert or _same for convert in converters]
    if kind is None:
        return lambda value: tuple(convert(item) for convert, item in zip(each, value, strict=True))
    if kind is dict:
        key, item = each
        return lambda value: _whole({key(k): item(v) for k, v in value.items()}, value)
    first = each[0]
    if kind in (set, frozenset):
        return lambda value: _whole(kind(map(first, value)), value)
    return lambda value: kind(map(first, value))


def values_converter(converters: dict[str, Callable[[Any], Any]]) -> Callable[[Any], Any] | None:
    """Give the conversion of a dict from those of the values of some keys."""
    if not converters:
        return None

    def convert(value: dict[str, Any]) -> dict[str, Any]:
        return {key: converters.get(key, _same)(item) for key, item in value.items()}

    return convert


def arms_converter(
    arms: list[tuple[_type | None, Callable[[Any], Any] | None]],
) -> Callable[[Any], Any] | None:
    """Give the conversion of a union from the classes and converters of its arms.

    A value has the class of its arm. Raises a ValueError if that does not tell which arm it is.
    """
    if not any(convert for _, convert in arms):
        return None
    converters: dict[_type, Callable[[Any], Any] | None] = {}
    for kind, convert in arms:
        if kind is None or converters.setdefault(kind, convert) is not convert:
            of = "an Annotated with a schema" if kind is None else f"a {kind.__qualname__}"
            raise ValueError(
                f"several types of the union are decoded from {of}, so serow can't tell which of "
                "them a value belongs to"
            )

    def convert_arm(value: Any) -> Any:
        kind = type(value)
        if kind not in converters and kind.__name__ == "ndarray":
            # A list that the reader wants as an array.
            kind = list
        convert = converters.get(kind)
        return value if convert is None else convert(value)

    return convert_arm


def _same(value: Any) -> Any:
    return value


def _whole(made: Any, value: Any) -> Any:
    if len(made) != len(value):
        raise ValueError("converted elements of a set, or keys of a dict, are equal")
    return made


def convert_rows(rows: list[Any], convert: Callable[[Any], Any], first: str) -> list[Any]:
    """Convert decoded rows in place. `first` begins the text of an error."""
    for index, row in enumerate(rows):
        try:
            rows[index] = convert(row)
        except MemoryError:
            raise
        except Exception as cause:
            raised = f"{_type(cause).__name__}: {cause}"
            error = DecodeError(
                f"{first.format(index)}: converting it to its class raises {raised}"
            )
            error.row = index
            error.path = None
            raise error from cause
    return rows
