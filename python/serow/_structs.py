"""What msgspec's Structs declare.

Only a program that has loaded msgspec has such classes, so this module never imports it.
"""

from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any

#: What msgspec's C code declares in the metaclass of all Structs, and in their common base.
DECLARED = "__struct_fields__"


def is_of_msgspec(base: Any) -> bool:
    """Tell whether a class is the metaclass of all Structs, or their common base."""
    return isinstance(vars(base).get(DECLARED), (MemberDescriptorType, GetSetDescriptorType))


def is_struct(cls: Any) -> bool:
    """Tell whether a class is a Struct."""
    return any(is_of_msgspec(base) for base in type(cls).__mro__)


def renamed(cls: Any) -> dict[str, str]:
    """Give the names by which msgspec reads and writes fields, where these are not the fields'."""
    names = zip(cls.__struct_fields__, cls.__struct_encode_fields__, strict=True)
    return {field: name for field, name in names if field != name}
