"""serow's compiler, in versions that have it: it is looked for and not taken for granted."""

from typing import Any

import serow


def exists() -> bool:
    """Whether this version of serow makes machine code."""
    return hasattr(serow.Codec, "compile")


def compile_both(codec: Any) -> None:
    """Wait for a codec's machine code in both directions."""
    codec.compile()


def compile_encode(codec: Any) -> bool:
    """Wait for the machine code that encodes; whether that alone could be asked for."""
    try:
        codec.compile("encode")
    except (TypeError, ValueError):
        codec.compile()
        return False
    return True


def tier(codec: Any) -> str:
    """What converts rows, as the codec says it."""
    said = codec.tier
    return said if isinstance(said, str) else str(said() if callable(said) else said)
