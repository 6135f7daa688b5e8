"""zstd and gzip, of bytes at once and of streams.

zstd is in Python's library since 3.14, and in the package zstandard before.
"""

import gzip
import io
import sys
from collections.abc import Mapping
from typing import Protocol, cast

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    import zstandard

ZSTD_LEVEL = 1
"""serow's default."""

GZIP_LEVEL = 6
"""The default of zlib and of Java's GZIPOutputStream."""


class Compressor(Protocol):
    """A compression with a fixed level."""

    def compress(self, data: bytes) -> bytes:
        """Compresses in one call."""

    def decompress(self, data: bytes) -> bytes:
        """Reverses `compress` in one call."""


class StreamCompressor(Protocol):
    """The same for streams."""

    def writer(self, out: io.BytesIO) -> io.RawIOBase:
        """Returns a file that compresses what is written to it. Closing it leaves `out` open."""

    def reader(self, source: io.BytesIO) -> io.RawIOBase:
        """Returns a file that decompresses `source`."""


class Zstd:
    """zstd."""

    if sys.version_info >= (3, 14):

        def compress(self, data: bytes) -> bytes:
            """Compresses in one call."""
            return zstd.compress(data, ZSTD_LEVEL)

        def decompress(self, data: bytes) -> bytes:
            """Reverses `compress` in one call."""
            return zstd.decompress(data)

        def writer(self, out: io.BytesIO) -> io.RawIOBase:
            """Returns a file that compresses what is written to it."""
            return cast(io.RawIOBase, zstd.ZstdFile(out, "wb", level=ZSTD_LEVEL))

        def reader(self, source: io.BytesIO) -> io.RawIOBase:
            """Returns a file that decompresses `source`."""
            return cast(io.RawIOBase, zstd.ZstdFile(source, "rb"))

    else:

        def __init__(self) -> None:
            """Makes the contexts, which are used again and again."""
            self._compressor = zstandard.ZstdCompressor(level=ZSTD_LEVEL)
            self._decompressor = zstandard.ZstdDecompressor()

        def compress(self, data: bytes) -> bytes:
            """Compresses in one call."""
            return self._compressor.compress(data)

        def decompress(self, data: bytes) -> bytes:
            """Reverses `compress` in one call."""
            return self._decompressor.decompress(data)

        def writer(self, out: io.BytesIO) -> io.RawIOBase:
            """Returns a file that compresses what is written to it."""
            return cast(io.RawIOBase, self._compressor.stream_writer(out, closefd=False))

        def reader(self, source: io.BytesIO) -> io.RawIOBase:
            """Returns a file that decompresses `source`."""
            return cast(io.RawIOBase, self._decompressor.stream_reader(source))


class Gzip:
    """gzip."""

    def compress(self, data: bytes) -> bytes:
        """Compresses in one call."""
        return gzip.compress(data, GZIP_LEVEL)

    def decompress(self, data: bytes) -> bytes:
        """Reverses `compress` in one call."""
        return gzip.decompress(data)

    def writer(self, out: io.BytesIO) -> io.RawIOBase:
        """Returns a file that compresses what is written to it."""
        return cast(io.RawIOBase, gzip.GzipFile(fileobj=out, mode="wb", compresslevel=GZIP_LEVEL))

    def reader(self, source: io.BytesIO) -> io.RawIOBase:
        """Returns a file that decompresses `source`."""
        return cast(io.RawIOBase, gzip.GzipFile(fileobj=source, mode="rb"))


class Plain:
    """No compression."""

    def compress(self, data: bytes) -> bytes:
        """Returns the same."""
        return data

    def decompress(self, data: bytes) -> bytes:
        """Returns the same."""
        return data


NONE, ZSTD, LZ4, GZIP = "none", "zstd", "lz4", "gzip"

COMPRESSORS: Mapping[str, type[Compressor]] = {NONE: Plain, ZSTD: Zstd, GZIP: Gzip}

STREAMS: Mapping[str, type[StreamCompressor]] = {ZSTD: Zstd, GZIP: Gzip}
