"""Lines of text, read in bulk for `sc.textFile`, `DataFrame.toJSON` and text streams."""

import itertools
import struct
from collections.abc import Iterator
from typing import Any

from pyspark.serializers import UTF8Deserializer

from serow import _native
from serow.spark._arrival import arrival


class Lines(UTF8Deserializer):
    """Reads the same lines as `UTF8Deserializer`, all lines in the stream's buffer at once.

    It equals a `UTF8Deserializer` and has the same hash, because both read the same bytes to the
    same lines.
    """

    def load_stream(self, stream: Any) -> Iterator[str | bytes | None]:
        """Give the lines up to the end of the section; leave later bytes in the stream."""
        if not hasattr(stream, "peek"):
            lines: Iterator[str | bytes | None] = super().load_stream(stream)
            return lines
        return itertools.chain.from_iterable(self._runs(stream))

    def _runs(self, stream: Any) -> Iterator[list[Any]]:
        while True:
            lines, used, ended = _native.lines(stream.peek(), self.use_unicode)
            stream.read(used)
            if lines:
                yield lines
            if ended:
                return
            if not lines:
                # The buffer ends inside the line, or Spark has to decide about it.
                try:
                    line = self.loads(stream)
                except (EOFError, struct.error):
                    return
                yield [line]

    def _load_stream_without_unbatching(self, stream: Any) -> Iterator[list[Any]]:
        # Zipped texts take lines from one stream by turns, so none may be read ahead.
        return map(lambda line: [line], super().load_stream(stream))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UTF8Deserializer) and self.use_unicode == other.use_unicode

    def __hash__(self) -> int:
        return hash(repr(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return arrival(Lines, self.use_unicode)
