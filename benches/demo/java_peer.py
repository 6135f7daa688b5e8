"""One contestant's JVM: starts it, talks to it over loopback TCP, and always reaps it."""

import contextlib
import hmac
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from demo import framing
from demo.clock import timed
from demo.errors import DemoError
from demo.protocol import Kind
from demo.rows import Message

START_SECONDS = 60.0
ANSWER_SECONDS = 300.0
STOP_SECONDS = 5.0
TOKEN_VARIABLE = "SEROW_DEMO_TOKEN"

JVM_OPTIONS = ("-Xms1g", "-Xmx1g", "-XX:+UseParallelGC")
"""The same heap and collector for every contestant, independent of the machine's defaults."""


def java_command(jar: Path, options: Sequence[str] = JVM_OPTIONS) -> list[str]:
    """Returns the command of the JVM's side, up to the arguments of its `main`."""
    return [find_java(), *options, "--enable-native-access=ALL-UNNAMED", "-jar", str(jar)]


def find_java() -> str:
    """Returns the `java` of JAVA_HOME or PATH if it is 17 or later. The error says what to do."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home, "bin", "java")) if home else shutil.which("java")
    wanted = "install a JDK 17 or later (Debian: apt install openjdk-17-jdk) or set JAVA_HOME"
    if java is None:
        raise DemoError(f"no java in the PATH: {wanted}")
    try:
        done = subprocess.run(
            [java, "-XshowSettings:properties", "-version"],
            capture_output=True,
            text=True,
            timeout=START_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        raise DemoError(f"{java} doesn't run: {wanted}") from None
    version = java_version(done.stderr)
    if version < 17:
        raise DemoError(f"{java} is Java {version}: {wanted}")
    return java


def java_version(settings: str) -> int:
    """Returns the feature version (8, 17, 25) in what `-XshowSettings:properties` prints, or 0."""
    for line in settings.splitlines():
        key, _, value = line.partition("=")
        if key.strip() == "java.specification.version":
            return int(value.strip().removeprefix("1.").split(".")[0])
    return 0


def _key_values(payload: Message) -> dict[str, str]:
    """Parses lines of "key=value"."""
    lines = payload.decode().splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)


def _decoded(answer: Message) -> tuple[float, int, bytes]:
    nanoseconds, rows = framing.unpack_numbers(answer, 2)
    return nanoseconds / 1e9, rows, bytes(answer[16:])


def _encoded(answer: Message) -> tuple[float, int]:
    nanoseconds, size = framing.unpack_numbers(answer, 2)
    return nanoseconds / 1e9, size


class JavaPeer:
    """A child process for one contestant, and the connection to it. Must be closed."""

    def __init__(
        self,
        command: Sequence[str],
        contestant: str,
        environment: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Starts `command contestant port` and waits until it has connected.

        `environment` is added to that of this process.
        """
        self._environment = environment
        self._log = tempfile.TemporaryFile()  # noqa: SIM115, closed with the peer
        self._connection: socket.socket | None = None
        self._child: subprocess.Popen[bytes] | None = None
        try:
            self._start(command, contestant)
        except BaseException:
            self.close()
            raise

    def _start(self, command: Sequence[str], contestant: str) -> None:
        token = secrets.token_hex(16)
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            self._child = subprocess.Popen(
                [*command, contestant, str(port)],
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
                env={**os.environ, **self._environment, TOKEN_VARIABLE: token},
            )
            self._connection = self._accept(server)
        self._connection.settimeout(ANSWER_SECONDS)
        self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if not hmac.compare_digest(self._answer(Kind.HELLO), token.encode()):
            raise self._failure("something else than the JVM connected")

    def _accept(self, server: socket.socket) -> socket.socket:
        """Returns the child's connection. Notices at once if the child died meanwhile."""
        server.settimeout(0.1)
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            try:
                return server.accept()[0]
            except TimeoutError:
                if self._child is not None and self._child.poll() is not None:
                    raise self._failure("the JVM exited before it connected") from None
        raise self._failure(f"the JVM did not connect in {START_SECONDS:.0f} s")

    def close(self) -> None:
        """Closes the connection, gives the child a moment to exit, and reaps it in any case."""
        if self._connection is not None:
            self._connection.close()
        if self._child is not None:
            try:
                self._child.wait(STOP_SECONDS if self._connection else 0)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()
        self._log.close()

    @property
    def pid(self) -> int:
        """The child's process id."""
        assert self._child is not None
        return self._child.pid

    def send_messages(self, messages: Sequence[Message]) -> float:
        """Sends messages. Returns the seconds from the first byte sent to the last one received."""
        connection = self._open()

        def transfer() -> bytes:
            try:
                framing.send(connection, Kind.MESSAGES, framing.pack_numbers(len(messages)))
                for message in messages:
                    framing.send(connection, Kind.DATA, message)
            except OSError as error:
                raise self._failure(f"sending failed: {error}") from None
            return bytes(self._answer(Kind.RECEIVED))

        answer, seconds = timed(transfer)
        received = framing.unpack_numbers(answer, 1)[0]
        if received != framing.total(messages):
            sent = framing.total(messages)
            raise self._failure(f"{sent:,} bytes were sent and {received:,} received")
        return seconds

    def receive_messages(self) -> tuple[list[bytearray], float]:
        """Returns the messages that the JVM has encoded, and the seconds until the last byte.

        The time includes the way of the short message that asks for them.
        """

        def transfer() -> list[bytearray]:
            count = framing.unpack_numbers(self._ask(Kind.SEND, Kind.MESSAGES), 1)[0]
            if count > framing.MAX_COUNT:
                raise self._failure(f"the JVM announced {count:,} messages")
            return [self._answer(Kind.DATA) for _ in range(count)]

        return timed(transfer)

    def decode(self) -> tuple[float, int, bytes]:
        """Lets the JVM decode what it received. Returns seconds, number of rows and digest."""
        return _decoded(self._ask(Kind.DECODE, Kind.DECODED))

    def encode(self) -> tuple[float, int]:
        """Lets the JVM encode the rows it decoded last. Returns seconds and bytes."""
        return _encoded(self._ask(Kind.ENCODE, Kind.ENCODED))

    def read_stream(self, path: Path) -> tuple[float, int, bytes]:
        """Lets the JVM read a stream. Returns seconds, number of rows and digest."""
        return _decoded(self._ask(Kind.READ_STREAM, Kind.DECODED, str(path).encode()))

    def write_stream(self, path: Path, compression: str) -> tuple[float, int]:
        """Lets the JVM write the rows it read last to a stream. Returns seconds and bytes."""
        asked = f"{compression} {path}".encode()
        return _encoded(self._ask(Kind.WRITE_STREAM, Kind.ENCODED, asked))

    def warm_up(self, rounds: int) -> None:
        """Lets the JVM decode and encode what it received this many times, untimed."""
        self._ask(Kind.WARM_UP, Kind.WARMED_UP, framing.pack_numbers(rounds))

    def about(self) -> dict[str, str]:
        """Returns the JVM's description of itself."""
        return _key_values(self._ask(Kind.ABOUT, Kind.ABOUT))

    def ask(self, words: str) -> dict[str, str]:
        """Returns the answer of the benchmark's JVM side to `words`."""
        return _key_values(self._ask(Kind.ASK, Kind.TOLD, words.encode()))

    def _open(self) -> socket.socket:
        assert self._connection is not None
        return self._connection

    def _ask(self, kind: Kind, expected: Kind, payload: bytes = b"") -> bytearray:
        try:
            framing.send(self._open(), kind, payload)
        except OSError as error:
            raise self._failure(f"sending {kind.name} failed: {error}") from None
        return self._answer(expected)

    def _answer(self, expected: Kind) -> bytearray:
        """Returns the payload of the next message, which must have the expected kind."""
        try:
            message = framing.receive(self._open())
        except TimeoutError:
            raise self._failure(f"no {expected.name} in {ANSWER_SECONDS:.0f} s") from None
        except (OSError, framing.FramingError) as error:
            raise self._failure(str(error)) from None
        if message is None:
            raise self._failure(f"the JVM hung up instead of sending {expected.name}")
        kind, payload = message
        if kind == Kind.FAILED:
            raise self._failure(payload.decode("utf-8", "replace"))
        if kind != expected:
            raise self._failure(f"expected {expected.name} from the JVM, got kind {kind}")
        return payload

    def _failure(self, what: str) -> DemoError:
        """Returns an error with the last output of the child."""
        if self._child is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(0.5)
        self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, self._log.tell() - 4000))
        printed = self._log.read().decode("utf-8", "replace").strip()
        return DemoError(f"{what}\nThe JVM printed:\n{printed}" if printed else what)
