"""The schema of what is in a file or in memory, and folders of schemas."""

import io
import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from serow import _native
from serow._files import MemoryReader, PositionReader, open_regular
from serow._native import DecodeError, Schema, SchemaError, SchemaSet

if TYPE_CHECKING:
    from typing_extensions import Buffer

    _Path = str | os.PathLike[str]

#: What the name of a schema's file ends with, after the fingerprint.
_SUFFIX = ".schema"
_FINGERPRINT = re.compile(r"-([0-9a-f]{16})\.schema$")
#: A schema's text needs no more. A longer file is none, and is not read.
_MOST_BYTES = 64 << 20


def schema_of(source: "_Path | Buffer | Any") -> Schema:
    """Give the schema of the rows in `source`: a message, a stream, or several one after another.

    `source` is bytes or another buffer, a path, or a file with `seek` and `read`, from its position
    on, where it is again afterwards. If rows were written with several schemas, such as those of a
    Writer that widens its schema, the result fits them all: they join as the types of rows do. A
    stream that has not ended, or is cut, has the schemas of the frames that begin in it.

    Only headers and schemas are read, whatever the size of the rows. So damaged rows are found when
    they are read.

    Raises DecodeError if `source` is not serow's, or if a schema is damaged. A single record of
    `Codec.encode_one` has no schema, only its fingerprint, by which `SchemaSet.find` finds it.

        >>> import serow
        >>> serow.schema_of(serow.dumps([(8429, "almond"), (8430, None)]))
        Schema.parse('(i64, str?)')
    """
    if isinstance(source, str | os.PathLike):
        with open(source, "rb", buffering=0) as file:
            return _schema_of_file(file)
    if hasattr(source, "read"):
        return _schema_of_file(source)
    memory = MemoryReader(source, "source")
    return _schema_at(memory.read, memory.length())


def _schema_of_file(file: Any) -> Schema:
    if not (hasattr(file, "seek") and getattr(file, "seekable", lambda: True)()):
        raise ValueError(
            "the file can't seek, so what is read of it would be lost for its reader; read a frame "
            "with serow.Reader, whose schema says what it has"
        )
    begin = file.tell()
    try:
        place = PositionReader(file)
        length = max(place.length() - begin, 0)
        return _schema_at(lambda at, count: place.read(begin + at, count), length)
    finally:
        file.seek(begin)


def _schema_at(read_at: Any, length: int) -> Schema:
    try:
        return _native.schema_at(read_at, length)
    except DecodeError as error:
        if "does not begin with SROW" not in str(error) or length < 8:
            raise
        told = DecodeError(
            f"{error}; if it is a single record, it has no schema: its first 8 bytes are the "
            "fingerprint, for SchemaSet.find"
        )
        told.offset = error.offset
        raise told from None


def read_folder(folder: "_Path") -> SchemaSet:
    """Read the files of `SchemaSet.save`, for `SchemaSet.from_folder`."""
    schemas = SchemaSet()
    # None would be the current folder.
    for name in sorted(os.listdir(os.fspath(folder))):
        if name.startswith(".") or not name.endswith(_SUFFIX):
            continue
        schemas.add(_read(os.path.join(folder, name)))
    return schemas


def _read(path: str) -> Schema:
    with io.BufferedReader(open_regular(path, "from_folder")) as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise SchemaError(f"{path}: it is too long for a schema's text")
    try:
        schema = Schema.parse(data.decode())
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SchemaError(f"{path}: line {line}: the text is not UTF-8") from None
    except _native.SerowError as error:
        raise type(error)(f"{path}: {error}") from None
    named = _FINGERPRINT.search(path)
    if named is not None and int(named[1], 16) != schema.fingerprint:
        raise SchemaError(
            f"{path}: the schema has the fingerprint {schema.fingerprint:016x}, and the file's "
            f"name has {named[1]}; a schema that rows have does not change: restore the file, and "
            "save the other schema beside it"
        )
    return schema


def write_folder(schemas: SchemaSet, folder: "_Path") -> list[str]:
    """Write the files of a set, for `SchemaSet.save`."""
    os.makedirs(folder, exist_ok=True)
    known = set(read_folder(folder))
    written = []
    for schema in schemas:
        if schema in known:
            continue
        name = f"{_file_name(schema)}-{schema.fingerprint:016x}{_SUFFIX}"
        _write(folder, name, f"{schema.pretty()}\n".encode())
        written.append(os.path.join(folder, name))
    return written


def _file_name(schema: Schema) -> str:
    """Give what a file's name begins with: the record's name, as far as all systems allow it."""
    from serow._comparing import _name_of

    name = re.sub(r"[^0-9A-Za-z_-]", "_", _name_of(schema) or "rows")
    return name[:80] or "rows"


def _write(folder: "_Path", name: str, data: bytes) -> None:
    """Write a whole file or nothing."""
    temporary = os.path.join(folder, f".{name[:80]}-{os.urandom(8).hex()}.tmp")
    try:
        with open(temporary, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, os.path.join(folder, name))
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
