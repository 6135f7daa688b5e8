"""serow's compiler, if the version of serow has one."""

from typing import Any

import serow


def exists() -> bool:
    """Returns whether this version of serow generates machine code."""
    return hasattr(serow.Codec, "compile")


def compile_all(codec: Any) -> None:
    """Waits for all machine code of a codec."""
    codec.compile()


def compile_encode(codec: Any) -> None:
    """Waits for the machine code that encodes, and for more only if it does not come alone."""
    try:
        codec.compile("encode")
    except (TypeError, ValueError):
        codec.compile()


def tier(codec: Any) -> str:
    """Returns the tier that converts rows, as the codec names it."""
    said = codec.tier
    return said if isinstance(said, str) else str(said() if callable(said) else said)
