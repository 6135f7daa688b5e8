"""One timed round: rows to the JVM, checked there by digest, and back, compared here."""

from collections.abc import Sequence
from dataclasses import dataclass

from demo.clock import collector_off, timed
from demo.compare import first_difference
from demo.contestants.contestant import Contestant
from demo.errors import DemoError
from demo.framing import total
from demo.java_peer import JavaPeer
from demo.measure import Round
from demo.rows import Message, Rows

KEEP_EVERY = 300
"""For a warm decode, one row in this many stays alive, so at least one in every arena of CPython's
allocator. CPython would return an empty arena to the system and fault it in again."""


@dataclass(frozen=True)
class Travelled:
    """The times and sizes of a round."""

    times: Round
    python_bytes: int
    java_bytes: int


def travel(contestant: Contestant, peer: JavaPeer, rows: Rows, expected: bytes) -> Travelled:
    """Runs one round trip of `rows`, whose digest is `expected`. Raises if anything differs."""
    with collector_off():
        sent, python_encode = timed(lambda: contestant.encode(rows))
    to_java = peer.send_messages(sent)
    java_decode = check_decoded(peer.decode(), len(rows), expected)
    java_encode, java_bytes = peer.encode()
    received, to_python = peer.receive_messages()
    if total(received) != java_bytes:
        raise DemoError(f"the JVM encoded {java_bytes:,} bytes, {total(received):,} came back")
    python_cold, python_warm = _decode(contestant, received, rows, "JVM to Python")
    own_cold, own_warm = _decode(contestant, sent, rows, "Python to Python")
    times = Round(
        python_encode=python_encode,
        to_java=to_java,
        java_decode=java_decode,
        java_encode=java_encode,
        to_python=to_python,
        python_decode_cold=python_cold,
        python_decode_warm=python_warm,
        own_decode_cold=own_cold,
        own_decode_warm=own_warm,
    )
    return Travelled(times, total(sent), java_bytes)


def check_decoded(told: tuple[float, int, bytes], rows: int, expected: bytes) -> float:
    """Returns the seconds that the JVM tells. Raises if it has other rows."""
    seconds, count, digest = told
    if count != rows:
        raise DemoError(f"Python to JVM: {rows:,} rows were sent, the JVM has {count:,}")
    if digest != expected:
        raise DemoError(
            "Python to JVM: the digests of the rows differ, "
            f"Python {expected.hex()}, JVM {digest.hex()}"
        )
    return seconds


def _decode(
    contestant: Contestant, messages: Sequence[Message], rows: Rows, way: str
) -> tuple[float, float]:
    """Decodes twice, cold and warm, and compares both results with the rows."""

    def decode() -> Rows:
        return contestant.decode(messages)

    with collector_off():
        result, cold = timed(decode)
    check(rows, result, way)
    kept = result[::KEEP_EVERY]
    del result
    with collector_off():
        result, warm = timed(decode)
    check(rows, result, way)
    del kept
    return cold, warm


def check(sent: Rows, received: Rows, way: str) -> None:
    """Raises if the rows differ."""
    difference = first_difference(sent, received)
    if difference is not None:
        raise DemoError(f"{way}: {difference}")
