"""Decodes very many damaged single records: `python damaged_records.py 10000000`.

A single record has no checksum, so most of them are decoded to some extent. Each must give a value
of the schema or an error, and the same one from compiled code, from the interpreter and by both
kinds of object access. No record may take long, or more memory than docs/security.md allows.

This is a program and not a test of pytest, because so many records take minutes: it distributes
them to the processors, and runs once and not for each version of Python. `test_hostile_records.py`
decodes fewer.
"""

import argparse
import os
import random
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).parents[2] / "tests" / "golden"
sys.path.insert(0, str(GOLDEN))

import rowtext  # noqa: E402
import serow  # noqa: E402
import wire_format  # noqa: E402
from many_rows import same  # noqa: E402
from serow import _native  # noqa: E402
from strategies import Table  # noqa: E402

#: Records that are made from those of one schema. Compiling for a schema takes milliseconds.
OF_ONE_SCHEMA = 2000

#: By this many bytes a process may grow. A record may have four million dicts with a null, which
#: take a gigabyte, and two such values are compared.
MEMORY = 3 << 30

#: Seconds to decode one record.
SLOWEST = 5.0


class Readers:
    """Codecs of one schema, which must agree about each record."""

    def __init__(self, schema: serow.Schema, codec: serow.Codec | None = None) -> None:
        """Compile one codec, if that is possible. `codec` reads records of other schemas too."""
        self.interpreted = codec or _native.codec_alone(schema, wire="row")
        self.compiled = None
        # Arrays are read as lists here, which are no values of the schema.
        self.has_arrays = "ndarray" in str(schema)
        if codec is None and os.environ.get("SEROW_TIER") != "interpreter":
            self.compiled = _native.codec_alone(schema, wire="row")
            self.compiled.compile()

    def verdict(self, record: bytes) -> Any:
        """Give the value, or the error as its class and text, on which all readers agree."""
        expected = outcome(self.interpreted, record)
        again = None if type(expected) is Refused else self.encoded(expected)
        if again:
            self.assert_alike(outcome(self.interpreted, again), expected, again)
        if self.compiled:
            self.assert_alike(outcome(self.compiled, record), expected, again)
        _native.object_access(True)
        found = outcome(self.interpreted, record)
        _native.object_access(False)
        self.assert_alike(found, expected, again)
        return expected

    def encoded(self, value: Any) -> bytes | None:
        """Encode a value, which must be of the schema; None if it is too large for a writer."""
        if self.has_arrays:
            return None
        try:
            return self.interpreted.encode_one(value)
        except serow.LimitError as error:
            # A reader accepts a few more nulls than a writer.
            assert "millions of nulls" in str(error)  # noqa: PT017
            return None

    def assert_alike(self, found: Any, expected: Any, record: bytes | None) -> None:
        """Assert that an outcome is the expected one. `record` is the expected value's."""
        if type(found) is Refused or type(expected) is Refused:
            assert found == expected
        elif record is None:
            # Arrays, or millions of elements, which `same` would compare one by one.
            assert repr(found) == repr(expected)
        # Comparing the bytes is fast, but sets may have another order.
        elif self.encoded(found) != record:
            assert same(found, expected), (found, expected)


class Refused(tuple[type, str]):
    """The class and the text of an error."""

    __slots__ = ()


def outcome(codec: serow.Codec, record: bytes) -> Any:
    """Give the value or the error."""
    begun = time.thread_time()
    try:
        found = codec.decode_one(record)
    except (serow.DecodeError, serow.LimitError, serow.SchemaError) as error:
        found = Refused((type(error), str(error)))
    took = time.thread_time() - begun
    assert took < SLOWEST, f"{took} seconds"
    return found


def single(schema: serow.Schema | str, value: bytes) -> bytes:
    """Give the single record whose value has these bytes."""
    fingerprint = serow.Codec(schema).schema.fingerprint.to_bytes(8, "little")
    return fingerprint + value


def damaged(record: bytes, other: bytes, generator: random.Random) -> bytes:
    """Give the record with changes. `other` is a record of the same schema."""
    kind = generator.randrange(20)
    if kind == 0:
        return record[: generator.randrange(len(record))]
    if kind == 1:
        at = generator.randrange(len(record))
        return record[:at] + generator.randbytes(1) + record[at + 1 :]
    if kind == 2:
        return record + generator.randbytes(generator.choice([1, 12]))
    value = bytearray(record[8:])
    if kind < 6:
        start = generator.randrange(8, len(other) + 1)
        at = generator.randrange(len(value) + 1)
        value[at : at + generator.randrange(9)] = other[start : start + generator.randrange(40)]
    elif kind < 8:
        del value[generator.randrange(len(value) + 1) :]
    else:
        for _ in range(generator.choice([1, 1, 1, 2, 4])):
            wire_format.spoil(value, generator)
    return record[:8] + value


def golden() -> list[tuple[serow.Schema, list[bytes]]]:
    """Give the schemas and the records of the golden files."""
    found = []
    for path in sorted(GOLDEN.glob("*.records")):
        records = list(wire_format.single_records(path.read_bytes()))
        if records:
            text = rowtext.read(path.with_suffix(".rows")).schema
            found.append((serow.Schema.parse(text), records))
    return found


def drawn(seed: int) -> tuple[serow.Schema, list[bytes]]:
    """Give a random schema and some of its records."""
    table = Table(seed)
    columns = [table.column(2) for _ in range(table.random.randrange(1, 6))]
    rows = [tuple(cell(i) for cell in columns) for i in range(8)]
    schema = serow.Schema.infer(rows)
    return schema, list(map(serow.Codec(schema).encode_one, rows))


def sources(generator: random.Random) -> Iterator[tuple[Readers, list[bytes]]]:
    """Give readers and records of one schema after the other, without end."""
    files = golden()
    while True:
        if generator.random() < 0.3:
            schema, records = generator.choice(files)
        else:
            schema, records = drawn(generator.getrandbits(32))
        yield Readers(schema), records
        # A codec of a wider schema, which knows the one of the records.
        wider = serow.Schema.infer(
            [serow.Codec(schema).decode_one(record) for record in records]
            + generator.choice([[None], [1.5], [()], [(1, 2)]])
        )
        codec = serow.Codec(wider, schemas=serow.SchemaSet([schema]))
        yield Readers(wider, codec), records


def run(count: int, seed: int) -> Counter[str]:
    """Decode this number of records in this process; count the kinds of outcomes."""
    generator = random.Random(seed)
    found: Counter[str] = Counter()
    for readers, records in sources(generator):
        if count == 0:
            return found
        share = min(OF_ONE_SCHEMA, count)
        count -= share
        for _ in range(share):
            record = damaged(generator.choice(records), generator.choice(records), generator)
            try:
                verdict = readers.verdict(record)
            except BaseException:
                print(f"{record.hex()} for {readers.interpreted!r}, seed {seed}", file=sys.stderr)
                raise
            found[verdict[0].__name__ if type(verdict) is Refused else "value"] += 1
    return found


def limit_memory() -> None:
    """Let this process grow by `MEMORY`, and no more."""
    has = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (has + MEMORY, has + MEMORY))


def main() -> int:
    """Distribute the records and wait; give 1 if any fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("records", type=int)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=None, help="run one share, of this seed, here")
    options = parser.parse_args()
    if options.seed is not None:
        limit_memory()
        for kind, count in run(options.records, options.seed).most_common():
            print(f"{count:10,} {kind}", flush=True)
        return 0
    began = time.monotonic()
    each = -(-options.records // options.processes)
    seeds = [int.from_bytes(os.urandom(4), "little") for _ in range(options.processes)]
    print(f"{len(seeds)} times {each} records, seeds {seeds}", flush=True)
    command = [sys.executable, __file__, str(each), "--seed"]
    running = [subprocess.Popen([*command, str(seed)]) for seed in seeds]
    failed = any([process.wait() for process in running])
    verdict = "some records failed" if failed else "each gave a value or an error"
    print(f"{verdict}, {time.monotonic() - began:.0f} s")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
