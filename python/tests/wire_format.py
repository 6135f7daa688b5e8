"""The wire format in plain Python, written from docs/wire-format.md and nothing else.

It reads messages and single records, so that what serow writes is held to what the page says. It
writes messages part by part with right checksums, so that tests can say anything at all in them.
"""

import random
import struct
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import xxhash
from parts import COUNTS, F32, I8, I16, I32, U8, U16, U32, U64, Parts, value_of
from serow._records import enum_members, record_class

if sys.version_info >= (3, 14):
    from compression import zstd

    unpack_zstd = zstd.decompress
else:
    import zstandard

    unpack_zstd = zstandard.ZstdDecompressor().decompress

HEADER = b"SROW\1\0\0\0"
ROW, FRAME, INDEX = 0, 1, 2
LAST, IN_BAND = 1, 2
PLAIN, ZSTD, LZ4 = 0, 1, 2


def checksum(data: bytes) -> bytes:
    """Give the checksum of a frame."""
    return xxhash.xxh3_64_intdigest(data).to_bytes(8, "little")


@dataclass
class RawFrame:
    """A frame with the fields of its header. `schema` is the bytes of its schema."""

    wire: int
    rows: int
    schema: bytes
    body: bytes
    flags: int = IN_BAND
    compression: int = PLAIN
    #: Lengths for the header, if it should contain wrong ones.
    schema_len: int | None = None
    body_len: int | None = None

    def to_bytes(self) -> bytes:
        """Give the frame with its checksum."""
        in_band = len(self.schema) if self.flags & IN_BAND else 0
        head = struct.pack(
            "<BBBBIIIQ",
            self.wire,
            self.flags,
            self.compression,
            0,
            self.rows,
            in_band if self.schema_len is None else self.schema_len,
            0,
            len(self.body) if self.body_len is None else self.body_len,
        )
        data = head + self.schema + self.body
        return data + checksum(data)

    def plain(self) -> bytes:
        """Give the body as it was before its compression."""
        if self.compression == PLAIN:
            return self.body
        size, packed = int.from_bytes(self.body[:8], "little"), self.body[8:]
        body = unpack_zstd(packed) if self.compression == ZSTD else unpack_lz4(packed)
        assert len(body) == size
        assert len(self.body) < size
        return body


def unpack_lz4(block: bytes) -> bytes:
    """Give the content of an LZ4 block."""
    at, out = 0, bytearray()

    def length(least: int) -> int:
        nonlocal at
        total, more = least, least == 15
        while more:
            total, more, at = total + block[at], block[at] == 255, at + 1
        return total

    while True:
        token, at = block[at], at + 1
        literals = length(token >> 4)
        out += block[at : at + literals]
        at += literals
        if at == len(block):
            return bytes(out)
        back, at = int.from_bytes(block[at : at + 2], "little"), at + 2
        match = length(token & 15) + 4
        begin = len(out) - back
        assert 0 <= begin < len(out)
        for n in range(match):
            out.append(out[begin + n])


def message(*frames: RawFrame) -> bytes:
    """Give the message of these frames; the last one gets the flag for it."""
    *first, last = frames
    last = replace(last, flags=last.flags | LAST)
    return HEADER + b"".join(frame.to_bytes() for frame in (*first, last))


def frames(data: bytes) -> list[RawFrame]:
    """Take a message or a stream apart."""
    found, last = [], False
    if data[:8] == HEADER:
        salt, row, at = None, 0, len(HEADER)
    else:
        salt, row, texts, at = stream_header(data)
        assert all(isinstance(text, str) for text in texts)
    begin = at
    while not last:
        marker = b"" if salt is None else data[at : at + 24]
        at += len(marker)
        wire, flags, compression, zero, rows, schema_len, zeros, body_len = struct.unpack_from(
            "<BBBBIIIQ", data, at
        )
        assert marker == (b"" if salt is None else marker_of(salt, row, data[at : at + 24]))
        assert wire in (ROW, FRAME, INDEX)
        assert flags & ~(LAST | IN_BAND) == 0
        assert zero == zeros == 0
        assert rows <= 65_536
        assert flags & IN_BAND or schema_len == 0
        schema = at + 24
        body = schema + (schema_len if flags & IN_BAND else 8)
        end = body + body_len
        assert data[end : end + 8] == checksum(data[at:end])
        frame = RawFrame(
            wire, rows, data[schema:body], data[body:end], flags & IN_BAND, compression
        )
        last = bool(flags & LAST)
        at, row = end + 8, row + rows
        if wire == INDEX:
            assert salt is not None
            assert (flags, compression, rows, schema_len) == (LAST | IN_BAND, PLAIN, 0, 0)
            assert frame.body == index(begin, found)
        else:
            found.append(frame)
    assert at == len(data)
    return found


def stream_header(data: bytes) -> tuple[int, int, dict[str, str], int]:
    """Give salt, first row and metadata of a stream, and the offset of its first frame."""
    assert data[:8] == b"SROW\1\1\0\0"
    salt, row, length = struct.unpack_from("<QQI", data, 8)
    assert data[28:32] == checksum(data[:28])[:4]
    metadata, texts = data[32 : 32 + length], []
    if not length:
        return salt, row, {}, 32
    assert data[32 + length : 40 + length] == checksum(metadata)
    cursor = Cursor(metadata)
    while cursor.at < length:
        texts.append(cursor.bytes(cursor.varint()).decode())
    keys = texts[::2]
    assert keys == sorted(set(keys), key=str.encode)
    return salt, row, dict(zip(keys, texts[1::2], strict=True)), 40 + length


def marker_of(salt: int, row: int, header: bytes) -> bytes:
    """Give the marker of the frame of a stream with this header."""
    marker = b"\xf5row" + struct.pack("<QQ", salt, row)
    return marker + checksum(marker + header)[:4]


def stream_frames(data: bytes) -> list[range]:
    """Give the places of the frames of a stream, the index among them, with their markers."""
    at, places = stream_header(data)[3], []
    while at < len(data):
        flags, schema_len, body_len = struct.unpack_from("<xBxxxxxxIxxxxQ", data, at + 24)
        end = at + 48 + (schema_len if flags & IN_BAND else 8) + body_len + 8
        places.append(range(at, end))
        at = end
    return places


def index(header: int, found: list[RawFrame]) -> bytes:
    """Give the body of the index of these frames, after a header of so many bytes."""
    body, in_band = varint(header) + varint(len(found)), {}
    for n, frame in enumerate(found):
        if frame.flags & IN_BAND:
            in_band.setdefault(checksum(frame.schema), n)
        known = in_band[checksum(frame.schema) if frame.flags & IN_BAND else frame.schema]
        body += varint(24 + len(frame.to_bytes())) + varint(frame.rows) + varint(n - known)
    return body + struct.pack("<Q", 48 + len(body) + 8 + 8)


# Numbers


def varint(value: int) -> bytes:
    """Give the shortest varint."""
    for n in range(1, 9):
        if value < 1 << 7 * n:
            return (value << n | 1 << (n - 1)).to_bytes(n, "little")
    return b"\0" + value.to_bytes(8, "little")


def of_zigzag(code: int) -> int:
    """Give the signed number of a zigzag code."""
    return code >> 1 ^ -(code & 1)


def signed(value: int) -> bytes:
    """Give the varint of a signed number."""
    return varint((value << 1 ^ value >> 63) & 2**64 - 1)


class Cursor:
    """A cursor over bytes."""

    def __init__(self, data: bytes) -> None:
        """Start at the first byte."""
        self.data, self.at = data, 0

    def bytes(self, count: int) -> bytes:
        """Take that many bytes."""
        assert self.at + count <= len(self.data)
        self.at += count
        return self.data[self.at - count : self.at]

    def byte(self) -> int:
        """Take one byte."""
        return self.bytes(1)[0]

    def varint(self) -> int:
        """Take a varint."""
        first = self.data[self.at]
        if first == 0:
            self.at += 1
            return int.from_bytes(self.bytes(8), "little")
        length = (first & -first).bit_length()
        return int.from_bytes(self.bytes(length), "little") >> length

    def signed(self) -> int:
        """Take a signed varint."""
        return of_zigzag(self.varint())

    def rest(self) -> bytes:
        """Take all remaining bytes."""
        return self.bytes(len(self.data) - self.at)

    def done(self) -> bool:
        """Tell whether all bytes were taken."""
        return self.at == len(self.data)


def text(data: bytes) -> str:
    """Decode generalised UTF-8."""
    return data.decode("utf-8", "surrogatepass")


def double(data: bytes) -> float:
    """Give the float of 8 bytes."""
    return struct.unpack("<d", data)[0]


# Schemas: a type is a tuple of its code and its parts.

SCALARS = {1: "i64", 2: "f64", 3: "str", 8: "bool", 9: "null", 15: "never"}
OF_PARTS = COUNTS.keys()
FIXED, SEQUENCE = {4: 6, 5: 7}, {11: list, 12: tuple, 28: set, 29: frozenset}
MAP, DICT, RECORD, STRUCT_END, MAYBE_FIELD = 30, 31, 32, 33, 35
ENUM, INT_ENUM, STR_ENUM = ENUMS = (36, 37, 38)


def codes(data: bytes) -> list[int]:
    """Give the type list from a schema's bytes."""
    cursor, found = Cursor(data), []
    while not cursor.done():
        found.append(cursor.varint())
    return found


def spelled(type_list: Sequence[int]) -> bytes:
    """Give the bytes of a type list."""
    return b"".join(varint(code) for code in type_list)


def parse(type_list: Sequence[int]) -> Any:
    """Give the type of a type list."""
    words = list(reversed(type_list))

    def name() -> str:
        return "".join(chr(words.pop()) for _ in range(words.pop()))

    def fields() -> Iterator[tuple[str, bool, Any]]:
        while (code := words.pop()) != STRUCT_END:
            yield (name(), code == MAYBE_FIELD, one())

    def value_of_member(code: int) -> int | str | None:
        if code == INT_ENUM:
            low, high = words.pop(), words.pop()
            return of_zigzag(high << 32 | low)
        return name() if code == STR_ENUM else None

    def one() -> Any:
        code = words.pop()
        if code in SCALARS or code in OF_PARTS:
            return (code,)
        if code in (10, *SEQUENCE):
            return (code, one())
        if code == MAP:
            return (code, one(), one())
        if code in (DICT, RECORD):
            return (code, name() if code == RECORD else None, list(fields()))
        if code in ENUMS:
            of, members = name(), [(name(), value_of_member(code)) for _ in range(words.pop())]
            names, values = zip(*members, strict=True)
            return (code, of, names, None if code == ENUM else values)
        end, parts = {**FIXED, 13: 14}[code], []
        while words[-1] != end:
            parts.append(one())
        words.pop()
        return (code, parts)

    root = one()
    assert not words
    return root


def struct_of(kind: Any, values: list[Any]) -> Any:
    """Give the dict or record of these values; `...` is a missing field."""
    _, name, fields = kind
    if name is not None:
        return record_class(name, tuple(field for field, _, _ in fields))(*values)
    pairs = zip(fields, values, strict=True)
    return {field: value for (field, _, _), value in pairs if value is not ...}


# Row wire


def widened(data: bytes) -> float:
    """Give the float of 4 bytes; a NaN with its payload, which `struct` would make quiet."""
    bits = int.from_bytes(data, "little")
    if bits >> 23 & 0xFF < 0xFF:
        return struct.unpack("<f", data)[0]
    wide = bits >> 31 << 63 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29
    return double(wide.to_bytes(8, "little"))


#: How numbers of each size are read: the integer, or no integer and the float.
SIZES = {
    F32: lambda at: ((), (widened(at.bytes(4)),)),
    I8: lambda at: (struct.unpack("<b", at.bytes(1)),),
    U8: lambda at: ((at.byte(),),),
    **dict.fromkeys((I16, I32), lambda at: ((at.signed(),),)),
    **dict.fromkeys((U16, U32, U64), lambda at: ((at.varint(),),)),
}


def record(kind: Any, at: Cursor) -> Any:
    """Take a value of a record."""
    code = kind[0]
    if code == 1:
        return at.signed()
    if code == 2:
        return double(at.bytes(8))
    if code == 3:
        return text(at.bytes(at.varint()))
    if code == 8:
        return {0: False, 1: True}[at.byte()]
    if code == 9:
        return None
    if code == 10:
        return record(kind[1], at) if {0: False, 1: True}[at.byte()] else None
    if code in SIZES:
        return value_of(Parts(code, *SIZES[code](at)))
    if code in OF_PARTS:
        ints, floats, strings = COUNTS[code]
        return value_of(
            Parts(
                code,
                tuple(at.signed() for _ in range(ints)),
                tuple(double(at.bytes(8)) for _ in range(floats)),
                at.bytes(at.varint()) if strings else None,
            )
        )
    if code in FIXED:
        values = [record(field, at) for field in kind[1]]
        return tuple(values) if code == 5 else values
    if code in SEQUENCE:
        return SEQUENCE[code](record(kind[1], at) for _ in range(at.varint()))
    if code == MAP:
        return {record(kind[1], at): record(kind[2], at) for _ in range(at.varint())}
    if code in (DICT, RECORD):
        is_there = lambda maybe: not maybe or {0: False, 1: True}[at.byte()]  # noqa: E731
        values = [record(field, at) if is_there(maybe) else ... for _, maybe, field in kind[2]]
        return struct_of(kind, values)
    if code in ENUMS:
        return enum_members(*kind[1:])[at.signed()]
    assert code == 13, f"no value has type {kind}"
    return record(kind[1][at.varint()], at)


# Frame wire


def numbers(data: bytes, width: int, count: int) -> list[int]:
    """Unpack numbers of `width` bits."""
    assert len(data) == (width * count + 7) // 8
    bits = int.from_bytes(data, "little")
    assert bits >> width * count == 0
    return [bits >> i * width & (1 << width) - 1 for i in range(count)]


def wrapped(value: int) -> int:
    """Wrap an integer to a signed 64-bit value."""
    return (value + 2**63) % 2**64 - 2**63


def ints(encoding: int, count: int, chunk: bytes) -> list[int]:
    """Read an int column."""
    given: dict[int, int] = {}
    if encoding == 3:
        encoding, given, chunk = exceptions(chunk, count)
        assert encoding in (1, 2)
    at = Cursor(chunk)
    if encoding == 0:
        values = [at.signed()] * count
    elif encoding == 1:
        base, width = at.signed(), at.byte()
        packed = enumerate(numbers(at.rest(), width, count))
        values = [given.get(i, wrapped(base + n)) for i, n in packed]
    else:
        assert encoding == 2
        values, step, width = [at.signed()], at.signed(), at.byte()
        values[0] = given.get(0, values[0])
        for i, n in enumerate(numbers(at.rest(), width, count - 1), 1):
            values.append(given.get(i, wrapped(values[-1] + step + n)))
    assert at.done()
    return values


def exceptions(chunk: bytes, count: int) -> tuple[int, dict[int, int], bytes]:
    """Read the exceptions of an int column: the encoding after them, the values, the rest."""
    at = Cursor(chunk)
    number = at.varint()
    positions, values = (plain_ints(at, number) for _ in range(2))
    assert positions == sorted(set(positions))
    assert 0 <= positions[0] <= positions[-1] < count
    return at.byte(), dict(zip(positions, values, strict=True)), at.rest()


def plain_ints(at: Cursor, count: int) -> list[int]:
    """Take ints with their length before them, which have no exceptions."""
    chunk = Cursor(at.bytes(at.varint()))
    encoding = chunk.byte()
    assert encoding < 3
    return ints(encoding, count, chunk.rest())


def floats(encoding: int, count: int, chunk: bytes) -> list[float]:
    """Read a float column."""
    if encoding == 0:
        # Each value is a new object, because a set may contain several NaNs.
        return [double(chunk) for _ in range(count)]
    if encoding == 1:
        assert len(chunk) == 8 * count
        return [double(chunk[i : i + 8]) for i in range(0, len(chunk), 8)]
    if encoding == 3:
        assert len(chunk) == 4 * count
        return list(struct.unpack(f"<{count}f", chunk))
    assert encoding == 2
    at = Cursor(chunk)
    power = float(10 ** at.byte())
    exceptions = at.varint()
    positions = [int.from_bytes(at.bytes(4), "little") for _ in range(exceptions)]
    assert positions == sorted(set(positions))
    given = [at.bytes(8) for _ in range(exceptions)]
    values = [n / power for n in ints(at.byte(), count, at.rest())]
    for position, value in zip(positions, given, strict=True):
        values[position] = double(value)
    return values


def strs(encoding: int, count: int, chunk: bytes) -> list[str]:
    """Read a str column of text."""
    return [text(octets) for octets in byte_strings(encoding, count, chunk)]


def byte_strings(encoding: int, count: int, chunk: bytes) -> list[bytes]:
    """Read a str column."""
    at = Cursor(chunk)
    if encoding == 2:
        return joined_words(at.rest(), count)
    if encoding == 3:
        entries = at.varint()
        codes = sized_ints(at, count)
        values = joined_words(at.rest(), entries)
        return [values[code] for code in codes]
    entries = count if encoding == 0 else at.varint()
    ends = sized_ints(at, entries)
    of_entries = Cursor(at.rest() if encoding == 0 else at.bytes(at.varint()))
    values = [of_entries.bytes(length) for length in ends]
    assert of_entries.done()
    if encoding == 0:
        return values
    assert encoding == 1
    return [values[code] for code in ints(at.byte(), count, at.rest())]


def sized_ints(at: Cursor, count: int) -> list[int]:
    """Take ints with their length before them."""
    chunk = Cursor(at.bytes(at.varint()))
    return ints(chunk.byte(), count, chunk.rest())


def joined_words(chunk: bytes, count: int) -> list[bytes]:
    """Read strings that are stored as words."""
    at = Cursor(chunk)
    ends = sized_ints(at, count)
    number = at.varint()
    words = iter(byte_strings(1, number, at.rest()))
    values = []
    for length in ends:
        value = next(words)
        while len(value) < length:
            value += b" " + next(words)
        assert len(value) == length
        values.append(value)
    assert not list(words)
    assert sum(ends) <= 64 * len(chunk)
    return values


def bits(encoding: int, count: int, chunk: bytes) -> list[bool]:
    """Read a bit column."""
    if encoding == 0:
        assert len(chunk) == 1
        return [{0: False, 1: True}[chunk[0]]] * count
    assert encoding == 1
    return [n == 1 for n in numbers(chunk, 1, count)]


@dataclass
class Column:
    """A column of a frame: its entry in the directory, and its chunk."""

    kind: str
    encoding: int
    count: int
    chunk: bytes

    def values(self) -> list[Any]:
        """Read the column."""
        read = {"int": ints, "float": floats, "str": strs, "bytes": byte_strings, "bit": bits}
        return read[self.kind](self.encoding, self.count, self.chunk)


def kinds(kind: Any) -> Iterator[str]:
    """Give the kinds of a type's columns, in order."""
    code = kind[0]
    own = {1: "int", 2: "float", 3: "str", 8: "bit", 10: "bit", 13: "int", MAP: "int"}
    own |= dict.fromkeys(ENUMS, "int")
    own |= dict.fromkeys(SEQUENCE, "int")
    if code in own:
        yield own[code]
    if code in OF_PARTS:
        for kind_of_part, count in zip(("int", "float", "bytes"), COUNTS[code], strict=True):
            yield from [kind_of_part] * count
    if code in (10, MAP, *SEQUENCE):
        for part in kind[1:]:
            yield from kinds(part)
    elif code in (DICT, RECORD):
        for _, maybe, part in kind[2]:
            yield from ["bit"] * maybe
            yield from kinds(part)
    elif code in (*FIXED, 13):
        for part in kind[1]:
            yield from kinds(part)


def columns(frame: RawFrame, schema: Any) -> list[Column]:
    """Split the body of a frame into columns."""
    plain = frame.plain()
    end = len(plain) - 4
    begin = end - int.from_bytes(plain[end:], "little")
    directory, chunks = Cursor(plain[begin:end]), Cursor(plain[:begin])
    found = []
    for kind in kinds(schema):
        encoding, count, length = directory.byte(), directory.varint(), directory.varint()
        found.append(Column(kind, encoding, count, chunks.bytes(length)))
    assert directory.done()
    assert chunks.done()
    return found


def body(found: list[Column]) -> bytes:
    """Join columns to the body of a frame."""
    directory = b"".join(
        bytes([column.encoding]) + varint(column.count) + varint(len(column.chunk))
        for column in found
    )
    chunks = b"".join(column.chunk for column in found)
    return chunks + directory + len(directory).to_bytes(4, "little")


def gathered(kind: Any, count: int, left: Iterator[list[Any]]) -> list[Any]:
    """Make `count` values of a type from the columns in `left`."""
    code = kind[0]
    if code in (1, 2, 3, 8):
        values = next(left)
    elif code in OF_PARTS:
        n_ints, n_floats, n_bytes = COUNTS[code]
        made = [next(left) for _ in range(n_ints + n_floats + n_bytes)]
        values = [
            value_of(
                Parts(
                    code,
                    tuple(column[i] for column in made[:n_ints]),
                    tuple(column[i] for column in made[n_ints : n_ints + n_floats]),
                    made[-1][i] if n_bytes else None,
                )
            )
            for i in range(count)
        ]
    elif code == 9:
        values = [None] * count
    elif code == 15:
        values = []
    elif code == 10:
        there = next(left)
        inner = iter(gathered(kind[1], sum(there), left))
        values = [next(inner) if present else None for present in there]
    elif code in FIXED:
        fields = [gathered(field, count, left) for field in kind[1]]
        make = list if code == 4 else tuple
        values = [make(column[i] for column in fields) for i in range(count)]
    elif code in SEQUENCE:
        lengths = next(left)
        inner = iter(gathered(kind[1], sum(lengths), left))
        values = [SEQUENCE[code](next(inner) for _ in range(length)) for length in lengths]
    elif code == MAP:
        lengths = next(left)
        keys = iter(gathered(kind[1], sum(lengths), left))
        inner = iter(gathered(kind[2], sum(lengths), left))
        values = [{next(keys): next(inner) for _ in range(length)} for length in lengths]
    elif code in (DICT, RECORD):
        fields = []
        for _, maybe, field in kind[2]:
            there = next(left) if maybe else [True] * count
            inner = iter(gathered(field, sum(there), left))
            fields.append([next(inner) if present else ... for present in there])
        values = [struct_of(kind, [column[i] for column in fields]) for i in range(count)]
    elif code in ENUMS:
        values = [enum_members(*kind[1:])[member] for member in next(left)]
    else:
        assert code == 13
        tags = next(left)
        arms = [iter(gathered(arm, tags.count(i), left)) for i, arm in enumerate(kind[1])]
        values = [next(arms[tag]) for tag in tags]
    assert len(values) == count
    return values


def loads(data: bytes) -> list[Any]:
    """Give the rows of a message."""
    rows: list[Any] = []
    known: dict[bytes, Any] = {}
    for frame in frames(data):
        if frame.flags & IN_BAND:
            schema = parse(codes(frame.schema))
            known[checksum(frame.schema)] = schema
        else:
            schema = known[frame.schema]
        if frame.wire == FRAME:
            found = iter([column.values() for column in columns(frame, schema)])
            rows += gathered(schema, frame.rows, found)
            assert next(found, None) is None
        else:
            at = Cursor(frame.plain())
            for _ in range(frame.rows):
                one = Cursor(at.bytes(int.from_bytes(at.bytes(4), "little")))
                rows.append(record(schema, one))
                assert one.done()
            assert at.done()
    return rows


# Single records


def single_records(data: bytes) -> Iterator[bytes]:
    """Split the single records in a golden file, where each has its length before it."""
    at = Cursor(data)
    while not at.done():
        yield at.bytes(int.from_bytes(at.bytes(4), "little"))


def decode_one(single: bytes, type_list: Sequence[int]) -> Any:
    """Give the row of a single record of this schema."""
    at = Cursor(single)
    assert at.bytes(8) == checksum(spelled(type_list))
    row = record(parse(type_list), at)
    assert at.done()
    return row


# Malformed bodies

#: Numbers that overflow, are negative, or are one too many.
HUGE = [2**k + d for k in (7, 15, 16, 22, 31, 32, 48, 61, 62, 63) for d in (-1, 0, 1)]
HUGE += [2**64 - 1, 2**64 - 8, 2**64 // 8, 2**64 // 8 + 1, 2**64 // 24, 2**64 // 3]


def spoiled(frame: RawFrame, generator: random.Random, changes: int = 1) -> RawFrame:
    """Give a frame with a malformed body and a right checksum."""
    body = bytearray(frame.body)
    for _ in range(changes):
        spoil(body, generator)
    return replace(frame, body=bytes(body))


def spoil(body: bytearray, generator: random.Random) -> None:
    """Make one random change to a body."""
    if not body:
        return
    at = generator.randrange(len(body))
    kind = generator.randrange(5)
    if kind == 0:
        body[at] = generator.randrange(256)
    elif kind == 1:
        body[at] ^= 1 << generator.randrange(8)
    elif kind == 2:
        body[at : at + 1] = varint(generator.choice(HUGE))
    elif kind == 3:
        del body[at : at + generator.randrange(1, 9)]
    else:
        to = generator.randrange(len(body))
        body[at : at + 8] = body[to : to + 8]
