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

import warnings as _warnings

from serow import _native, types
from serow._comparing import Change, Check, Comparison, check
from serow._decoder import Decoder
from serow._logs import Recovered, recover
from serow._names import Name, name
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
from serow._registered import register
from serow._schemas import schema_of
from serow._streams import IndexedReader, Reader, Writer
from serow._whole import dump, load

if (_why := _native.why_no_direct_access()) is not None:
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
    "IndexedReader",
    "LimitError",
    "Name",
    "Reader",
    "Recovered",
    "Schema",
    "SchemaError",
    "SchemaSet",
    "SerowError",
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
]
