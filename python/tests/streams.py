"""What the tests of streams share."""

import io
from pathlib import Path
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


def append(path: Path, *rows: Any, **options: Any) -> None:
    with serow.Writer(path, append=True, **options) as writer:
        writer.write_rows(rows)


def ends(data: bytes) -> list[tuple[int, int]]:
    """Give the end of each frame in concatenated streams, with the number of rows until there."""
    found, at, rows = [], 0, 0
    while at < len(data):
        assert data[at : at + 6] == b"SROW\1\1"
        assert data[at + 24 : at + 28] == bytes(4), "it has metadata"
        at += 32
        is_last = False
        while not is_last:
            at += 24
            header = data[at : at + 24]
            schema = int.from_bytes(header[8:12], "little") if header[1] & 2 else 8
            rows += int.from_bytes(header[4:8], "little")
            at += 24 + schema + int.from_bytes(header[16:24], "little") + 8
            is_last = bool(header[1] & 1)
            found.append((at, rows))
    return found
