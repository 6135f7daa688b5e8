"""Uses each public name of serow, with the types that a type checker must know."""

import io
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
    codec = serow.Codec(Part, wire="row", schemas=serow.SchemaSet([schema]))
    of_schema: serow.Codec[Any] = serow.Codec(schema)
    buffer = bytearray(1000)
    length: int = codec.encode_into(parts, buffer)
    again: list[Part] = codec.decode(memoryview(buffer)[:length])
    record: bytes = codec.encode_one(parts[0])
    written: int = codec.encode_one_into(parts[0], buffer, offset=4)
    one: Part = codec.decode_one(record)
    file = io.BytesIO()
    typed_writer: serow.Writer[Part] = serow.Writer(file, Part)
    with typed_writer as writer:
        writer.write_rows(parts)
    file.seek(0)
    decoder: serow.Decoder[Part] = serow.Decoder(type=Part)
    fed: list[Part] = decoder.feed(file.getvalue())
    loaded: list[Part] = serow.load(file, type=Part)
    serow.dump(loaded, io.BytesIO())
    file.seek(0)
    reader: serow.Reader[Part] = serow.Reader(file, type=codec)
    names: list[str | None] = [part.name for part in reader]
    index: serow.view[Part] = serow.view(file, type=Part)
    last: Part = index[-1]
    dicts: list[Any] = serow.loads(data, records="dict")
    codec.compile("decode")
    tier: str = codec.tiers["decode"]
    serow.register(PurePosixPath, to=str, from_=PurePosixPath)
    error = serow.EncodeError("text")
    where: tuple[int | None, tuple[int | str, ...] | None] = (error.row, error.path)
    assert (typed, again, one, keys) == (parts, parts, parts[0], [1, 2])
    assert fed == loaded == parts
    assert (names, last, len(dicts)) == (["almond", None], parts[1], 2), of_schema
    assert (len(rows), written, where) == (2, len(record), (None, None)), tier


main()
