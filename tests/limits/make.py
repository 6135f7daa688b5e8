"""Writes `messages.txt`: for each limit of a reader, a message just beyond it. See README.md.

PYTHONPATH=python:python/tests:tests/golden python tests/limits/make.py
"""

from __future__ import annotations

import io
import itertools
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import serow
import wire_format
from beyond import ROWS
from wire_format import FRAME, ROW, ZSTD, RawFrame, signed, spelled, varint

DEPTH = 64
TYPE_LIST = 65_536
NAMES = 1 << 20
ARMS = 256
FRAME_ROWS = 65_536
ELEMENTS = 1 << 28
CONTAINER = 16
VALUES = 4 << 20
PACKED_VALUES = 8 * VALUES
NOTHINGS = 4 << 20
INTEGER_BYTES = 415_242
TEXT = 64 << 20
GAIN = 1024

I64, STR, NULL = 1, 3, 9
TUPLE, TUPLE_END, LIST = 5, 7, 11
UNION, UNION_END = 13, 14
DICT, DICT_END, FIELD = 31, 33, 34


def schema(text: str) -> bytes:
    """Give the bytes of a schema."""
    return spelled(serow.Schema.parse(text).type_list)


def columns(*chunks: tuple[int, int, bytes]) -> bytes:
    """Give the body of a frame of columns, each an encoding, a number of values and a chunk."""
    directory = b"".join(
        bytes([encoding]) + varint(values) + varint(len(chunk))
        for encoding, values, chunk in chunks
    )
    return (
        b"".join(chunk for *_, chunk in chunks) + directory + len(directory).to_bytes(4, "little")
    )


def constant(value: int, count: int) -> tuple[int, int, bytes]:
    """Give a column of equal ints."""
    return 0, count, signed(value)


def lengths(value: int) -> bytes:
    """Give one int of a chunk, with the length before it."""
    return varint(1 + len(signed(value))) + b"\0" + signed(value)


def compressed(body: bytes) -> bytes:
    """Give a body that zstd has compressed."""
    import zstandard

    return struct.pack("<Q", len(body)) + zstandard.compress(body)


def of_type_list(*codes: int) -> bytes:
    """Give a message without rows that has these codes for its schema."""
    return wire_format.message(RawFrame(ROW, 0, spelled(codes), b""))


def of_columns(text: str, rows: int, *chunks: tuple[int, int, bytes]) -> bytes:
    """Give a message of one frame of columns."""
    return wire_format.message(RawFrame(FRAME, rows, schema(text), columns(*chunks)))


def of_record(text: str, record: bytes) -> bytes:
    """Give a message of one row on the row wire."""
    body = struct.pack("<I", len(record)) + record
    return wire_format.message(RawFrame(ROW, 1, schema(text), body))


def words(count: int, text: int) -> bytes:
    """Give a message of `count` strings, each of the same word of `text` letters."""
    entry = lengths(text) + varint(text) + b"a" * text
    chunk = lengths(text) + varint(count) + varint(1) + entry + b"\0" + signed(0)
    return of_columns("str", count, (2, count, chunk))


def cases() -> Iterator[tuple[str, str, bytes]]:
    """Give each limit with what its message has, and the message."""
    yield "MAX_DEPTH", "a schema 65 deep", of_type_list(*[LIST] * (DEPTH + 1), I64)
    yield (
        "MAX_TYPE_LIST",
        "a schema of 65,537 codes",
        of_type_list(TUPLE, *[NULL] * (TYPE_LIST - 1), TUPLE_END),
    )
    yield (
        "MAX_NAMES",
        "a name of 1,048,576 letters",
        of_type_list(DICT, FIELD, NAMES, *[ord("a")] * NAMES, I64, DICT_END),
    )
    tuples = [[TUPLE, *[I64] * n, TUPLE_END] for n in range(ARMS + 1)]
    yield (
        "MAX_ARMS",
        "a union of 257 tuples",
        of_type_list(UNION, *itertools.chain(*tuples), UNION_END),
    )
    yield (
        "MAX_FRAME_ROWS",
        "65,537 rows in one frame",
        of_columns("i64", FRAME_ROWS + 1, constant(1, FRAME_ROWS + 1)),
    )
    lists = ELEMENTS // (CONTAINER + 1) + 1
    padding = (lists - VALUES) // 8
    yield (
        "MAX_ROW_ELEMENTS",
        "one row of a list of 15,790,321 empty lists, in columns",
        of_columns(
            "([[i64]], bytes)",
            1,
            constant(lists, 1),
            constant(0, lists),
            constant(0, 0),
            (0, 1, lengths(padding) + bytes(padding)),
        ),
    )
    yield (
        "MAX_ROW_ELEMENTS",
        "the same on the row wire",
        of_record("[[i64]]", varint(lists) + varint(0) * lists),
    )
    yield (
        "FREE_VALUES",
        "4,194,480 equal ints in 22 bytes",
        of_columns("[i64]", 1, constant(VALUES + 176, 1), constant(1, VALUES + 176)),
    )
    zeros = 4_500_000
    body = columns(
        constant(PACKED_VALUES + (1 << 22), 1),
        constant(1, PACKED_VALUES + (1 << 22)),
        (0, 1, lengths(zeros) + bytes(zeros)),
    )
    packed = RawFrame(FRAME, 1, schema("([i64], bytes)"), compressed(body), compression=ZSTD)
    yield (
        "FREE_PACKED_VALUES",
        "37,748,736 equal ints in a body that was compressed to some hundred bytes",
        wire_format.message(packed),
    )
    yield (
        "MAX_ZERO_SIZED",
        "a list of 4,194,305 nulls in columns",
        of_columns("[null]", 1, constant(NOTHINGS + 1, 1)),
    )
    yield (
        "MAX_ZERO_SIZED",
        "the same on the row wire",
        of_record("[null]", varint(NOTHINGS + 1)),
    )
    yield (
        "MAX_INTEGER_BYTES",
        "an int of 415,243 bytes on the row wire",
        of_record("int", signed(0) + varint(INTEGER_BYTES + 1) + b"\1" * (INTEGER_BYTES + 1)),
    )
    yield (
        "MAX_INTEGER_BYTES",
        "a decimal with such a coefficient, in columns",
        of_columns(
            "decimal",
            1,
            constant(1, 1),
            constant(0, 1),
            (0, 1, lengths(INTEGER_BYTES + 1) + b"\1" * (INTEGER_BYTES + 1)),
        ),
    )
    yield "max_joined_text", "20,000 bytes of text in 119 bytes of words", words(200, 100)
    yield "MAX_JOINED_TEXT", "63 times a word of 1,065,221 letters", words(63, TEXT // 63 + 1)
    frame = RawFrame(ROW, 1, schema("i64"), b"", body_len=1 << 40).to_bytes()
    yield "MAX_STREAM_FRAME", "the header of a frame of 1 TiB", wire_format.HEADER + frame
    claim = struct.pack("<Q", TEXT + GAIN * 13 + 1) + compressed(b"")[8:]
    yield (
        "max_plain_body",
        "a body that claims 64 MiB and 1,024 bytes more than its compressed form may have",
        wire_format.message(RawFrame(FRAME, 1, schema("i64"), claim, compression=ZSTD)),
    )


def lines(message: bytes) -> Iterator[str]:
    """Give the bytes as lines of a count and the bytes, in hex, that occur so many times."""
    plain, at = bytearray(), 0
    while at < len(message):
        end = at
        while end < len(message) and message[end] == message[at]:
            end += 1
        if end - at < 32:
            plain += message[at:end]
        else:
            if plain:
                yield f"1 {plain.hex()}"
                plain.clear()
            yield f"{end - at} {message[at : at + 1].hex()}"
        at = end
    if plain:
        yield f"1 {plain.hex()}"


#: What the rows of `beyond.py` are beyond.
OF_WRITERS = {
    "nested": "MAX_DEPTH",
    "shared": "MAX_ROW_ELEMENTS",
    "nulls": "MAX_ROW_ZERO_SIZED",
    "digits": "MAX_DIGITS",
    "name": "MAX_NAMES",
    "keys": "MAX_TYPE_LIST",
}


def refusal(call: Callable[[Any], object], argument: object) -> str:
    """Give the line for the error that a call raises."""
    try:
        call(argument)
    except serow.SerowError as error:
        return f"error {type(error).__name__.removesuffix('Error')} {error}"
    raise SystemExit("nothing was refused")


def read_stream(data: bytes) -> list[Any]:
    """Read a message as a stream."""
    return list(serow.Reader(io.BytesIO(data)))


def write(row: object) -> bytes:
    """Write a row."""
    return serow.dumps([row], wire="row")


def main() -> None:
    """Write the file."""
    text = []
    for limit, what, message in cases():
        door, read = [], serow.loads
        if limit == "MAX_STREAM_FRAME":
            door, read = ["door stream"], read_stream
        said = refusal(read, message)
        text += [f"limit {limit}", f"what {what}", said, *door, *lines(message), ""]
    for name, limit in OF_WRITERS.items():
        text += [f"limit {limit}", f"rows {name}", refusal(write, ROWS[name]()), ""]
    Path(__file__).with_name("messages.txt").write_text("\n".join(text))


if __name__ == "__main__":
    main()
