import socket
import threading
from collections.abc import Iterator

import pytest

from demo import framing
from demo.framing import FramingError

Pair = tuple[socket.socket, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    left, right = socket.socketpair()
    left.settimeout(10)
    right.settimeout(10)
    with left, right:
        yield left, right


def received(connection: socket.socket) -> tuple[int, bytes] | None:
    message = framing.receive(connection)
    return None if message is None else (message[0], bytes(message[1]))


def test_messages_arrive_one_by_one_as_they_were(pair: Pair) -> None:
    left, right = pair
    for kind, payload in ((1, b""), (3, b"abc"), (255, bytes(1000))):
        framing.send(left, kind, payload)
    assert received(right) == (1, b"")
    assert received(right) == (3, b"abc")
    assert received(right) == (255, bytes(1000))


def test_a_message_larger_than_the_socket_takes_at_once_arrives_whole(pair: Pair) -> None:
    left, right = pair
    payload = bytes(range(256)) * 20_000
    sender = threading.Thread(target=framing.send, args=(left, 3, payload))
    sender.start()
    assert received(right) == (3, payload)
    sender.join()


def test_the_end_between_messages_is_no_error(pair: Pair) -> None:
    left, right = pair
    framing.send(left, 3, b"abc")
    left.close()
    assert received(right) == (3, b"abc")
    assert received(right) is None


@pytest.mark.parametrize("length", range(1, 5 + 3))
def test_a_cut_at_any_other_place_is_an_error(pair: Pair, length: int) -> None:
    left, right = pair
    left.sendall(b"\x03\0\0\0\x03abc"[:length])
    left.close()
    with pytest.raises(FramingError, match="the stream ended after"):
        framing.receive(right)


def test_an_oversized_length_is_refused_before_anything_is_allocated(pair: Pair) -> None:
    left, right = pair
    left.sendall(b"\x03\xff\xff\xff\xff")
    with pytest.raises(FramingError, match="claims 4,294,967,295 bytes"):
        framing.receive(right)


def test_an_oversized_message_is_not_sent(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(framing, "MAX_LENGTH", 10)
    with pytest.raises(FramingError, match="is over 10"):
        framing.send(pair[0], 3, bytes(11))


def test_numbers_come_back() -> None:
    payload = framing.pack_numbers(0, 1, (1 << 64) - 1)
    assert framing.unpack_numbers(payload, 3) == (0, 1, (1 << 64) - 1)
    with pytest.raises(FramingError, match="has no 4 numbers"):
        framing.unpack_numbers(payload, 4)
