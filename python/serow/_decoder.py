"""A decoder of streams whose bytes come by themselves, as from a connection of asyncio."""

from collections import deque
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, overload

from serow import _native
from serow._options import Signature

if TYPE_CHECKING:
    from typing_extensions import Buffer, Unpack

_Row = TypeVar("_Row")


class _NoBytesError(BlockingIOError):
    """All bytes that were fed are read, and more may come."""


class _Fed:
    """The bytes that were fed and not read yet."""

    def __init__(self) -> None:
        """Begin without bytes."""
        self._parts: deque[memoryview] = deque()
        self.is_ended = False

    def feed(self, data: "Buffer") -> None:
        """Take bytes. They are copied, because their owner may change them later."""
        if len(part := memoryview(bytes(data))):
            self._parts.append(part)

    def read(self, count: int) -> bytes:
        """Give up to so many bytes; none at the end."""
        if not self._parts:
            if self.is_ended:
                return b""
            raise _NoBytesError("the bytes until now say no more; feed those that follow")
        part = self._parts.popleft()
        if len(part) > count:
            self._parts.appendleft(part[count:])
        return bytes(part[:count])


class Decoder(_native.StreamReader, Generic[_Row]):
    """Decodes a stream from bytes that are fed to it, for programs that wait for bytes themselves.

    `feed` takes bytes, in pieces of any size, and gives the rows of all frames that are whole now.
    `close` says that no more bytes come. Streams one after another are decoded as one. A `Reader`
    is for files and for sockets that wait; docs/streams.md has an example with asyncio.

    `type`, `times`, `arrays`, `validate`, `records` and `max_memory`, for each frame, are as for
    `loads`. `rows`, `bytes_read`, `schema` and `metadata` are as for a `Reader`; `metadata` raises
    a BlockingIOError before the header has come whole. Memory is bounded by a frame and the bytes
    that are fed at once. One thread at a time may use it.

        >>> import io, serow
        >>> file = io.BytesIO()
        >>> with serow.Writer(file) as writer:
        ...     writer.write((1, "bolt"))
        ...     writer.flush()
        ...     writer.write((2, "nut"))
        >>> data, decoder = file.getvalue(), serow.Decoder()
        >>> [row for byte in data for row in decoder.feed(bytes([byte]))]
        [(1, 'bolt'), (2, 'nut')]
        >>> decoder.close()
    """

    # As for `Writer`.
    __slots__ = ("__weakref__", "_fed")

    _fed: _Fed

    __signature__: ClassVar[Any] = Signature(_native.StreamReader)

    @overload
    def __new__(
        cls,
        *,
        type: "type[_Row] | _native.Codec[_Row]",
        **options: "Unpack[_native._FrameOptions]",
    ) -> "Decoder[_Row]": ...
    @overload
    def __new__(
        cls, *, type: Any = None, **options: "Unpack[_native._FrameOptions]"
    ) -> "Decoder[Any]": ...
    def __new__(cls, **options: Any) -> "Decoder[Any]":
        """Begin before a stream."""
        fed = _Fed()
        self = super().__new__(cls, fed.read, **options)
        self._fed = fed
        return self

    def feed(self, data: "Buffer", /) -> list[_Row]:
        """Take the bytes of `data`, and give the rows of the frames that are whole now.

        Raises DecodeError where the stream is damaged, and again at each later call. The rows of
        all whole frames before that place are given first: then the next call raises it. Raises
        ValueError after `close`.

            >>> import serow
            >>> decoder, data = serow.Decoder(), serow.dumps([7])
            >>> decoder.feed(data[:20]), decoder.feed(data[20:])
            ([], [7])
        """
        if self._fed.is_ended:
            raise ValueError("this Decoder is closed; make another one for another stream")
        self._fed.feed(data)
        return self._rows()

    def close(self) -> None:
        """Say that no more bytes come.

        Raises DecodeError if the stream is cut: if the bytes end before it does. A second call
        raises it again.

            >>> import serow
            >>> decoder = serow.Decoder()
            >>> decoder.feed(serow.dumps([7])[:20])
            []
            >>> decoder.close()
            Traceback (most recent call last):
            serow.DecodeError: frame 0 (at byte 8): the message is cut: it ends at byte 20
        """
        self._fed.is_ended = True
        self._rows()

    def _rows(self) -> list[_Row]:
        rows: list[_Row] = []
        try:
            while (frame := self._next_frame()) is not None:
                rows += frame
        except _NoBytesError:
            pass
        except Exception:
            # The reader raises it again.
            if not rows:
                raise
        return rows
