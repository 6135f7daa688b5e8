"""Messages on a byte stream: one byte of kind, four of length, and the payload.

    kind u8 | length u32, big-endian | length bytes

A stream may only end between two messages. A claimed length above `MAX_LENGTH` is an error. Larger
messages are never needed, because rows go in portions.
"""

import socket
import struct
from collections.abc import Iterable
from typing import BinaryIO

from demo.rows import Message

MAX_LENGTH = 1 << 28
MAX_COUNT = 1 << 20

_HEADER = struct.Struct(">BI")


class FramingError(Exception):
    """The stream is cut, or its bytes can't be a message."""


def send(connection: socket.socket, kind: int, payload: Message = b"") -> None:
    """Sends one message. Header and payload leave together, so that neither waits."""
    header = _header(kind, payload)
    sent = connection.sendmsg((header, payload))
    if sent < len(header):
        connection.sendall(header[sent:])
        sent = len(header)
    if sent < len(header) + len(payload):
        connection.sendall(memoryview(payload)[sent - len(header) :])


def receive(connection: socket.socket) -> tuple[int, bytearray] | None:
    """Returns the next message's kind and payload, or None if the stream has ended."""
    header = bytearray(_HEADER.size)
    got = _receive_into(connection, header)
    if got == 0:
        return None
    if got < len(header):
        raise FramingError(f"the stream ended after {got} of {len(header)} bytes of a header")
    kind, length = _parsed(header)
    payload = bytearray(length)
    got = _receive_into(connection, payload)
    if got < length:
        raise FramingError(f"the stream ended after {got:,} of a message's {length:,} bytes")
    return kind, payload


def write(stream: BinaryIO, kind: int, payload: Message) -> None:
    """Writes one message to a buffered stream, for senders of many small messages."""
    stream.write(_header(kind, payload))
    stream.write(payload)


def read(stream: BinaryIO) -> tuple[int, bytes]:
    """Returns the next message's kind and payload from a buffered stream, which must have one."""
    header = stream.read(_HEADER.size)
    if len(header) < _HEADER.size:
        raise FramingError(f"the stream ended after {len(header)} bytes of a header")
    kind, length = _parsed(header)
    payload = stream.read(length)
    if len(payload) < length:
        raise FramingError(
            f"the stream ended after {len(payload):,} of a message's {length:,} bytes"
        )
    return kind, payload


def _header(kind: int, payload: Message) -> bytes:
    if len(payload) > MAX_LENGTH:
        raise FramingError(f"a message of {len(payload):,} bytes is over {MAX_LENGTH:,}")
    return _HEADER.pack(kind, len(payload))


def _parsed(header: Message) -> tuple[int, int]:
    """Returns a header's kind and length."""
    kind, length = _HEADER.unpack(header)
    if length > MAX_LENGTH:
        raise FramingError(f"a message claims {length:,} bytes, more than {MAX_LENGTH:,}")
    return kind, length


def _receive_into(connection: socket.socket, buffer: bytearray) -> int:
    """Fills the buffer. Returns the number of bytes, which is smaller only at the stream's end."""
    view = memoryview(buffer)
    got = 0
    while got < len(view):
        count = connection.recv_into(view[got:])
        if count == 0:
            break
        got += count
    return got


def pack_numbers(*numbers: int) -> bytes:
    """Returns numbers as a payload: unsigned, 8 bytes each, big-endian."""
    return struct.pack(f">{len(numbers)}Q", *numbers)


def unpack_numbers(payload: Message, count: int) -> tuple[int, ...]:
    """Returns the first `count` numbers of a payload."""
    if len(payload) < 8 * count:
        raise FramingError(f"a payload of {len(payload)} bytes has no {count} numbers")
    return struct.unpack_from(f">{count}Q", payload)


def total(messages: Iterable[Message]) -> int:
    """Returns the total number of payload bytes of several messages."""
    return sum(map(len, messages))
