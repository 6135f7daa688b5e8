"""Plain values of the standard library's other containers."""

import array
import builtins
from collections import ChainMap, UserDict, UserList, UserString, deque
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from serow._foreign.results import UNKNOWN, Conversion, Holds, NoPlainValue


def of_array(value: Any) -> Any:
    """Give the elements of an array of the module `array`."""
    if type(value) is array.array:
        return value.tolist()
    raise NoPlainValue(UNKNOWN)


def _of_memory(value: memoryview) -> bytes:
    if value.format in ("B", "b", "c"):
        return value.tobytes()
    raise NoPlainValue("its items are not bytes; use value.tolist(), or value.tobytes()")


def _of_text(value: UserString) -> Any:
    if type(value.data) is str:
        return value.data
    raise NoPlainValue("its data is no str; use str(value)")


def _of_mapping(value: Mapping[Any, Any]) -> Holds:
    return Holds(dict(value))


#: Python has this class since 3.15.
_FROZENDICT: type | None = getattr(builtins, "frozendict", None)

#: The conversions of classes themselves, not of their subclasses.
STANDARD: Mapping[type, Conversion] = {
    deque: lambda value: Holds(list(value)),
    range: list,
    memoryview: _of_memory,
    MappingProxyType: _of_mapping,
    ChainMap: _of_mapping,
    UserDict: _of_mapping,
    UserList: lambda value: Holds(list(value)),
    UserString: _of_text,
    **({} if _FROZENDICT is None else {_FROZENDICT: _of_mapping}),
}
