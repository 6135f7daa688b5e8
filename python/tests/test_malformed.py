"""Malformed bytes with a right checksum: rows or an error, never a crash, a hang or much memory.

An attacker makes the checksum right. `wire_format`, which is plain Python, takes messages apart and
puts them together.
"""

import itertools
import os
import random
import struct
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import rowtext
import serow
import wire_format
from conftest import GOLDEN
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Table, rows, seeds, texts
from wire_format import FRAME, HUGE, IN_BAND, ROW, Column, RawFrame, signed, spelled, spoil, varint

pytestmark = pytest.mark.tiers

IS_BRIEF = os.environ.get("SEROW_TEST_PROFILE") == "brief"


def attempt(data: bytes) -> list[Any] | str:
    """Decode: give rows that encode and decode to the same again, or the text of the error."""
    try:
        rows = serow.loads(data)
    except (serow.DecodeError, serow.LimitError) as error:
        return str(error)
    if len(data) < 10_000 and sum(frame.rows for frame in wire_format.frames(data)) < 10_000:
        try:
            again = serow.dumps(rows, wire="frame")
        except serow.LimitError as error:
            # A reader accepts a few more nulls than a writer.
            assert "millions of nulls" in str(error)  # noqa: PT017
            return rows
        lines = [rowtext.canonical(row) for row in rows]
        assert [rowtext.canonical(row) for row in serow.loads(again)] == lines
    return rows


def refused(data: bytes) -> str:
    """Give the text of the error."""
    answer = attempt(data)
    assert isinstance(answer, str), f"{answer!r:.200}"
    return answer


def frame_of(*type_list: int, rows: int, body: bytes, wire: int = FRAME) -> bytes:
    return wire_format.message(RawFrame(wire, rows, spelled(list(type_list)), body))


def columns_of(*type_list: int, rows: int, columns: list[Column]) -> bytes:
    return frame_of(*type_list, rows=rows, body=wire_format.body(columns))


def int_column(*values: int) -> Column:
    """A column with 64 bits per value."""
    packed = b"".join((v % 2**64).to_bytes(8, "little") for v in values)
    return Column("int", 1, len(values), signed(0) + b"\x40" + packed)


def test_the_tools_make_messages() -> None:
    assert attempt(columns_of(1, rows=3, columns=[int_column(5, -6, 2**62)])) == [5, -6, 2**62]
    assert attempt(frame_of(1, rows=1, body=b"\1\0\0\0" + signed(-3), wire=ROW)) == [-3]


class TestMutations:
    """Golden messages with random changes, and with changes of every byte."""

    # A stream without rows has no frame.
    MESSAGES = sorted(
        path
        for path in GOLDEN.glob("*.srow")
        if path.stat().st_size < 1000 and wire_format.frames(path.read_bytes())
    )

    @pytest.mark.parametrize("message", MESSAGES, ids=lambda path: path.name)
    def test_every_byte_of_a_body(self, message: Path, access: str) -> None:
        frames = wire_format.frames(message.read_bytes())
        # In short runs, each version of Python tries other bytes.
        step = 23 if IS_BRIEF else 1
        for i, frame in enumerate(frames[:2]):
            for at in range(sys.version_info.minor % step, len(frame.body), step):
                for new in {0, 1, 0xFF, frame.body[at] ^ 1, frame.body[at] ^ 0x80}:
                    body = frame.body[:at] + bytes([new]) + frame.body[at + 1 :]
                    attempt(
                        wire_format.message(
                            *frames[:i], replace(frame, body=body), *frames[i + 1 :]
                        )
                    )

    @pytest.mark.long
    @pytest.mark.parametrize("message", MESSAGES, ids=lambda path: path.name)
    def test_every_byte_of_a_schema_and_a_header(self, message: Path, access: str) -> None:
        first, *others = wire_format.frames(message.read_bytes())
        # In a schema with names most changes only give other names. Trying some of them is enough,
        # and fewer if each is compiled.
        is_compiled = os.environ.get("SEROW_TIER") == "jit"
        step = 1 if len(first.schema) <= 40 else 37 if is_compiled else 5
        step *= 3 if IS_BRIEF else 1
        for at in range(len(first.schema)):
            for new in range(at % step, 256, step):
                schema = first.schema[:at] + bytes([new]) + first.schema[at + 1 :]
                attempt(wire_format.message(replace(first, schema=schema), *others))
        for at in range(24):
            for bit in range(8):
                data = bytearray(first.to_bytes()[:-8])
                data[at] ^= 1 << bit
                rest = [frame.to_bytes() for frame in others]
                attempt(
                    wire_format.HEADER
                    + bytes(data)
                    + wire_format.checksum(bytes(data))
                    + b"".join(rest)
                )

    @pytest.mark.parametrize("message", MESSAGES, ids=lambda path: path.name)
    def test_every_cut_of_a_body(self, message: Path) -> None:
        first, *others = wire_format.frames(message.read_bytes())
        for at in range(len(first.body)):
            attempt(wire_format.message(replace(first, body=first.body[:at]), *others))
            attempt(wire_format.message(replace(first, body=first.body[at:]), *others))

    @pytest.mark.parametrize("message", MESSAGES, ids=lambda path: path.name)
    def test_other_numbers_of_rows(self, message: Path) -> None:
        first, *others = wire_format.frames(message.read_bytes())
        for count in {0, 1, first.rows - 1, first.rows + 1, 65_536, 65_537, 2**31, 2**32 - 1}:
            if 0 <= count != first.rows:
                answer = attempt(wire_format.message(replace(first, rows=count), *others))
                # Rows without columns may have any number.
                assert isinstance(answer, str) or first.schema == spelled([15])

    @given(rows(texts), st.data())
    def test_any_rows_with_any_changes(self, rows: list[Any], data: st.DataObject) -> None:
        for wire in ("frame", "row"):
            frames = wire_format.frames(serow.dumps(rows, wire=wire))
            body = bytearray(frames[0].body)
            for _ in range(data.draw(st.integers(1, 3))):
                if body:
                    body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
            attempt(wire_format.message(replace(frames[0], body=bytes(body)), *frames[1:]))

    @given(seeds)
    @settings(max_examples=settings().max_examples * 3)
    def test_tables_with_many_changes(self, seed: int) -> None:
        generator = random.Random(seed)
        table = Table(seed).rows(most=200, widest=4)
        for wire in ("frame", "row"):
            frames = wire_format.frames(serow.dumps(table, wire=wire))
            for _ in range(30):
                i = generator.randrange(len(frames))
                body = bytearray(frames[i].body)
                for _ in range(generator.choice([1, 1, 2, 8])):
                    spoil(body, generator)
                changed = replace(frames[i], body=bytes(body))
                attempt(wire_format.message(*frames[:i], changed, *frames[i + 1 :]))

    @given(seeds)
    def test_bodies_of_other_schemas(self, seed: int) -> None:
        generator = random.Random(seed)
        table = Table(seed).rows(most=100)
        for wire in ("frame", "row"):
            first = wire_format.frames(serow.dumps(table, wire=wire))[0]
            for _ in range(10):
                type_list = wire_format.codes(first.schema)
                at = generator.randrange(len(type_list))
                if generator.random() < 0.5:
                    type_list[at] = generator.randrange(30)
                else:
                    type_list[at:at] = [generator.randrange(1, 28)]
                attempt(wire_format.message(replace(first, schema=spelled(type_list))))
                attempt(wire_format.message(replace(first, wire=1 - first.wire)))


class TestDirectory:
    """The entries for columns in the directory of a frame."""

    def spoilt(self) -> Iterator[tuple[list[Column], int]]:
        rows = [(i * i % 50, i / 4, f"s{i % 3}", None if i % 3 else True) for i in range(20)]
        frame = wire_format.frames(serow.dumps(rows, wire="frame"))[0]
        columns = wire_format.columns(frame, wire_format.parse(wire_format.codes(frame.schema)))
        self.frame = frame
        assert attempt(wire_format.message(replace(frame, body=wire_format.body(columns)))) == rows
        for i in range(len(columns)):
            yield columns, i

    def refused(self, columns: list[Column], i: int, column: Column) -> str:
        changed = [*columns[:i], column, *columns[i + 1 :]]
        return refused(wire_format.message(replace(self.frame, body=wire_format.body(changed))))

    def test_counts(self) -> None:
        for columns, i in self.spoilt():
            for count in [0, 1, columns[i].count - 1, columns[i].count + 1, *HUGE]:
                if count != columns[i].count and count < 2**64:
                    self.refused(columns, i, replace(columns[i], count=count))

    def test_encodings(self) -> None:
        for columns, i in self.spoilt():
            for encoding in range(3, 256):
                self.refused(columns, i, replace(columns[i], encoding=encoding))

    def test_lengths_of_chunks(self) -> None:
        for columns, i in self.spoilt():
            self.refused(columns, i, replace(columns[i], chunk=b""))
            self.refused(columns, i, replace(columns[i], chunk=columns[i].chunk[:-1]))
            self.refused(columns, i, replace(columns[i], chunk=columns[i].chunk + b"\0"))

    def test_lengths_in_the_directory(self) -> None:
        for length in [0, 2, 100, *HUGE]:
            if length < 2**64:
                chunk = signed(5)
                directory = b"\0" + varint(1) + varint(length)
                size = len(directory).to_bytes(4, "little")
                refused(frame_of(1, rows=1, body=chunk + directory + size))

    def test_length_of_the_directory(self) -> None:
        chunk, directory = signed(5), b"\0" + varint(1) + varint(1)
        assert attempt(frame_of(1, rows=1, body=chunk + directory + b"\3\0\0\0")) == [5]
        for size in (0, 1, 2, 4, 5, 255, 2**16, 2**31 - 1, 2**31, 2**32 - 1, 2**32 - 4):
            refused(frame_of(1, rows=1, body=chunk + directory + size.to_bytes(4, "little")))

    def test_columns_that_are_not_there(self) -> None:
        for columns, i in self.spoilt():
            fewer, more = columns[:i] + columns[i + 1 :], [*columns, columns[i]]
            refused(wire_format.message(replace(self.frame, body=wire_format.body(fewer))))
            refused(wire_format.message(replace(self.frame, body=wire_format.body(more))))


class TestIntColumns:
    @pytest.mark.parametrize("width", range(256))
    def test_widths(self, width: int) -> None:
        good = (width * 3 + 7) // 8
        for length in {0, 1, good - 1, good, good + 1} - {-1}:
            chunk = signed(1) + bytes([width]) + b"\0" * length
            answer = attempt(columns_of(1, rows=3, columns=[Column("int", 1, 3, chunk)]))
            assert isinstance(answer, str) == (width > 64 or length != good)

    def test_counts_that_wrap_when_they_are_multiplied(self) -> None:
        for width, count in itertools.product((1, 8, 24, 32, 63, 64), HUGE):
            if count < 2**64:
                chunk = signed(0) + bytes([width]) + b"\0" * 64
                refused(columns_of(1, rows=3, columns=[Column("int", 1, count, chunk)]))
                chunk = signed(0) + chunk
                refused(columns_of(1, rows=3, columns=[Column("int", 2, count, chunk)]))

    def test_sums_wrap(self) -> None:
        chunk = signed(2**63 - 1) + b"\x40" + b"\xff" * 16
        data = columns_of(1, rows=2, columns=[Column("int", 1, 2, chunk)])
        assert attempt(data) == wire_format.loads(data) == [2**63 - 2, 2**63 - 2]
        chunk = signed(2**63 - 1) + signed(2**63 - 1) + b"\0"
        data = columns_of(1, rows=4, columns=[Column("int", 2, 4, chunk)])
        assert attempt(data) == wire_format.loads(data)

    def test_encodings_that_serow_would_not_choose(self) -> None:
        for width in range(65):
            top = 2**width - 1
            values = [0, top, top // 2, top // 3, top, 0, 1 & top, top, top - (width > 0)]
            bits = sum(v << i * width for i, v in enumerate(values))
            packed = bits.to_bytes((width * 9 + 7) // 8, "little")
            for base in (0, 1, -(2**63), 2**63 - 1):
                column = Column("int", 1, 9, signed(base) + bytes([width]) + packed)
                data = columns_of(1, rows=9, columns=[column])
                assert attempt(data) == wire_format.loads(data)
                column = Column("int", 2, 10, signed(base) + signed(7) + bytes([width]) + packed)
                data = columns_of(1, rows=10, columns=[column])
                assert attempt(data) == wire_format.loads(data)


class TestExceptionsOfInts:
    """Exceptions at the positions and with the values that a chunk claims."""

    def data(
        self, positions: list[int], values: list[int], encoding: int = 1, claimed: int | None = None
    ) -> bytes:
        packed = {1: signed(5) + b"\0", 2: signed(5) + signed(3) + b"\0"}.get(encoding, b"")
        number = varint(len(positions) if claimed is None else claimed)
        chunk = number + self.ints(positions) + self.ints(values) + bytes([encoding]) + packed
        return columns_of(1, rows=1000, columns=[Column("int", 3, 1000, chunk)])

    def ints(self, values: list[int], encoding: int = 1) -> bytes:
        bits = b"".join((v % 2**64).to_bytes(8, "little") for v in values)
        chunk = bytes([encoding]) + signed(0) + b"\x40" + bits
        return varint(len(chunk)) + chunk

    def test_at_the_edges_of_unpacked_windows(self) -> None:
        edges = [0, 1, 7, 8, 63, 64, 511, 512, 513, 999]
        values = [2**63 - 1, -(2**63), *range(8)]
        for encoding in (1, 2):
            data = self.data(edges, values, encoding)
            answer = attempt(data)
            assert answer == wire_format.loads(data)
            assert [answer[at] for at in edges] == values
            assert answer[998] == (5 if encoding == 1 else 7 - 1 + 3 * (998 - 513))

    def test_that_are_not_there(self) -> None:
        for positions in ([5, 5], [6, 5], [1000], [-1], [0, 2**63 - 1], [3, -(2**63)]):
            refused(self.data(positions, [1] * len(positions)))
        for claimed in [0, 1, 3, 1001, *HUGE]:
            if claimed < 2**64:
                refused(self.data([5, 6], [1, 2], claimed=claimed))

    def test_encodings(self) -> None:
        for encoding in (0, *range(3, 256)):
            refused(self.data([5], [1], encoding))

    def test_exceptions_have_no_exceptions(self) -> None:
        plain = self.ints([5])
        patched = b"\3" + varint(1) + plain + plain + b"\1" + signed(5) + b"\0"
        nested = varint(len(patched)) + patched
        for exceptions in (nested + plain, plain + nested):
            chunk = varint(1) + exceptions + b"\1" + signed(5) + b"\0"
            column = Column("int", 3, 1000, chunk)
            answer = refused(columns_of(1, rows=1000, columns=[column]))
            assert "exceptions of an int column have exceptions" in answer


class TestFloatColumns:
    def decimal(self, exponent: int, exceptions: list[tuple[int, float]], claimed: int) -> bytes:
        chunk = bytes([exponent]) + varint(claimed)
        chunk += b"".join(struct.pack("<I", at) for at, _ in exceptions)
        chunk += b"".join(struct.pack("<d", v) for _, v in exceptions)
        chunk += b"\2" + signed(0) + signed(1) + b"\0"
        return columns_of(2, rows=1000, columns=[Column("float", 2, 1000, chunk)])

    def test_exceptions_at_the_edges_of_unpacked_windows(self) -> None:
        exceptions = [(at, -1.5) for at in (0, 63, 64, 511, 512, 513, 999)]
        data = self.decimal(2, exceptions, 7)
        answer = attempt(data)
        assert answer == wire_format.loads(data)
        assert [i for i, v in enumerate(answer) if v == -1.5] == [at for at, _ in exceptions]

    def test_exponents(self) -> None:
        for exponent in range(256):
            assert isinstance(attempt(self.decimal(exponent, [], 0)), str) == (exponent > 15)

    def test_exceptions_that_are_not_there(self) -> None:
        for positions in ([5, 5], [6, 5], [1000], [2**32 - 1], [0, 2**31]):
            refused(self.decimal(2, [(at, 1.0) for at in positions], len(positions)))
        for claimed in [1, 2, *HUGE, 2**64 // 12, 2**64 // 4, 2**64 // 8]:
            if claimed < 2**64:
                refused(self.decimal(2, [], claimed))

    def test_integers_that_floats_cannot_hold(self) -> None:
        chunk = b"\x0f\1" + b"\1" + signed(0) + b"\x40" + (2**63 - 1).to_bytes(8, "little")
        data = columns_of(2, rows=1, columns=[Column("float", 2, 1, chunk)])
        assert attempt(data) == wire_format.loads(data)


class TestStrColumns:
    def lengths(self, *lengths: int) -> bytes:
        column = int_column(*lengths)
        return varint(len(column.chunk) + 1) + b"\1" + column.chunk

    def plain(self, text: bytes, *lengths: int) -> bytes:
        column = Column("str", 0, len(lengths), self.lengths(*lengths) + text)
        return columns_of(3, rows=len(lengths), columns=[column])

    def dictionary(self, text: bytes, lengths: list[int], codes: list[int], entries: int) -> bytes:
        chunk = varint(entries) + self.lengths(*lengths) + varint(len(text)) + text
        column = Column("str", 1, len(codes), chunk + b"\1" + int_column(*codes).chunk)
        return columns_of(3, rows=len(codes), columns=[column])

    def test_lengths(self) -> None:
        assert attempt(self.plain(b"abc", 1, 0, 2)) == ["a", "", "bc"]
        for lengths in ([1, 0, 1], [1, 0, 3], [-1, 4, 0], [2**63 - 1, 0, 0], [-(2**63), 3, 0]):
            refused(self.plain(b"abc", *lengths))
        refused(self.plain(b"abc", 2**63 - 1, 2**63 - 1, 5))
        refused(self.plain(b"abc", 2**32, 0, 3 - 2**32))

    def test_text(self) -> None:
        text = "aé€😀".encode()
        assert attempt(self.plain(text, 1, 2, 3, 4)) == ["a", "é", "€", "😀"]
        for lengths in ([2, 1, 3, 4], [1, 1, 4, 4], [1, 2, 2, 5], [1, 2, 6, 1]):
            assert "cut a character" in refused(self.plain(text, *lengths))
        bad = [b"\x80", b"\xff", b"\xc0\x80", b"\xed\xa0", b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80"]
        bad += [b"\xe0\x80\x80", b"\xf0\x80\x80\x80", b"\xc3", b"\xe2\x82", b"a\xed\xbf\xc0"]
        for text in bad:
            for around in (b"", b"abcdefgh", "é".encode()):
                refused(self.plain(around + text + around, len(text) + 2 * len(around)))
                refused(self.dictionary(text, [len(text)], [0], 1))
                body = struct.pack("<I", len(text) + 1) + varint(len(text)) + text
                refused(frame_of(3, rows=1, body=body, wire=ROW))

    def test_surrogates_are_text(self) -> None:
        text = b"\xed\xa0\xbd\xed\xb8\x80"
        assert attempt(self.plain(text, 6)) == ["\ud83d\ude00"]
        assert attempt(self.plain(text, 3, 3)) == ["\ud83d", "\ude00"]
        assert attempt(self.dictionary(text, [3, 3], [1, 0], 2)) == ["\ude00", "\ud83d"]

    def test_dictionaries(self) -> None:
        assert attempt(self.dictionary(b"abc", [1, 2], [1, 0, 1], 2)) == ["bc", "a", "bc"]
        assert attempt(self.dictionary(b"abc", [1, 2], [1, 1, 1], 2)) == ["bc"] * 3
        assert attempt(self.dictionary(b"aa", [1, 1], [0, 1, 1], 2)) == ["a"] * 3
        for code in (2, 3, -1, 2**31, 2**32, 2**32 + 1, 2**63 - 1, -(2**63)):
            assert "code" in refused(self.dictionary(b"abc", [1, 2], [0, code, 1], 2))
        for entries in [0, 1, 3, 4, *HUGE]:
            if entries < 2**64:
                refused(self.dictionary(b"abc", [1, 2], [0, 1, 0], entries))

    def test_a_dictionary_has_no_more_entries_than_values(self) -> None:
        assert attempt(self.dictionary(b"ab", [1, 1], [1, 0], 2)) == ["b", "a"]
        assert attempt(self.dictionary(b"ab", [1, 1], [1, 1], 2)) == ["b", "b"]
        assert "entries" in refused(self.dictionary(b"ab", [1, 1], [1], 2))

    def test_a_dictionary_without_entries(self) -> None:
        chunk = varint(0) + varint(2) + b"\0" + signed(0) + varint(0) + b"\0" + signed(0)
        refused(columns_of(3, rows=1, columns=[Column("str", 1, 1, chunk)]))
        assert attempt(columns_of(3, rows=0, columns=[Column("str", 1, 0, chunk)])) == []

    def test_lengths_of_lengths_and_of_text(self) -> None:
        for length in HUGE:
            if length < 2**64:
                chunk = varint(length) + b"\0" + signed(0)
                refused(columns_of(3, rows=1, columns=[Column("str", 0, 1, chunk)]))
                refused(columns_of(3, rows=1, columns=[Column("str", 1, 1, varint(1) + chunk)]))
                chunk = varint(1) + varint(2) + b"\0" + signed(0) + varint(length)
                refused(columns_of(3, rows=1, columns=[Column("str", 1, 1, chunk)]))


class TestBitColumns:
    def test_constants_are_bits(self) -> None:
        for value in range(256):
            data = columns_of(8, rows=5, columns=[Column("bit", 0, 5, bytes([value]))])
            assert isinstance(attempt(data), str) == (value > 1)

    def test_bits_after_the_last_are_zero(self) -> None:
        for value in range(256):
            data = columns_of(8, rows=5, columns=[Column("bit", 1, 5, bytes([value]))])
            assert isinstance(attempt(data), str) == (value > 31)

    def test_bitmaps_are_as_long_as_their_bits(self) -> None:
        for count, length in itertools.product((0, 1, 7, 8, 9, 16, 17), range(5)):
            data = columns_of(8, rows=count, columns=[Column("bit", 1, count, b"\0" * length)])
            assert isinstance(attempt(data), str) == (length != (count + 7) // 8)


class TestCounts:
    """Columns that disagree with the columns of their parents."""

    def test_sequences(self) -> None:
        def sequence(lengths: list[int], elements: int) -> bytes:
            columns = [int_column(*lengths), int_column(*range(elements))]
            return columns_of(11, 1, rows=len(lengths), columns=columns)

        assert attempt(sequence([2, 0, 1], 3)) == [[0, 1], [], [2]]
        for lengths in ([2, 0, 2], [2, 0, 0], [-1, 2, 2], [2**63 - 1, 2**63 - 1, 5], [2**62] * 4):
            refused(sequence(lengths, 3))
        refused(sequence([3, -3, 3], 3))

    def test_sequences_of_elements_without_columns(self) -> None:
        for element in ([9], [5, 7], [4, 6], [5, 9, 9, 7]):
            lengths = Column("int", 0, 1, signed(1000))
            answer = attempt(columns_of(11, *element, rows=1, columns=[lengths]))
            assert isinstance(answer, list)
            assert len(answer[0]) == 1000
            for length in [2**22 + 1000, *HUGE[12:], -1]:
                lengths = Column("int", 0, 1, signed(length))
                refused(columns_of(11, *element, rows=1, columns=[lengths]))
        for length in (1, 2**40):
            lengths = Column("int", 0, 1, signed(length))
            assert "never" in refused(columns_of(11, 15, rows=1, columns=[lengths]))

    def test_optionals(self) -> None:
        def optional(bits: int, values: int) -> bytes:
            columns = [Column("bit", 1, 4, bytes([bits])), int_column(*range(values))]
            return columns_of(10, 1, rows=4, columns=columns)

        assert attempt(optional(0b0101, 2)) == [0, None, 1, None]
        for bits, values in ((0b0101, 1), (0b0101, 3), (0, 1), (0b1111, 3)):
            refused(optional(bits, values))

    def test_unions(self) -> None:
        def union(tags: list[int], ints: int, floats: int) -> bytes:
            raw = Column("float", 1, floats, struct.pack(f"<{floats}d", *range(floats)))
            columns = [int_column(*tags), int_column(*range(ints)), raw]
            return columns_of(13, 1, 2, 14, rows=len(tags), columns=columns)

        assert attempt(union([0, 1, 0], 2, 1)) == [0, 0.0, 1]
        for tag in (2, 3, 255, 2**31, 2**32, 2**63 - 1, -1, -(2**63)):
            assert "arm" in refused(union([0, 1, tag], 2, 1))
        for ints, floats in ((1, 2), (3, 0), (2, 2), (3, 1)):
            refused(union([0, 1, 0], ints, floats))

    def test_rows_of_never(self) -> None:
        assert attempt(frame_of(15, rows=0, body=bytes(4))) == []
        refused(frame_of(15, rows=1, body=bytes(4)))
        refused(frame_of(15, rows=1, body=bytes(4), wire=ROW))
        refused(frame_of(5, 1, 15, 7, rows=1, body=b"\1\0\0\0" + signed(1), wire=ROW))


class TestRecords:
    """The row wire."""

    def record(self, *type_list: int, body: bytes) -> bytes:
        framed = len(body).to_bytes(4, "little") + body
        return frame_of(*type_list, rows=1, body=framed, wire=ROW)

    def test_lengths_of_records(self) -> None:
        for length in (0, 2, 3, 255, 2**31, 2**32 - 1):
            body = length.to_bytes(4, "little") + signed(1)
            refused(frame_of(1, rows=1, body=body, wire=ROW))
        refused(frame_of(1, rows=1, body=b"\1\0\0", wire=ROW))
        refused(frame_of(1, rows=1, body=b"", wire=ROW))
        refused(frame_of(1, rows=0, body=b"\1\0\0\0\1", wire=ROW))
        refused(frame_of(1, rows=2, body=b"\1\0\0\0\1", wire=ROW))
        refused(self.record(1, body=signed(1) + b"\0"))
        refused(self.record(1, body=varint(2**40)[:3]))

    def test_flags_and_tags(self) -> None:
        for flag in range(256):
            assert isinstance(attempt(self.record(8, body=bytes([flag]))), str) == (flag > 1)
            answer = attempt(self.record(10, 1, body=bytes([flag]) + signed(1)))
            assert isinstance(answer, str) == (flag != 1)
        for tag in [2, *HUGE]:
            if tag < 2**64:
                refused(self.record(13, 1, 2, 14, body=varint(tag) + signed(1)))

    def test_lengths_of_strings_and_sequences(self) -> None:
        for length in [4, *HUGE]:
            if length < 2**64:
                refused(self.record(3, body=varint(length) + b"abc"))
                refused(self.record(11, 1, body=varint(length) + signed(1)))
                refused(self.record(11, 11, 1, body=varint(1) + varint(length) + signed(1)))
                refused(self.record(12, 8, body=varint(length) + b"\1"))
                refused(self.record(11, 15, body=varint(length)))
                if length > 2**22:
                    refused(self.record(11, 9, body=varint(length)))
                    refused(self.record(11, 5, 7, body=varint(length)))

    def test_varints_that_are_longer_than_they_must_be(self) -> None:
        for length in range(2, 9):
            long = 10 << length | 1 << (length - 1)
            assert attempt(self.record(1, body=long.to_bytes(length, "little"))) == [5]
        assert attempt(self.record(1, body=b"\0\x0a" + bytes(7))) == [5]


class TestSchemas:
    """Type lists that are not canonical, and lists that are not type lists."""

    @pytest.mark.parametrize(
        "type_list",
        [
            [],
            [0],
            [29],
            [2**32 - 1],
            [1, 1],
            [4],
            [4, 1],
            [6],
            [5, 1, 6],
            [4, 1, 7],
            [10],
            [10, 9],
            [10, 10, 1],
            [10, 15],
            [13, 14],
            [13, 1, 14],
            [13, 2, 1, 14],
            [13, 1, 1, 14],
            [13, 1, 16, 14],
            [13, 17, 17, 14],
            [13, 18, 17, 14],
            [28],
            [13, 1, 9, 14],
            [13, 1, 10, 2, 14],
            [13, 1, 15, 14],
            [13, 1, 13, 2, 3, 14, 14],
            [13, 5, 1, 7, 5, 7, 14],
            [13, 5, 1, 7, 5, 2, 7, 14],
            [13, 5, 1, 7, 12, 1, 14],
            [13, 11, 1, 4, 1, 2, 6, 14],
            [13, 4, 6, 4, 1, 6, 14],
            [11] * 65 + [1],
            [4] * 70 + [6] * 70,
            [10] * 100_000 + [1],
            [13] * 100_000,
            [11] * 100_000,
            [5] * 100_000,
            [5, *([1] * 65_536), 7],
            [5, *([1] * 300_000), 7],
        ],
        ids=lambda codes: " ".join(map(str, codes))[:30],
    )
    def test_what_is_not_canonical_is_refused(self, type_list: list[int]) -> None:
        for wire in (ROW, FRAME):
            body = bytes(4) if wire == FRAME else b""
            data = wire_format.message(RawFrame(wire, 0, spelled(type_list), body))
            began = time.thread_time()
            refused(data)
            assert time.thread_time() - began < 5

    def test_codes_that_are_too_large_or_cut(self) -> None:
        for schema in (varint(2**32 + 1), varint(2**40 + 1), varint(2**63), b"\0", b"\2", b"\0\0"):
            refused(wire_format.message(RawFrame(FRAME, 0, schema, bytes(4))))

    def test_codes_in_longer_varints_are_refused(self) -> None:
        """Equal schemas have equal bytes; otherwise their fingerprints would differ."""
        data = wire_format.message(RawFrame(ROW, 1, b"\6\0", b"\1\0\0\0" + signed(1)))
        assert wire_format.Cursor(b"\6\0").varint() == 1
        refused(data)

    def test_schemas_that_are_not_there(self) -> None:
        good = RawFrame(ROW, 1, spelled([1]), b"\1\0\0\0" + signed(1))
        known = wire_format.checksum(good.schema)
        assert attempt(wire_format.message(good, replace(good, flags=0, schema=known))) == [1, 1]
        assert attempt(wire_format.message(good, good)) == [1, 1]
        for other in (bytes(8), b"\xff" * 8, wire_format.checksum(spelled([2])), known[::-1]):
            refused(wire_format.message(good, replace(good, flags=0, schema=other)))
        refused(wire_format.message(replace(good, flags=0, schema=known)))
        refused(wire_format.message(replace(good, flags=0, schema=known, schema_len=1), good))

    def test_a_fingerprint_that_collides_is_never_trusted_over_the_list(self) -> None:
        """Two schemas in one message are compared by all their bytes."""
        ints = RawFrame(ROW, 1, spelled([1]), b"\1\0\0\0" + signed(1))
        floats = RawFrame(ROW, 1, spelled([2]), b"\x08\0\0\0" + bytes(8))
        assert attempt(wire_format.message(ints, floats, ints)) == [1, 0.0, 1]

    def test_lengths_of_schemas_and_bodies(self) -> None:
        good = RawFrame(ROW, 1, spelled([1]), b"\1\0\0\0" + signed(1))
        for length in (0, 2, 6, 7, 255, 2**31, 2**32 - 1):
            refused(wire_format.message(replace(good, schema_len=length)))
        for length in (0, 4, 6, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1, 2**64 - 24, 2**64 - 25):
            refused(wire_format.message(replace(good, body_len=length)))

    def test_flags_and_layouts_that_are_not_known(self) -> None:
        good = RawFrame(ROW, 1, spelled([1]), b"\1\0\0\0" + signed(1))
        # 2 is the index of a stream, which has no rows.
        assert "index" in refused(wire_format.message(replace(good, wire=2)))
        for wire in range(3, 256):
            assert "wire" in refused(wire_format.message(replace(good, wire=wire)))
        for flag in (4, 8, 16, 32, 64, 128):
            assert "flags" in refused(wire_format.message(replace(good, flags=IN_BAND | flag)))
