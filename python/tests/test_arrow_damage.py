"""Damaged C arrays, schemas and streams are errors, and their producer's memory is released once.

`crates/arrow/tests/damaged` has many more kinds of damage. These go through capsules.
"""

import ctypes
import errno
import gc
import io
import sys
from collections.abc import Callable
from typing import Any

import pytest
import serow

pytestmark = pytest.mark.tiers


class CSchema(ctypes.Structure):
    pass


class CArray(ctypes.Structure):
    pass


class CStream(ctypes.Structure):
    pass


Release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
GetSchema = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(CSchema))
GetNext = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(CArray))
GetLastError = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)

CSchema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(CSchema))),
    ("dictionary", ctypes.POINTER(CSchema)),
    ("release", Release),
    ("private_data", ctypes.c_void_p),
]
CArray._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(CArray))),
    ("dictionary", ctypes.POINTER(CArray)),
    ("release", Release),
    ("private_data", ctypes.c_void_p),
]
CStream._fields_ = [
    ("get_schema", GetSchema),
    ("get_next", GetNext),
    ("get_last_error", GetLastError),
    ("release", Release),
    ("private_data", ctypes.c_void_p),
]

# A capsule is dropped while its destructor runs, so it is no object there.
Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
is_pending = ctypes.PYFUNCTYPE(ctypes.c_void_p)(("PyErr_Occurred", ctypes.pythonapi))


class Producer:
    """A table with the column v of the numbers 1, 2 and 3, as C structures that a test may damage.

    It counts the releases of each structure. As it owns them, it releases what nobody has taken.
    """

    def __init__(self) -> None:
        self.kept: list[Any] = []
        self.releases: dict[str, int] = {}
        self.pending: list[str] = []
        self.error: bytes | None = None
        self.codes = {"get_schema": 0, "get_next": 0}
        self.column = self._array("column", [None, (ctypes.c_int64 * 3)(1, 2, 3)], [])
        self.array = self._array("array", [None], [self.column])
        self.column_schema = self._schema("column's schema", b"l", [])
        self.schema = self._schema("schema", b"+s", [self.column_schema])
        self.arrays = [self.array]

    def _released(self, name: str, kind: Any, children: list[Any]) -> Any:
        """Give the callback that releases a structure."""
        self.releases[name] = 0

        def release(address: int) -> None:
            if is_pending():
                self.pending.append(name)
            self.releases[name] += 1
            for child in children:
                if child.release:
                    child.release(ctypes.addressof(child))
            kind.from_address(address).release = Release()

        callback = Release(release)
        self.kept += [callback, children]
        return callback

    def _array(self, name: str, buffers: list[Any], children: list[CArray]) -> CArray:
        addresses = (ctypes.c_void_p * len(buffers))()
        for i, buffer in enumerate(buffers):
            addresses[i] = buffer and ctypes.addressof(buffer)
        pointers = (ctypes.POINTER(CArray) * len(children))(*map(ctypes.pointer, children))
        self.kept += [buffers, addresses, pointers]
        made = CArray(3, 0, 0, len(buffers), len(children), addresses, pointers)
        made.release = self._released(name, CArray, children)
        return made

    def _schema(self, name: str, text: bytes, children: list[CSchema]) -> CSchema:
        pointers = (ctypes.POINTER(CSchema) * len(children))(*map(ctypes.pointer, children))
        self.kept.append(pointers)
        made = CSchema(text, b"v", None, 2, len(children), pointers)
        made.release = self._released(name, CSchema, children)
        return made

    def stream(self) -> CStream:
        """Give a stream of the arrays. It gives the schema once, as a test asks once."""
        arrays = list(self.arrays)

        def move(place: Any, given: Any) -> None:
            ctypes.memmove(place, ctypes.addressof(given), ctypes.sizeof(given))
            given.release = Release()

        def get_schema(_: int, place: Any) -> int:
            if self.codes["get_schema"] == 0:
                move(place, self.schema)
            return self.codes["get_schema"]

        def get_next(_: int, place: Any) -> int:
            if arrays:
                move(place, arrays.pop(0))
                return 0
            return self.codes["get_next"]

        def get_last_error(_: int) -> int | None:
            text = ctypes.c_char_p(self.error)
            self.kept.append(text)
            return ctypes.cast(text, ctypes.c_void_p).value

        callbacks = GetSchema(get_schema), GetNext(get_next), GetLastError(get_last_error)
        made = CStream(*callbacks, self._released("stream", CStream, []))
        self.kept += [callbacks, made]
        return made

    def capsule(self, given: Any, name: bytes) -> Any:
        """Give a capsule, which releases the structure if nobody has moved it out."""

        def end(_: int) -> None:
            if given.release:
                given.release(ctypes.addressof(given))

        self.kept.append(Destructor(end))
        return new_capsule(ctypes.addressof(given), name, self.kept[-1])

    def end(self) -> None:
        """Release what nobody has taken, and check that all is released once."""
        gc.collect()
        for given in (self.schema, self.array):
            if given.release:
                given.release(ctypes.addressof(given))
        assert all(count == 1 for count in self.releases.values()), self.releases
        assert self.pending == []


class AsArray:
    """What gives the producer's array."""

    def __init__(self, producer: Producer) -> None:
        self.producer = producer

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        schema, array = self.producer.schema, self.producer.array
        return (
            self.producer.capsule(schema, b"arrow_schema"),
            self.producer.capsule(array, b"arrow_array"),
        )


class AsStream:
    """What gives the producer's stream."""

    def __init__(self, producer: Producer, change: Callable[[CStream], Any] | None = None) -> None:
        self.producer, self.change = producer, change

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        stream = self.producer.stream()
        if self.change:
            self.change(stream)
        return self.producer.capsule(stream, b"arrow_array_stream")


def change(of: str, **fields: Any) -> Callable[[Producer], None]:
    """Give what sets fields of one of the structures."""

    def damage(producer: Producer) -> None:
        for name, value in fields.items():
            setattr(getattr(producer, of), name, value)

    return damage


def release(of: str) -> Callable[[Producer], None]:
    """Give what releases one of the structures too early."""

    def damage(producer: Producer) -> None:
        given = getattr(producer, of)
        given.release(ctypes.addressof(given))

    return damage


def set_pointer(of: str, field: str, address: int | None) -> Callable[[Producer], None]:
    def damage(producer: Producer) -> None:
        place = ctypes.cast(getattr(getattr(producer, of), field), ctypes.POINTER(ctypes.c_void_p))
        place[0] = address

    return damage


NO_BUFFERS = ctypes.POINTER(ctypes.c_void_p)()
NO_ARRAYS = ctypes.POINTER(ctypes.POINTER(CArray))()
NO_SCHEMAS = ctypes.POINTER(ctypes.POINTER(CSchema))()

DAMAGES = [
    (change("array", length=-1), "its length can't be -1"),
    (change("array", length=4), "length smaller than expected"),
    (change("array", offset=1), "length smaller than expected"),
    (change("column", length=-(2**63)), "column v: its length can't be"),
    (change("column", length=2**63 - 1), "column v: buffer 1 can't have"),
    (change("column", length=2**62, offset=2**62), "column v: its length can't be"),
    (change("column", offset=-3), "column v: its offset can't be -3"),
    (change("column", null_count=4), "column v: it has 3 values, and 4 of them"),
    (change("column", null_count=1), "column v: 1 of its values are said to be null"),
    (change("column", n_buffers=1), "column v: it has 1 buffers, and the type Int64 has 2"),
    (change("column", n_buffers=-1), "column v: its number of buffers can't be -1"),
    (change("column", buffers=NO_BUFFERS), "column v: the address of its buffers is null"),
    (change("column", n_children=5), "column v: it has 5 children"),
    (change("array", n_children=0), "it has 0 children"),
    (change("array", children=NO_ARRAYS), "the address of its children is null"),
    (change("schema", children=NO_SCHEMAS), "the address of its children is null"),
    (change("schema", n_children=-1), "number of children can't be -1"),
    (change("schema", n_children=2**40), "at most 65536 fields"),
    (change("schema", format=None), "its format is null"),
    (change("column_schema", format=b"!"), 'field v: the format "!" is none of Arrow\'s types'),
    (change("column_schema", format=b"\xff"), "field v: its format is not UTF-8"),
    (change("column_schema", format=b"u"), "column v: it has 2 buffers, and the type Utf8 has 3"),
    (change("column_schema", format=b"tiM"), "column v: serow has no type"),
    (change("column_schema", name=b"\xff"), "its name is not UTF-8"),
    (change("column_schema", metadata=b"\xff\xff\xff\xff"), "can't have -1 entries"),
    (release("array"), "already released"),
    (release("column"), "column v: it is already released"),
    (release("schema"), "the schema is already released"),
    (release("column_schema"), "the child 0 is already released"),
    (set_pointer("array", "children", None), "column v: the address of the array is null"),
    (set_pointer("schema", "children", None), "the address of the child 0 is null"),
    (set_pointer("array", "children", 7), "none of a structure"),
]


def test_arrays_without_damage_are_read() -> None:
    rows = [{"v": 1}, {"v": 2}, {"v": 3}]
    for given in (AsArray, AsStream):
        producer = Producer()
        assert serow.from_arrow(given(producer)) == rows
        producer.end()
        producer = Producer()
        assert serow.loads(serow.dumps(given(producer))) == rows
        producer.end()


@pytest.mark.parametrize(("damage", "why"), DAMAGES, ids=[why for _, why in DAMAGES])
def test_damaged_structures_are_errors_and_released_once(
    damage: Callable[[Producer], None], why: str
) -> None:
    def write(given: Any) -> None:
        with serow.Writer(io.BytesIO()) as writer:
            writer.write_rows(given)

    for read in (serow.from_arrow, serow.dumps, write):
        for given in (AsArray, AsStream):
            producer = Producer()
            damage(producer)
            if given is AsStream and not producer.array.release:
                continue  # The stream is at its end.
            with pytest.raises(serow.SerowError) as raised:
                read(given(producer))
            assert why in str(raised.value)
            del raised
            producer.end()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("released", "already released"),
        ("get_schema", "its callback get_schema is null"),
        ("get_next", "its callback get_next is null"),
    ],
)
def test_streams_that_lack_a_callback(name: str, why: str) -> None:
    def damage(stream: CStream) -> None:
        if name == "released":
            stream.release(ctypes.addressof(stream))
        else:
            setattr(stream, name, GetSchema() if name == "get_schema" else GetNext())

    producer = Producer()
    with pytest.raises(serow.DecodeError, match=why):
        serow.from_arrow(AsStream(producer, damage))
    producer.end()


@pytest.mark.parametrize("callback", ["get_schema", "get_next"])
@pytest.mark.parametrize(
    ("text", "why"),
    [(None, f"error {errno.EIO}"), (b"the disk is gone", "the disk is gone"), (b"\xff", "\ufffd")],
)
def test_streams_whose_callback_fails(callback: str, text: bytes | None, why: str) -> None:
    producer = Producer()
    producer.error, producer.codes[callback] = text, errno.EIO
    with pytest.raises(serow.DecodeError, match=f"the producer of the arrays failed: {why}"):
        serow.from_arrow(AsStream(producer))
    producer.end()


def test_a_stream_that_fails_later_is_released_and_ends() -> None:
    producer = Producer()
    producer.codes["get_next"] = errno.EIO
    lists = serow.from_arrow(AsStream(producer), stream=True)
    assert next(lists) == [{"v": 1}, {"v": 2}, {"v": 3}]
    assert producer.releases["stream"] == 0
    with pytest.raises(serow.DecodeError, match="producer of the arrays failed"):
        next(lists)
    assert producer.releases["stream"] == 1
    assert list(lists) == []
    producer.end()


def test_a_later_array_of_another_schema_is_an_error() -> None:
    producer = Producer()
    other = producer._array("other", [None, (ctypes.c_int64 * 3)(1, 2, 3)], [])
    producer.arrays.append(other)
    with pytest.raises(
        serow.DecodeError, match="array 1 of the stream is damaged: it has 2 buffers"
    ):
        serow.from_arrow(AsStream(producer))
    producer.end()


def test_a_stream_that_is_dropped_in_the_middle_is_released() -> None:
    producer = Producer()
    producer.arrays.append(producer._array("more", [None], [producer.column]))
    producer.releases.pop("more")  # Nobody asks for it.
    lists = serow.from_arrow(AsStream(producer), stream=True)
    next(lists)
    del lists
    assert producer.releases["stream"] == 1
    producer.end()


def test_what_is_dropped_by_an_exception_is_released_without_it() -> None:
    def first(given: Any) -> None:
        for _ in serow.from_arrow(given, stream=True):
            raise KeyError("of the caller")

    # The exception of the caller, while the stream is held.
    producer = Producer()
    with pytest.raises(KeyError, match="of the caller"):
        first(AsStream(producer))
    producer.end()
    # The exception of a row, while its batch and the stream are held: its milliseconds are no date.
    for given in (AsArray, AsStream):
        producer = Producer()
        producer.column_schema.format = b"tdm"
        with pytest.raises(serow.DecodeError, match="column v: slot 0"):
            first(given(producer))
        producer.end()


def test_an_exception_that_a_release_leaves_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    reported: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda args: reported.append(args.exc_type))
    leave = ctypes.cast(ctypes.pythonapi.PyErr_NoMemory, Release)
    producer = Producer()
    producer.array.release = leave
    assert serow.from_arrow(AsArray(producer)) == [{"v": 1}, {"v": 2}, {"v": 3}]
    assert reported == [MemoryError]


def test_an_address_that_is_none_of_a_structure() -> None:
    class Given:
        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
            return new_capsule(9, b"arrow_array_stream", None)

    with pytest.raises(ValueError, match="none of a structure"):
        serow.from_arrow(Given())
