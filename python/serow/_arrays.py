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


def elements(annotation: Any) -> tuple[str, str]:
    """Give the type of an array's elements as the text of a schema, and by NumPy's name.

    An array without a type of elements has floats, as NumPy's own have by default. Raises a
    ValueError that says what to write if the elements have no type in a schema.
    """
    numpy = sys.modules["numpy"]
    if annotation is numpy.ndarray:
        return "f64", "float64"
    shape, of_dtype = typing.get_args(annotation)
    sizes = typing.get_args(shape)
    if len(sizes) > 1 and sizes[-1] is not ...:
        raise ValueError(f"an array in a row has one dimension, and this one has {len(sizes)}")
    item = next(iter(typing.get_args(of_dtype)), None)
    if isinstance(item, type) and issubclass(item, numpy.generic):
        name = getattr(item, "__name__", "").rstrip("_")
        if name in _TIMES:
            return _TIMES[name]
        text = _TEXTS.get(name)
        if text is not None:
            return text, name
    raise ValueError(
        f"an array of {getattr(item, '__name__', item)} has no type in a schema; write "
        "numpy.typing.NDArray[numpy.float64], or another type of bools, ints, floats or times"
    )


#: The types of elements, by NumPy's name. serow has no ints above those of int64 in an array.
_TEXTS = {
    "bool": "bool",
    **dict.fromkeys(["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32"], "i64"),
    **dict.fromkeys(["float32", "float64"], "f64"),
}

#: An annotation does not say the unit of times.
_TIMES = {
    "datetime64": ("timestamp", "datetime64[us]"),
    "timedelta64": ("duration", "timedelta64[us]"),
}
