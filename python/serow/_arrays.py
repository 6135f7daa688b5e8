"""Annotations of NumPy's arrays.

serow does not import NumPy for them: if one occurs in a type, NumPy is loaded already.
"""

import sys
import typing
from typing import Any


def is_array(annotation: Any) -> bool:
    """Tell whether an annotation is of NumPy's arrays."""
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return False
    return annotation is numpy.ndarray or typing.get_origin(annotation) is numpy.ndarray


def types(annotation: Any) -> list[tuple[str, str]]:
    """Give the types of an array as texts of schemas.

    Each comes with NumPy's name for the type of the elements. An array
    with elements of any type has "any". Raises a ValueError that says what to write if the elements
    have no type in a schema.
    """
    numpy = sys.modules["numpy"]
    shape, of_dtype = typing.get_args(annotation) or (Any, Any)
    sizes = typing.get_args(shape)
    is_any = not sizes or sizes[-1] is ...
    is_line = len(sizes) == 1
    item = next(iter(typing.get_args(of_dtype)), Any)
    name = _name(item, numpy)
    if name in _TIMES:
        if not is_any and not is_line:
            raise ValueError(
                f"an array of {name} in a row has one dimension, and this one has {len(sizes)}"
            )
        text, dtype = _TIMES[name]
        return [(f"[{text}]", dtype)]
    if name == "any":
        # A list of numbers is one of the usual type.
        return [("[f64]", "float64"), ("ndarray", "any")]
    if name not in _ELEMENTS:
        raise ValueError(
            f"an array of {getattr(item, '__name__', item)} has no type in a schema; write "
            "numpy.typing.NDArray[numpy.float64], or another type of bools, ints, floats, complex "
            "numbers or times"
        )
    as_list = [(f"[{_LISTS[name]}]", name)] if name in _LISTS and (is_line or is_any) else []
    if is_line and name in _KEPT:
        return as_list
    return [*as_list, ("ndarray", name)]


def _name(item: Any, numpy: Any) -> str:
    """Give NumPy's name for a type of elements: "any" if it is not given."""
    if item is Any or isinstance(item, typing.TypeVar):
        return "any"
    if not (isinstance(item, type) and issubclass(item, numpy.generic)):
        return ""
    name = item.__name__.rstrip("_")
    if name in _TIMES:
        return name
    # A class such as numpy.floating has several types.
    is_one = item in numpy.sctypeDict.values()
    return str(numpy.dtype(item).name) if is_one else "any"


def as_type(array: Any, name: str) -> Any:
    """Give an array with elements of the type of this name, each of them equal to what it was.

    Raises a ValueError that names the first element that is no value of the type.
    """
    numpy = sys.modules["numpy"]
    with numpy.errstate(all="ignore"):
        made = array.astype(name)
        # Numbers of two types may be compared by rounding one of them, so they must come back, too.
        back = made.astype(array.dtype)
        same = ((made == array) & (back == array)) | ((back != back) & (array != array))
        if not same.all():
            value = array[~same][0]
            raise ValueError(f"an element of an array is {value}, which does not fit {name}")
    return made


#: The elements of a list that an array of this type can be made of.
_LISTS = {
    "bool": "bool",
    **dict.fromkeys(["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32"], "i64"),
    **dict.fromkeys(["float32", "float64"], "f64"),
}

#: The types of elements that an array in a row may have, by NumPy's names.
_ELEMENTS = frozenset([*_LISTS, "uint64", "float16", "complex64", "complex128"])

#: The types whose arrays of one dimension are lists in every message.
_KEPT = frozenset(["bool", "int64", "float64"])

#: An annotation does not say the unit of times.
_TIMES = {
    "datetime64": ("timestamp", "datetime64[us]"),
    "timedelta64": ("duration", "timedelta64[us]"),
}
