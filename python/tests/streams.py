"""What the tests of streams share."""

import io
from typing import Any

import serow

ROWS = [(i, f"name {i % 50}", i * 0.5) for i in range(1000)]
OPTIONS: list[dict[str, Any]] = [
    {},
    {"wire": "row"},
    {"compression": "zstd"},
    {"compression": "lz4", "wire": "row"},
    {"compression": "zstd", "level": 9, "schema": "(i64, str, f64)"},
]


def streamed(*batches: Any, **options: Any) -> bytes:
    """Give a stream that is flushed after each batch."""
    file = io.BytesIO()
    with serow.Writer(file, **options) as writer:
        for batch in batches:
            writer.write_rows(batch)
            writer.flush()
    return file.getvalue()


def read(data: bytes, **options: Any) -> list[Any]:
    return list(serow.Reader(io.BytesIO(data), **options))
