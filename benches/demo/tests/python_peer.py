"""Replaces the JVM: the same protocol, in Python, with pickle. So tests need no JVM.

Its first argument selects the behaviour: `pickle` is correct, each other one has a fault.
"""

import os
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import serow

from demo import framing
from demo.contestants.pickle_batches import PickleBatches
from demo.digest import digest
from demo.java_peer import TOKEN_VARIABLE
from demo.protocol import Kind
from demo.rows import Message, Rows
from demo.streams import COMPRESSIONS


class PythonPeer:
    """The state of one connection."""

    def __init__(self, behaviour: str, connection: socket.socket) -> None:
        self._behaviour = behaviour
        self._connection = connection
        self._contestant = PickleBatches()
        self._received: list[Message] = []
        self._rows: Rows = []
        self._encoded: Sequence[Message] = []

    def serve(self) -> None:
        """Answers until the other side hangs up."""
        while (message := framing.receive(self._connection)) is not None:
            kind, payload = message
            getattr(self, f"_{Kind(kind).name.lower()}")(payload)

    def _reply(self, kind: int, payload: Message = b"") -> None:
        framing.send(self._connection, kind, payload)

    def _messages(self, payload: bytearray) -> None:
        (count,) = framing.unpack_numbers(payload, 1)
        messages = [framing.receive(self._connection) for _ in range(count)]
        self._received = [message[1] for message in messages if message is not None]
        self._reply(Kind.RECEIVED, framing.pack_numbers(framing.total(self._received)))

    def _decode(self, payload: bytearray) -> None:
        if self._behaviour == "hangs-up":
            sys.exit("this is why")
        if self._behaviour == "fails":
            self._reply(Kind.FAILED, b"DecodeException: not a message")
            return
        if self._behaviour == "wrong-kind":
            self._reply(Kind.WARMED_UP)
            return
        self._rows = self._contestant.decode(self._received)
        self._tell_rows()

    def _tell_rows(self) -> None:
        if self._behaviour == "loses-a-row":
            self._rows.pop()
        if self._behaviour == "changes-a-type":
            self._rows[-1] = (float(str(self._rows[-1][0])), *self._rows[-1][1:])
        counts = framing.pack_numbers(1000, len(self._rows))
        self._reply(Kind.DECODED, counts + digest(self._rows))

    def _encode(self, payload: bytearray) -> None:
        if self._behaviour == "encodes-another-row":
            self._rows[0] = (*self._rows[0][:-1], "something else")
        self._encoded = self._contestant.encode(self._rows)
        self._reply(Kind.ENCODED, framing.pack_numbers(1000, framing.total(self._encoded)))

    def _read_stream(self, payload: bytearray) -> None:
        with serow.Reader(payload.decode()) as reader:
            self._rows = list(reader)
        self._tell_rows()

    def _write_stream(self, payload: bytearray) -> None:
        compression, path = payload.decode().split(" ", 1)
        if self._behaviour == "streams-another-row":
            self._rows[0] = (*self._rows[0][:-1], "something else")
        with serow.Writer(path, compression=COMPRESSIONS[compression]) as writer:
            writer.write_rows(self._rows)
        self._reply(Kind.ENCODED, framing.pack_numbers(1000, writer.bytes_written))

    def _send(self, payload: bytearray) -> None:
        self._reply(Kind.MESSAGES, framing.pack_numbers(len(self._encoded)))
        for message in self._encoded:
            self._reply(Kind.DATA, message)

    def _warm_up(self, payload: bytearray) -> None:
        self._reply(Kind.WARMED_UP)

    def _about(self, payload: bytearray) -> None:
        self._reply(Kind.ABOUT, b"java=none\ntier=interpreter\n")


def main() -> None:
    """Connects and serves, like `Main.java`."""
    behaviour, port = sys.argv[1:]
    if behaviour == "never-connects":
        sys.exit("no such contestant")
    with socket.create_connection(("127.0.0.1", int(port))) as connection:
        token = "guessed" if behaviour == "stranger" else os.environ[TOKEN_VARIABLE]
        framing.send(connection, Kind.HELLO, token.encode())
        if behaviour == "hangs":
            time.sleep(60)
        peer = PythonPeer(behaviour, connection)
        peer.serve()


if __name__ == "__main__":
    main()
