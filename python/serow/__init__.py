"""A row serializer that compiles itself to the data.

    >>> import serow
    >>> rows = [(8429, 31.49, "hello"), (8430, 9.5, None)]
    >>> data = serow.dumps(rows)
    >>> serow.loads(data) == rows
    True
    >>> str(serow.Schema.infer(rows))
    '(i64, f64, str?)'

serow for the JVM and for Rust reads and writes the same bytes.
"""

from serow import _native
from serow._native import (
    ArrowStream,
    BufferTooSmall,
    Codec,
    DecodeError,
    EncodeError,
    LimitError,
    Schema,
    SchemaError,
    SchemaSet,
    SerowError,
    __version__,
    dumps,
    explain,
    from_arrow,
    loads,
    retain_memory,
    to_arrow,
)

# For type checkers, as that of `typing`, which takes longer to import than all else here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from serow import types
    from serow._comparing import Change, Check, Comparison, check
    from serow._decoder import Decoder
    from serow._logs import Recovered, recover
    from serow._names import Name, name
    from serow._registered import register
    from serow._schemas import schema_of
    from serow._streams import Reader, Writer, dump, load
    from serow._view import View, view
else:
    #: The modules that are imported when one of their names is used first.
    _MODULES = {
        **dict.fromkeys(["Change", "Check", "Comparison", "check"], "_comparing"),
        "Decoder": "_decoder",
        **dict.fromkeys(["Recovered", "recover"], "_logs"),
        **dict.fromkeys(["Name", "name"], "_names"),
        "register": "_registered",
        "schema_of": "_schemas",
        **dict.fromkeys(["Reader", "Writer", "dump", "load"], "_streams"),
        **dict.fromkeys(["View", "view"], "_view"),
    }

    def __getattr__(name):
        """Import what most programs do not use."""
        from importlib import import_module

        if name == "types":
            return import_module("serow.types")
        if name not in _MODULES:
            raise AttributeError(f"module 'serow' has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(f"serow.{_MODULES[name]}"), name)
        return value

    def __dir__():
        """Give all names, also those that were not imported yet."""
        return sorted({*globals(), *__all__})


if (_why := _native.why_no_direct_access()) is not None:
    import warnings as _warnings

    _warnings.warn(
        "serow is several times slower than usual here, and Codec.compile raises an error: "
        f"{_why}. Results are the same.",
        RuntimeWarning,
        stacklevel=2,
    )

__all__ = [
    "ArrowStream",
    "BufferTooSmall",
    "Change",
    "Check",
    "Codec",
    "Comparison",
    "DecodeError",
    "Decoder",
    "EncodeError",
    "LimitError",
    "Name",
    "Reader",
    "Recovered",
    "Schema",
    "SchemaError",
    "SchemaSet",
    "SerowError",
    "View",
    "Writer",
    "__version__",
    "check",
    "dump",
    "dumps",
    "explain",
    "from_arrow",
    "load",
    "loads",
    "name",
    "recover",
    "register",
    "retain_memory",
    "schema_of",
    "to_arrow",
    "types",
    "view",
]
