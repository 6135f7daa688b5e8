"""serow's compiler, in versions that have it: it is looked for and not taken for granted."""

from typing import Any

import serow


def exists() -> bool:
    """Whether this version of serow makes machine code."""
    return hasattr(serow.Codec, "compile")


def compile_all(codec: Any) -> None:
    """Wait for all machine code that a codec can have."""
    codec.compile()


def compile_encode(codec: Any) -> None:
    """Wait for the machine code that encodes, and for more only if it can't be had alone."""
    try:
        codec.compile("encode")
    except (TypeError, ValueError):
        codec.compile()


def tier(codec: Any) -> str:
    """What converts rows, as the codec says it."""
    said = codec.tier
    return said if isinstance(said, str) else str(said() if callable(said) else said)
