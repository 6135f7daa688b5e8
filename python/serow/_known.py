"""Conversions of classes of the standard library and of pydantic, as if they were registered.

A class is known by its name and module, and only if it is what the module has under that name. So
none of these modules is imported before a value or an annotation has such a class.
"""

import sys
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from serow._native import Schema
from serow._registered import CLASSES, Registered

_Makes = Callable[[Any], Registered]


def registered(cls: type) -> Registered | None:
    """Give the conversion of a class, the caller's first; None if there is none."""
    if cls in CLASSES:
        return CLASSES[cls]
    library = str(cls.__module__).partition(".")[0]
    make = _KNOWN.get(library, {}).get(cls.__name__)
    if make is not None and getattr(sys.modules.get(library), cls.__name__, None) is cls:
        return make(cls)
    return _of_text(cls) if _is_url(cls) else None


def secret_advice(cls: type) -> str | None:
    """Say how to write values that hide themselves, as pydantic's `SecretStr` does.

    None for other classes. serow does not write a secret in the clear unless it is told to.
    """
    if not hasattr(cls, "get_secret_value"):
        return None
    name = cls.__qualname__
    kind = {"SecretStr": "str", "SecretBytes": "bytes"}.get(name, "...")
    return (
        "serow writes a secret only if its class is registered, and then readable by all: "
        f"serow.register({name}, to={name}.get_secret_value, from_={name}, type={kind})"
    )


def _of_text(cls: Any) -> Registered:
    return Registered(str, cls, str)


def _of_pattern(cls: Any) -> Registered:
    import re

    return Registered(
        lambda pattern: (pattern.pattern, pattern.flags),
        lambda parts: re.compile(*parts),
        tuple[str | bytes, int],
    )


def _of_fraction(cls: Any) -> Registered:
    integer = Annotated[int, Schema.parse("int")]
    return Registered(
        lambda fraction: (fraction.numerator, fraction.denominator),
        lambda parts: cls(*parts),
        tuple[integer, integer],
    )


def _of_zone(cls: Any) -> Registered:
    def key(zone: Any) -> Any:
        # This raises an error for a zone that was made from a file.
        cls.__reduce__(zone)
        return zone.key

    return Registered(key, cls, str)


def _of_name_and_address(cls: Any) -> Registered:
    return Registered(
        lambda address: (address.name, address.email),
        lambda parts: cls(*parts),
        tuple[str, str],
    )


def _of_any_address(cls: Any) -> Registered:
    """Give the conversion of a class that only stands in annotations, for any version of IP."""
    import ipaddress

    kind = cls.__name__.removeprefix("IPvAny").lower()
    return Registered(str, getattr(ipaddress, f"ip_{kind}"), str)


def _is_url(cls: type) -> bool:
    """Tell whether a class is one of pydantic's for URLs, or extends one."""
    networks = sys.modules.get("pydantic.networks")
    bases = [getattr(networks, name, None) for name in ("_BaseUrl", "_BaseMultiHostUrl")]
    return any(isinstance(base, type) and issubclass(cls, base) for base in bases)


def _each(make: _Makes, *names: str) -> Mapping[str, _Makes]:
    return dict.fromkeys(names, make)


#: What gives the conversion of a class, by the first part of its module and by its name.
_KNOWN: Mapping[str, Mapping[str, _Makes]] = {
    "pathlib": {
        **_each(_of_text, "PurePath", "PurePosixPath", "PureWindowsPath"),
        **_each(_of_text, "Path", "PosixPath", "WindowsPath"),
    },
    "ipaddress": {
        **_each(_of_text, "IPv4Address", "IPv4Interface", "IPv4Network"),
        **_each(_of_text, "IPv6Address", "IPv6Interface", "IPv6Network"),
    },
    "re": {"Pattern": _of_pattern},
    "fractions": {"Fraction": _of_fraction},
    "zoneinfo": {"ZoneInfo": _of_zone},
    "pydantic": {
        "ByteSize": lambda cls: Registered(int, cls, int),
        "NameEmail": _of_name_and_address,
        **_each(_of_any_address, "IPvAnyAddress", "IPvAnyInterface", "IPvAnyNetwork"),
    },
    # Before pydantic 2.10 its URLs are annotations of these.
    "pydantic_core": _each(_of_text, "Url", "MultiHostUrl"),
}
