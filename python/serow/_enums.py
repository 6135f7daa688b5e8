"""The names and values of the members of an enum class."""

from typing import Any


def names_and_values(cls: Any, *, with_aliases: bool) -> tuple[list[str], list[Any]]:
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
