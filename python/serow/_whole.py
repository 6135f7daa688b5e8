"""`serow.dump` and `serow.load`: all rows of a file at once."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from serow import _native
from serow._files import Path, Readable, Writable
from serow._streams import Reader, Writer

if TYPE_CHECKING:
    from typing_extensions import Unpack

_Row = TypeVar("_Row")


def dump(
    rows: Iterable[Any],
    file: Path | Writable,
    schema: "_native.Schema | str | type[Any] | None" = None,
    *,
    wire: Literal["frame", "row"] = "frame",
    compression: Literal["zstd", "lz4"] | None = None,
    level: int | None = None,
    threads: int | Literal["auto"] | None = None,
    times: Literal["exact", "portable"] = "exact",
    metadata: dict[str, str] | None = None,
    ints_as_floats: bool = False,
) -> None:
    """Write all rows to a file as one stream.

    `file` is a path, which is created or overwritten, or an object with a method `write(bytes)`.
    `rows` is any iterable, or a table as for `dumps`. `schema`, `wire`, `compression`, `level`,
    `threads`, `times`, `metadata` and `ints_as_floats` are as for a `Writer`, which this uses: so
    memory is bounded by a frame.

    Raises what `Writer.write_rows` raises. Then the file has the rows before, without the stream's
    end.

        >>> import os, serow, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "parts.srow")
        >>> serow.dump([(1, "bolt"), (2, None)], path, compression="zstd")
        >>> serow.load(path)
        [(1, 'bolt'), (2, None)]
    """
    with Writer(
        file,
        schema,
        wire=wire,
        compression=compression,
        level=level,
        threads=threads,
        times=times,
        metadata=metadata,
        ints_as_floats=ints_as_floats,
    ) as writer:
        writer.write_rows(rows)


@overload
def load(
    file: Path | Readable,
    *,
    type: "type[_Row] | _native.Codec[_Row]",
    **options: "Unpack[_native._ThreadedFrameOptions]",
) -> list[_Row]: ...
@overload
def load(
    file: Path | Readable,
    *,
    type: Any = None,
    **options: "Unpack[_native._ThreadedFrameOptions]",
) -> list[Any]: ...
def load(
    file: Path | Readable,
    *,
    type: Any = None,
    max_memory: int | None = None,
    threads: int | Literal["auto"] | None = None,
    times: Literal["exact", "portable"] = "exact",
    arrays: Literal["numpy"] | None = None,
    validate: bool = False,
    records: Literal["dict"] | None = None,
) -> list[Any]:
    """Read all rows of a file: of its streams or messages, one after another.

    `file` is a path, or an object with a method `read(n)`. `type`, `threads`, `times`, `arrays`,
    `validate`, `records` and `max_memory`, for each frame, are as for `loads`.

    Raises DecodeError if the file is cut or damaged; a `Reader` gives the rows before that place.

        >>> import io, serow
        >>> serow.load(io.BytesIO(serow.dumps([1, 2])))
        [1, 2]
    """
    with Reader(
        file,
        type=type,
        max_memory=max_memory,
        threads=threads,
        times=times,
        arrays=arrays,
        validate=validate,
        records=records,
    ) as reader:
        return [row for rows in reader.frames() for row in rows]
