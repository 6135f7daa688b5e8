"""Single records: their bytes, their values, and the buffers of callers."""

import array
import collections
import gc
import itertools
import mmap
import os
import re
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import leaks
import pytest
import rowtext
import serow
import wire_format
from hypothesis import given
from serow import _native
from strategies import rows, values

IS_COMPILED = (
    _native.HAS_COMPILER
    and os.environ.get("SEROW_TIER") != "interpreter"
    and _native.object_access() == "direct"
)

ROW = (7, "bolt")
SCHEMA = serow.Schema.parse("(i64, str)")
FINGERPRINT = SCHEMA.fingerprint.to_bytes(8, "little")
RECORD = FINGERPRINT + wire_format.signed(7) + wire_format.varint(4) + b"bolt"


@pytest.fixture(params=["interpreter", "jit"])
def make_codec(request: pytest.FixtureRequest) -> Callable[[serow.Schema], serow.Codec]:
    """Run the test with interpreted and with compiled codecs."""
    if request.param == "jit" and not IS_COMPILED:
        pytest.skip("nothing is compiled")

    def make(schema: serow.Schema) -> serow.Codec:
        codec = _native.codec_alone(schema, wire="row")
        if request.param == "jit" and _native.object_access() == "direct":
            codec.compile()
        return codec

    return make


def text(value: Any) -> str:
    """Give the types and bits of a value."""
    return rowtext.canonical(value)


def assert_comes_back(codec: serow.Codec, row: Any) -> None:
    record = codec.encode_one(row)
    (frame,) = wire_format.frames(codec.encode([row]))
    assert record == codec.schema.fingerprint.to_bytes(8, "little") + frame.body[4:]
    assert text(codec.decode_one(record)) == text(row)
    assert text(wire_format.decode_one(record, codec.schema.type_list)) == text(row)
    buffer = bytearray(b"\xaa" * (len(record) + 9))
    assert codec.encode_one_into(row, buffer, 4) == len(record)
    assert buffer == b"\xaa" * 4 + record + b"\xaa" * 5
    assert text(codec.decode_one(memoryview(buffer)[4:-5])) == text(row)


class TestValues:
    def test_a_record_is_its_fingerprint_and_its_value(self, access: str) -> None:
        codec = serow.Codec(SCHEMA)
        assert codec.encode_one(ROW) == RECORD
        assert codec.decode_one(RECORD) == ROW
        without = serow.Codec(SCHEMA, fingerprint=False)
        assert without.encode_one(ROW) == RECORD[8:]
        assert without.decode_one(RECORD[8:]) == ROW
        assert without.encode_one_into(ROW, buffer := bytearray(6)) == 6
        assert buffer == RECORD[8:]

    def test_a_record_may_have_no_bytes(self, access: str) -> None:
        assert serow.Codec("null").encode_one(None) == serow.Codec("null").encode_one(None)[:8]
        without = serow.Codec("null", fingerprint=False)
        assert without.encode_one(None) == b""
        assert without.encode_one_into(None, bytearray()) == 0
        assert without.decode_one(b"") is None
        with pytest.raises(serow.DecodeError, match="longer than its values"):
            without.decode_one(b"\0")

    @given(values())
    def test_any_value_comes_back(self, make_codec: Any, access: str, value: Any) -> None:
        assert_comes_back(make_codec(serow.Schema.infer([value])), value)

    @given(rows())
    def test_any_rows_of_one_schema_come_back(
        self, make_codec: Any, access: str, rows: list[Any]
    ) -> None:
        codec = make_codec(serow.Schema.infer(rows))
        for row in rows:
            assert_comes_back(codec, row)

    @given(values())
    def test_the_wire_of_the_codec_does_not_matter(self, value: Any) -> None:
        schema = serow.Schema.infer([value])
        frame, row = (serow.Codec(schema, wire=wire) for wire in ("frame", "row"))  # type: ignore[misc]
        assert frame.encode_one(value) == row.encode_one(value)

    def test_records_of_every_size(self, make_codec: Any, access: str) -> None:
        """A thread keeps a buffer of 16 to 256 KiB."""
        codec = make_codec(serow.Schema.parse("([i64], str, bytes)"))
        for power, more in itertools.product(range(8, 21), (-40, 0, 1)):
            size = 2**power + more
            for row in (([7] * size, "", b""), ([], "x" * size, b""), ([], "", b"y" * size)):
                record = codec.encode_one(row)
                assert size + 8 <= len(record) < size + 26
                assert codec.decode_one(record) == row
                assert codec.encode_one(([1], "é", b"")) == codec.encode_one(([1], "é", b""))

    def test_code_is_compiled_after_many_records(self) -> None:
        if not IS_COMPILED:
            pytest.skip("nothing is compiled")
        codec = _native.codec_alone("(i64, str, [f64], {str: date?})", wire="row")
        row = (1, "x" * 40, [0.5] * 30, {str(n): None for n in range(40)})
        record = codec.encode_one(row)
        for _ in range(1_000_000):
            assert codec.encode_one(row) == record
            assert codec.decode_one(record) == row
            if set(codec.tiers.values()) == {"jit"}:
                break
        assert set(codec.tiers.values()) == {"jit"}
        assert codec.encode_one(row) == record
        assert codec.decode_one(record) == row


class Part(NamedTuple):
    key: int
    name: str = "bolt"


OldPart = collections.namedtuple("Part", "key")  # type: ignore[name-match]


@dataclass
class Box:
    """A class whose instances may not have a negative size."""

    size: int
    parts: list[Part]
    label: str = "none"

    def __post_init__(self) -> None:
        if self.size < 0:
            raise ValueError("a box has no negative size")


class TestTypes:
    def test_records_become_instances_of_the_caller_s_classes(self, access: str) -> None:
        codec = serow.Codec(serow.Schema.of(Box))
        box = Box(3, [Part(1), Part(2, "nut")], "x")
        back = codec.decode_one(codec.encode_one(box))
        assert back == box
        assert type(back.parts[1]) is Part

    def test_what_a_class_raises_is_the_cause(self, access: str) -> None:
        box = Box(3, [])
        box.size = -3
        codec = serow.Codec(serow.Schema.of(Box), validate=True)
        with pytest.raises(serow.DecodeError, match=r"^record.*no negative size") as raised:
            codec.decode_one(codec.encode_one(box))
        assert isinstance(raised.value.__cause__, ValueError)
        # The next record is read as ever.
        assert codec.decode_one(codec.encode_one(Box(3, []))) == Box(3, [])

    def test_fields_that_a_record_lacks_get_the_defaults_of_the_class(self, access: str) -> None:
        older = serow.Codec("Box{size: i64, parts: [Part{key: i64}]}")
        schemas = serow.SchemaSet([older.schema])
        codec = serow.Codec(serow.Schema.of(Box), schemas=schemas)
        old_box = collections.namedtuple("Box", "size parts")
        record = older.encode_one(old_box(3, [OldPart(1)]))
        assert codec.decode_one(record) == Box(3, [Part(1, "bolt")], "none")

    def test_classes_may_use_serow_while_they_are_made(self, access: str) -> None:
        inner = serow.Codec(serow.Schema.of(Part))

        @dataclass
        class Busy:
            x: list[int]

            def __post_init__(self) -> None:
                gc.collect(1)
                record = inner.encode_one(Part(self.x[0], "é" * 20_000))
                assert inner.decode_one(record) == Part(self.x[0], "é" * 20_000)
                if self.x[0] > 0:
                    nested = codec.encode_one(Busy([self.x[0] - 1]))
                    assert codec.decode_one(nested) == Busy([self.x[0] - 1])

        codec = serow.Codec(serow.Schema.of(Busy), validate=True)
        many = serow.Codec(serow.Schema.of(list[Busy]), validate=True)
        busy = [Busy([n % 3, *range(n)]) for n in range(6)]
        assert many.decode_one(many.encode_one(busy)) == busy

    def test_base_exceptions_pass_through(self, access: str) -> None:
        @dataclass
        class Exits:
            x: int

            def __post_init__(self) -> None:
                if self.x:
                    raise KeyboardInterrupt

        row = Exits(0)
        row.x = 1
        codec = serow.Codec(serow.Schema.of(Exits), validate=True)
        with pytest.raises(KeyboardInterrupt):
            codec.decode_one(codec.encode_one(row))
        assert codec.decode_one(codec.encode_one(Exits(0))) == Exits(0)


class TestOtherSchemas:
    OLD = serow.Schema.parse("Part{key: i64}")
    NEW = serow.Schema.parse("Part{key: i64, name: str?}")
    RECORD = serow.Codec(OLD).encode_one(OldPart(7))

    def test_schemas_of_a_set_are_read_by_the_rules_of_evolution(self, access: str) -> None:
        codec = serow.Codec(self.NEW, schemas=serow.SchemaSet([self.OLD, "(i64, i64)"]))
        assert codec.decode_one(self.RECORD) == (7, None)
        with pytest.raises(serow.SchemaError) as raised:
            codec.decode_one(serow.Codec("(i64, i64)").encode_one((1, 2)))
        assert str(raised.value).startswith(
            "the record has schema (i64, i64), but the codec is for Part{key: i64, name: str?}: "
        )

    def test_an_unknown_fingerprint_is_named(self, access: str) -> None:
        for codec in (serow.Codec(self.NEW), serow.Codec(self.NEW, schemas=serow.SchemaSet())):
            with pytest.raises(serow.SchemaError) as raised:
                codec.decode_one(self.RECORD)
            message = str(raised.value)
            assert f"fingerprint {self.OLD.fingerprint:#018x}, which is neither" in message
            assert f"({self.NEW.fingerprint:#018x})" in message
            assert "SchemaSet" in message

    def test_schemas_may_be_added_later_and_by_other_threads(self, access: str) -> None:
        schemas = serow.SchemaSet()
        codecs = [serow.Codec(self.NEW, schemas=schemas) for _ in range(2)]
        with pytest.raises(serow.SchemaError, match="neither"):
            codecs[0].decode_one(self.RECORD)
        thread = threading.Thread(target=schemas.add, args=[self.OLD])
        thread.start()
        thread.join()
        assert [codec.decode_one(self.RECORD) for codec in codecs] == [(7, None)] * 2

    def test_values_that_another_schema_can_not_have_are_errors(self, access: str) -> None:
        codec = serow.Codec("(str, [f64])", schemas=serow.SchemaSet(["(str, [i64])"]))
        writer = serow.Codec("(str, [i64])")
        assert codec.decode_one(writer.encode_one(("a", [2**53]))) == ("a", [2.0**53])
        with pytest.raises(serow.DecodeError, match=r"^record, field 1\.1 ") as raised:
            codec.decode_one(writer.encode_one(("a", [1, 2**53 + 1])))
        assert (raised.value.path, raised.value.offset) == ((1, 1), 8)

    def test_without_fingerprints_every_record_has_the_codec_s_schema(self) -> None:
        codec = serow.Codec("i64", fingerprint=False, schemas=serow.SchemaSet(["f64"]))
        with pytest.raises(serow.DecodeError):
            codec.decode_one(serow.Codec("f64").encode_one(1.5))

    def test_a_set_knows_its_schemas(self) -> None:
        schemas = serow.SchemaSet(["i64", SCHEMA])
        schemas.add("i64")
        assert len(schemas) == 2
        assert schemas.find(SCHEMA.fingerprint) == SCHEMA
        assert schemas.find(0) is None
        for wrong in (5, None, b"i64"):
            with pytest.raises(TypeError, match="schema must be a Schema or its text"):
                schemas.add(wrong)  # type: ignore[arg-type]
        with pytest.raises(serow.SchemaError, match="column 5"):
            schemas.add("(i64")
        assert len(schemas) == 2
        for wrong_set in (5, "i64", [5]):
            with pytest.raises(TypeError, match=r"iterable|schema must be"):
                serow.SchemaSet(wrong_set)  # type: ignore[arg-type]


class TestErrors:
    @pytest.mark.parametrize(
        ("schema", "row", "path", "message"),
        [
            ("(i64, str)", (1, 2), (1,), "record, field 1 (str): cannot encode 2 (type int)"),
            ("(i64, str)", 5, (), "record, ((i64, str)): cannot encode 5 (type int)"),
            ("i64", 2**63, (), f"record, (i64): cannot encode {2**63} (type int)"),
            ("i64", True, (), "record, (i64): cannot encode True (type bool)"),
            ("[[f64]]", [[], [1.5, 1]], (1, 1), "record, field 1.1 (f64): cannot encode 1 "),
            ('{"a": [str]}', {"a": ["x", None]}, ("a", 1), "record, field a.1 (str): cannot "),
            ("{i64: str}", {1: "a", 2: 3}, ("value 1",), "record, field value 1 (str): cannot "),
            ("Part{key: i64, name: str}", Part(1, None), ("name",), "record, field name (str): "),  # type: ignore[arg-type]
            ("[i64]", (1,), (), "record, ([i64]): cannot encode (1,) (type"),
        ],
        ids=str,
    )
    def test_a_misfit_is_named(
        self, schema: str, row: Any, path: Any, message: str, access: str
    ) -> None:
        codec = serow.Codec(schema)
        buffer = bytearray(b"\xaa" * 50)
        for encode in (codec.encode_one, lambda row: codec.encode_one_into(row, buffer)):
            with pytest.raises(serow.EncodeError) as raised:
                encode(row)
            assert str(raised.value).startswith(message)
            assert (raised.value.row, raised.value.path) == (0, path)
            assert raised.value.__context__ is None
        assert buffer == b"\xaa" * 50

    def test_a_list_that_contains_itself_is_an_error(self, access: str) -> None:
        row: list[Any] = []
        row.append(row)
        with pytest.raises(serow.EncodeError, match=r"^record"):
            serow.Codec("[[i64]]").encode_one(row)

    @pytest.mark.parametrize("length", range(len(RECORD)))
    def test_a_cut_is_an_error(self, length: int, access: str) -> None:
        with pytest.raises(serow.DecodeError) as raised:
            serow.Codec(SCHEMA).decode_one(RECORD[:length])
        error = raised.value
        if length < 8:
            message = f"the record is cut: it takes at least 8 bytes, but there are {length}"
            assert (str(error), error.offset, error.path) == (message, length, None)
        else:
            field = 0 if length == 8 else 1
            assert str(error).startswith(f"record, field {field} (")
            assert str(error).endswith("a record is shorter than its values")
            assert (error.offset, error.path) == (8, (field,))

    def test_bytes_after_a_record_are_an_error(self, access: str) -> None:
        for more in (b"\0", RECORD):
            with pytest.raises(serow.DecodeError, match="a record is longer than its values"):
                serow.Codec(SCHEMA).decode_one(RECORD + more)

    def test_a_message_is_not_a_record(self) -> None:
        codec = serow.Codec(SCHEMA)
        with pytest.raises(serow.SchemaError, match=r"are a message .* read them with decode$"):
            codec.decode_one(codec.encode([ROW]))
        with pytest.raises(serow.DecodeError, match=r"are a single record .* with decode_one$"):
            codec.decode(RECORD)

    def test_memory_is_limited(self, access: str) -> None:
        codec = serow.Codec("[i64]")
        record = codec.encode_one([2**40] * 1000)
        assert codec.decode_one(record, max_memory=50_000) == [2**40] * 1000
        with pytest.raises(serow.LimitError, match="more memory than max_memory"):
            codec.decode_one(record, max_memory=30_000)
        schemas = serow.SchemaSet(["[i64]"])
        with pytest.raises(serow.LimitError, match="more memory than max_memory"):
            serow.Codec("[f64|i64]", schemas=schemas).decode_one(record, max_memory=30_000)

    def test_arguments_are_checked(self) -> None:
        codec: Any = serow.Codec(SCHEMA)
        for wrong in (
            lambda: codec.encode_one(),
            lambda: codec.encode_one(ROW, 1),
            lambda: codec.encode_one(row=ROW),
            lambda: serow.Codec.encode_one(5, ROW),  # type: ignore[arg-type]
            lambda: codec.encode_one_into(ROW),
            lambda: codec.encode_one_into(ROW, bytearray(50), 1.5),
            lambda: codec.encode_one_into(ROW, bytearray(50), start=1),
            lambda: codec.decode_one(),
            lambda: codec.decode_one(RECORD, 100),
            lambda: codec.decode_one(RECORD, max_memory="1"),
            lambda: serow.Codec(SCHEMA, fingerprint=1),  # type: ignore[arg-type]
            lambda: serow.Codec(SCHEMA, fingerprint=None),  # type: ignore[arg-type]
            lambda: serow.Codec(SCHEMA, schemas=["i64"]),  # type: ignore[arg-type]
        ):
            with pytest.raises(TypeError):
                wrong()
        assert serow.Codec.encode_one(codec, ROW) == RECORD


class TestBuffers:
    def test_any_contiguous_buffer_is_decoded(self, access: str) -> None:
        codec = serow.Codec(SCHEMA)
        mapped = mmap.mmap(-1, len(RECORD))
        mapped.write(RECORD)
        for data in (
            bytearray(RECORD),
            memoryview(RECORD),
            memoryview(b"??" + RECORD + b"??")[2:-2],
            array.array("B", RECORD),
            array.array("H", RECORD),
            mapped,
            type("Sub", (bytes,), {})(RECORD),
        ):
            assert codec.decode_one(data) == ROW
            assert codec.decode_one(data=data, max_memory=10_000) == ROW

    def test_other_objects_are_refused(self) -> None:
        codec = serow.Codec(SCHEMA)
        for wrong in (5, None, "text", [1]):
            with pytest.raises(TypeError, match=r"bytes-like|must be bytes"):
                codec.decode_one(wrong)  # type: ignore[arg-type]
            with pytest.raises(TypeError, match="bytes-like"):
                codec.encode_one_into(ROW, wrong)  # type: ignore[arg-type]
        with pytest.raises(BufferError, match="contiguous"):
            codec.decode_one(memoryview(RECORD * 2)[::2])
        for buffer in (bytes(50), memoryview(bytes(50)), memoryview(bytearray(100))[::2]):
            with pytest.raises(BufferError):
                codec.encode_one_into(ROW, buffer)

    def test_a_buffer_that_is_gone_is_refused(self) -> None:
        codec = serow.Codec(SCHEMA)
        view = memoryview(bytearray(50))
        view.release()
        for use in (codec.decode_one, lambda view: codec.encode_one_into(ROW, view)):
            with pytest.raises(ValueError, match="released"):
                use(view)

    @pytest.mark.skipif(sys.version_info < (3, 12), reason="classes have no __buffer__")
    def test_an_object_s_buffer_is_released(self, access: str) -> None:
        codec = serow.Codec(SCHEMA)
        calls: list[str] = []

        class Exporter:
            def __init__(self, data: bytearray) -> None:
                self.data = data

            def __buffer__(self, flags: int) -> memoryview:
                if not self.data:
                    raise ZeroDivisionError
                calls.append("get")
                return memoryview(self.data)

            def __release_buffer__(self, view: memoryview) -> None:
                calls.append("release")
                view.release()

        exporter: Any = Exporter(bytearray(30))
        assert codec.encode_one_into(ROW, exporter, 3) == len(RECORD)
        assert exporter.data[3 : 3 + len(RECORD)] == RECORD
        for row, offset in (((1, 2), 0), (ROW, 29)):
            with pytest.raises(serow.SerowError):
                codec.encode_one_into(row, exporter, offset)
        assert codec.decode_one(Exporter(bytearray(RECORD))) == ROW  # type: ignore[arg-type]
        assert calls == ["get", "release"] * 4
        exporter.data = b""
        for use in (codec.decode_one, lambda exporter: codec.encode_one_into(ROW, exporter)):
            with pytest.raises(ZeroDivisionError):
                use(exporter)

    def test_a_record_is_written_from_the_offset_on(self, access: str) -> None:
        codec = serow.Codec(SCHEMA)
        for offset, spare in itertools.product((0, 1, 7, 100), (0, 1, 100)):
            size = offset + len(RECORD) + spare
            for buffer in (
                bytearray(b"\xaa" * size),
                array.array("B", b"\xaa" * size),
                memoryview(bytearray(b"\xaa" * size)),
            ):
                assert codec.encode_one_into(ROW, buffer, offset) == len(RECORD)
                assert bytes(buffer) == b"\xaa" * offset + RECORD + b"\xaa" * spare
        assert codec.encode_one_into(row=ROW, buffer=bytearray(50), offset=3) == len(RECORD)

    def test_a_buffer_that_is_too_small_stays_as_it_is(self, access: str) -> None:
        codec = serow.Codec(SCHEMA)
        for size, offset in itertools.product(range(20), (0, 3, 18, 19, 100, 2**63 - 1)):
            if offset + len(RECORD) <= size:
                continue
            buffer = bytearray(b"\xaa" * size)
            with pytest.raises(serow.BufferTooSmall) as raised:
                codec.encode_one_into(ROW, buffer, offset)
            assert raised.value.needed == offset + len(RECORD)
            after = f" after the first {offset}" if offset else ""
            expected = f"the record takes 14 bytes{after} and the buffer has {size};"
            assert str(raised.value).startswith(expected)
            assert buffer == b"\xaa" * size

    def test_an_offset_is_a_number_from_0_on(self) -> None:
        codec = serow.Codec(SCHEMA)
        buffer = bytearray(50)
        for offset in (-1, -(2**63)):
            with pytest.raises(ValueError, match=re.escape(f"but is {offset}")):
                codec.encode_one_into(ROW, buffer, offset)
        for offset in (2**63, -(2**64)):
            with pytest.raises(OverflowError):
                codec.encode_one_into(ROW, buffer, offset)
        assert buffer == bytes(50)

    def test_it_can_be_resized_afterwards(self, access: str) -> None:
        codec = serow.Codec(SCHEMA)
        buffer = bytearray(50)
        codec.encode_one_into(ROW, buffer)
        codec.decode_one(memoryview(buffer)[: len(RECORD)])
        for failing in (
            lambda: codec.encode_one_into((1, 2), buffer),
            lambda: codec.encode_one_into(ROW, buffer, 49),
            lambda: codec.decode_one(buffer),
        ):
            with pytest.raises(serow.SerowError):
                failing()
        buffer.extend(b"x" * 10_000)


class TestThreads:
    def test_threads_share_a_codec(self) -> None:
        schema = serow.Schema.parse("(i64, str, [i64])")
        schemas = serow.SchemaSet()
        codec = serow.Codec(schema, wire="row", schemas=schemas)
        older = serow.Codec("(i64, str, [i64], ())")
        failed = []

        def work(n: int) -> None:
            try:
                for i in range(600):
                    row = (i, "x" * (n * i), [n] * (i % 50))
                    assert codec.decode_one(codec.encode_one(row)) == row
                    schemas.add(f"(i64, {'str, ' * (i % 9)}f64)")
                    with pytest.raises(serow.SerowError):
                        codec.decode_one(older.encode_one((*row, ())))
            except BaseException as error:
                failed.append(error)

        threads = [threading.Thread(target=work, args=[n]) for n in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failed


@pytest.mark.heavy
def test_nothing_is_kept(access: str) -> None:
    box, part = Box(3, [Part(1), Part(2, "nut")], "x" * 100), "y" * 100
    codec = serow.Codec(serow.Schema.of(Box), schemas=serow.SchemaSet([SCHEMA, "Box{size: i64}"]))
    plain = serow.Codec("(i64, str, {str: [f64]}, Box{size: i64})", wire="row")
    small = collections.namedtuple("Box", "size")
    row = (2**40, part, {part: [0.5]}, small(2**41))
    record, other, bad = (
        codec.encode_one(box),
        plain.encode_one(row),
        (1, part, {part: [1]}, row[3]),
    )
    old = serow.Codec("Box{size: i64}").encode_one(small(5))
    buffer = bytearray(500)

    def work() -> None:
        for _ in range(200):
            codec.decode_one(codec.encode_one(box))
            plain.decode_one(bytearray(plain.encode_one(row)))
            plain.encode_one_into(row, buffer, 3)
            for failing in (
                lambda: plain.encode_one(bad),
                lambda: plain.encode_one_into(row, buffer, 490),
                lambda: plain.decode_one(other[:-1]),
                lambda: plain.decode_one(other[:12] + b"\xff" * (len(other) - 12)),
                lambda: plain.decode_one(other, max_memory=100),
                lambda: codec.decode_one(old),
                lambda: codec.decode_one(RECORD),
            ):
                with pytest.raises(serow.SerowError):
                    failing()

    leaks.assert_none(work, [box, part, row, record, other, buffer, Box, Part])
    leaks.assert_no_growth(work)
