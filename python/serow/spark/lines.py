"""Lines of texts, read in bulk: `sc.textFile`, `DataFrame.toJSON` and streams of text."""

import itertools
import struct
from collections.abc import Iterator
from typing import Any

from pyspark.serializers import UTF8Deserializer

from serow import _native
from serow.spark._arrival import arrival


class Lines(UTF8Deserializer):
    """Reads what `UTF8Deserializer` reads, as many lines at once as the stream has in its buffer.

    It is equal to one, and says that it is one: both read the same bytes as the same lines.
    """

    def load_stream(self, stream: Any) -> Iterator[str | bytes | None]:
        """The lines up to the end of the section; nothing behind that is taken from the stream."""
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
                # A line that is not whole in the buffer, or that Spark has to judge.
                try:
                    line = self.loads(stream)
                except (EOFError, struct.error):
                    return
                yield [line]

    def _load_stream_without_unbatching(self, stream: Any) -> Iterator[list[Any]]:
        # The lines of zipped texts come from one stream by turns, so none may be taken ahead.
        return map(lambda line: [line], super().load_stream(stream))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UTF8Deserializer) and self.use_unicode == other.use_unicode

    def __hash__(self) -> int:
        # That of the deserializer that it is equal to.
        return hash(repr(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return arrival(Lines, self.use_unicode)
