"""Uses each public name of serow, with the types that a type checker must know."""

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import serow


@dataclass
class Part:
    """A row."""

    key: int
    name: str | None


def main() -> None:
    """Send a row through each door."""
    parts = [Part(1, "almond"), Part(2, None)]
    data: bytes = serow.dumps(parts)
    rows: list[Any] = serow.loads(data)
    typed: list[Part] = serow.loads(data, type=Part)
    keys: list[int] = [part.key for part in typed]
    schema: serow.Schema = serow.Schema.of(Part)
    codec = serow.Codec(schema, wire="row", schemas=serow.SchemaSet([schema]))
    buffer = bytearray(1000)
    length: int = codec.encode_into(parts, buffer)
    again: list[Any] = codec.decode(memoryview(buffer)[:length])
    record: bytes = codec.encode_one(parts[0])
    written: int = codec.encode_one_into(parts[0], buffer, offset=4)
    one: Any = codec.decode_one(record)
    codec.compile("decode")
    tier: str = codec.tiers["decode"]
    serow.register(PurePosixPath, to=str, from_=PurePosixPath)
    error = serow.EncodeError("text")
    where: tuple[int | None, tuple[int | str, ...] | None] = (error.row, error.path)
    assert (typed, again, one, keys) == (parts, parts, parts[0], [1, 2])
    assert (len(rows), written, where) == (2, len(record), (None, None)), tier


main()
