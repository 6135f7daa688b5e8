"""Sends messages from each language to each other one, as README.md in this directory describes.

Each run has a random seed and prints it; `--seed` repeats a run. `--scale` multiplies the number of
examples.
"""

import argparse
import itertools
import os
import random
import re
import secrets
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from datetime import time as time_of_day
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import rowtext
import serow
import strategies
import wire_format
from hypothesis import HealthCheck, example, given, seed, settings
from parts import COUNTS
from strategies import Table, seeds
from wire_format import spoil

ROOT = Path(__file__).parents[2]
WIRES = ("row", "frame")

#: The requests to encode, and the wires that they name.
ENCODE = {0: "row", 1: "frame", 3: None}
TEXT = 2
#: An answer that takes longer is a hang.
PATIENCE = 60.0


class RefusedError(Exception):
    """The language refuses the message."""


class Language:
    """A program that answers requests."""

    def __init__(self, name: str, command: list[str]) -> None:
        """Start it."""
        self.name, self.command = name, command
        self.start()

    def start(self) -> None:
        """Run the program."""
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(self.command, stdin=pipe, stdout=pipe, bufsize=0)

    def ask(self, asked: int, message: bytes) -> bytes:
        """Return the answer to a request, or raise RefusedError."""
        request = bytes([asked]) + len(message).to_bytes(4, "little") + message
        try:
            self.write(request)
            head = self.read(5)
            content = self.read(int.from_bytes(head[1:], "little"))
        except (OSError, EOFError) as error:
            self.process.kill()
            status = self.process.wait()
            self.start()
            raise AssertionError(
                f"{self.name} hangs or has ended ({status}) over {message.hex()}"
            ) from error
        if head[0] == 1:
            raise RefusedError(content.decode("utf-8"))
        assert head[0] == 0, f"{self.name} fails with {content!r} over {message.hex()}"
        return content

    def rows(self, message: bytes) -> str:
        """Return the text of the message's rows, with the keys of all dicts sorted.

        A dict's text does not depend on whether the schema fixes its keys.
        """
        text = self.ask(TEXT, message).decode("ascii")
        return "".join(f"{in_one_order(row)}\n" for row in text.splitlines())

    def verdict(self, message: bytes) -> str:
        """Return the text of the message's rows, or the reason for its refusal."""
        try:
            return self.rows(message)
        except RefusedError as refused:
            return f"refused: {refused}"

    def write(self, request: bytes) -> None:
        """Write all, although an answer may have to be read meanwhile: none is before the end."""
        assert self.process.stdin is not None
        view = memoryview(request)
        while view:
            view = view[self.process.stdin.write(view) :]

    def read(self, count: int) -> bytes:
        """Read exactly that many bytes."""
        assert self.process.stdout is not None
        parts, deadline = [], time.monotonic() + PATIENCE
        while count:
            left = max(deadline - time.monotonic(), 0)
            if not select.select([self.process.stdout], [], [], left)[0]:
                raise EOFError
            part = self.process.stdout.read(count)
            if not part:
                raise EOFError
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def stop(self) -> None:
        """End the program, which must end well."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        assert self.process.wait(PATIENCE) == 0, f"{self.name} ends badly"


#: The name that Python itself gives to an offset, "UTC" or "UTC+01:00", in the text of a row.
OWN_NAME = re.compile(r"(?<= s)3d555443((2b|2d)(3[0-9]){2}(3a(3[0-9]){2}){1,2})?(?= |$)")


def without_own_names(line: str) -> str:
    """Return a row's text without names that say no more than their offset, which Java drops."""
    return OWN_NAME.sub("", line)


def lines(rows: list[Any]) -> list[str]:
    """Return comparable texts of the rows, which include their types and bits."""
    return [rowtext.canonical(row) for row in rows]


def in_one_order(line: str) -> str:
    """Sort the keys of all dicts in the text of a row, which may have values that Python lacks."""
    return " ".join(ordered(iter(line.split(" ")))) if line[:7] != "refused" else line


def ordered(words: Iterator[str]) -> list[str]:
    """Take one value from `words` and return its words, with the keys of its dicts sorted."""
    word = next(words)
    kind, rest = word[0], word[1:]
    taken = [word]
    if kind in "ltSF":
        for _ in range(int(rest)):
            taken += ordered(words)
    elif kind in "dm":
        entries = [(ordered(words), ordered(words)) for _ in range(int(rest))]
        for key, value in sorted(entries, key=lambda entry: " ".join(entry[0])):
            taken += key + value
    elif kind == "r":
        taken.append(next(words))
        for _ in range(int(rest)):
            taken += [next(words), *ordered(words)]
    elif kind in "eE":
        taken += [next(words), next(words)]
        # The names of the members, each with its value if it is an int or a str as well.
        taken += [next(words) for _ in range(int(taken[-1]) * (1 if kind == "e" else 2))]
    elif kind == "c":
        ints, floats, strings = COUNTS[int(rest)]
        taken += [next(words) for _ in range(ints + floats + strings)]
    return taken


def parts(value: Any) -> list[Any] | None:
    """Return the elements of a container, or None for other values."""
    if isinstance(value, dict):
        return [*value, *value.values()]
    if isinstance(value, (list, tuple, set, frozenset)):
        return list(value)
    fields = rowtext.fields_of(value)
    return None if fields is None else list(fields.values())


def is_ordered(value: Any) -> bool:
    """Whether a value contains no sets and no dicts."""
    if isinstance(value, (set, frozenset, dict)):
        return False
    return all(map(is_ordered, parts(value) or []))


def strings(value: Any) -> list[str]:
    """Return all strings in a value."""
    return [leaf for leaf in leaves(value) if type(leaf) is str]


def leaves(value: Any) -> Iterator[Any]:
    """Yield the leaves of a value: the values in it that are not containers."""
    held = parts(value)
    if held is None:
        yield value
    else:
        for element in held:
            yield from leaves(element)


def is_in_java(value: Any) -> bool:
    """Whether Java can surely represent a leaf."""
    if isinstance(value, Decimal):
        exponent = value.as_tuple().exponent
        is_small = isinstance(exponent, int) and -(2**31) < exponent < 2**31
        return is_small and not (value.is_zero() and value.is_signed())
    if not isinstance(value, (datetime, time_of_day)) or value.tzinfo is None:
        return getattr(value, "fold", 0) == 0
    if isinstance(value.tzinfo, ZoneInfo):
        # Before and after these years the languages' databases may differ.
        if isinstance(value, time_of_day) or not 1975 < value.year < 2030:
            return False
        first, second = (value.replace(fold=fold).utcoffset() for fold in (0, 1))
        return first > second or (first == second and value.fold == 0)  # type: ignore[operator]
    offset = value.utcoffset()
    assert offset is not None
    is_offset = offset % timedelta(seconds=1) == timedelta(0) and abs(offset) <= timedelta(hours=18)
    is_named = len(value.tzinfo.__getinitargs__()) > 1  # type: ignore[attr-defined]
    return is_offset and not is_named and value.fold == 0


def is_told_apart(value: Any, *, any_nan: bool) -> bool:
    """Whether all elements and keys differ in their bits; with `any_nan`, all NaNs are equal."""
    if isinstance(value, (set, frozenset, dict)):
        lines = [
            NAN.sub(" fNaN", f" {rowtext.line(v)}") if any_nan else rowtext.line(v) for v in value
        ]
        if len(set(lines)) < len(lines):
            return False
    return all(is_told_apart(v, any_nan=any_nan) for v in parts(value) or [])


#: A NaN in the text of a row.
NAN = re.compile(r" f[7f]ff(?!0{13})[0-9a-f]{13}")


def is_for(language: str, rows: list[Any]) -> bool:
    """Whether the language can represent all values of the rows."""
    if language != "python" and not is_told_apart(rows, any_nan=language == "java"):
        return False
    if language == "java" and not all(map(is_in_java, leaves(rows))):
        return False
    texts = strings(rows)
    if language == "rust":
        return not any("\ud800" <= c <= "\udfff" for text in texts for c in text)
    if language == "java":
        return not any(
            "\ud800" <= high <= "\udbff" and "\udc00" <= low <= "\udfff"
            for text in texts
            for high, low in itertools.pairwise(text)
        )
    return True


def is_refusal(verdict: str) -> bool:
    """Whether a verdict says that the language can't represent a value that others can."""
    return verdict.startswith("refused: decode") and any(
        why in verdict
        for why in (
            *("surrogate", "cannot decode", "Python's ", "databases differ", "no time zone"),
            "twice",
        )
    )


def send(languages: list[Language], rows: list[Any], generator: random.Random) -> None:
    """Send rows through every pair of languages, in random wires, and compare them."""
    expected = lines(rows)
    original = serow.dumps(rows, wire=generator.choice(WIRES))
    for first in languages:
        if not is_for(first.name, rows):
            verdict = first.verdict(original)
            if not is_refusal(verdict):
                assert [*map(without_own_names, verdict.splitlines())] == [
                    *map(without_own_names, expected)
                ], first.name
            continue
        assert first.rows(original).splitlines() == expected, first.name
        encoded = first.ask(generator.choice([*ENCODE]), original)
        assert lines(wire_format.loads(encoded)) == expected, f"{first.name} encodes other rows"
        for second in languages:
            if not is_for(second.name, rows):
                continue
            again = second.ask(generator.choice([*ENCODE]), encoded)
            trip = f"{first.name} to {second.name}"
            assert second.rows(encoded).splitlines() == expected, trip
            assert lines(serow.loads(again)) == expected, trip


def same_bytes(languages: list[Language], rows: list[Any]) -> None:
    """Rust and Python infer alike, so that they encode equal rows to equal bytes.

    That is so where all values have an order, which those of sets and dicts have only in a process.
    """
    if not all(map(is_ordered, rows)):
        return
    for asked, wire in ENCODE.items():
        message = serow.dumps(rows, wire=wire)
        for language in languages:
            if language.name != "java" and is_for(language.name, rows):
                assert language.ask(asked, message) == message, language.name


def judge(languages: list[Language], message: bytes) -> None:
    """Decode a message that may be corrupt in all languages, which must agree on it."""
    verdicts = {language.name: language.verdict(message) for language in languages}
    python = verdicts.pop("python")
    for name, verdict in verdicts.items():
        if is_refusal(python) or is_refusal(verdict):
            # Another language may find an error in a later row.
            continue
        if python.startswith("refused"):
            # A message may have several errors, and languages may report different ones.
            assert verdict.startswith("refused: "), f"python {python}, {name} takes {message.hex()}"
            kinds = {verdict.split(":")[1], python.split(":")[1]}
            assert len(kinds) == 1 or kinds == {" decode", " limit"}, (python, verdict)
        else:
            assert verdict == python, f"{name} and python differ over {message.hex()}"


def lies(table: list[Any], generator: random.Random) -> bytes:
    """Return a corrupt message of `table` whose checksums are right."""
    frames = wire_format.frames(serow.dumps(table, wire=generator.choice(WIRES)))
    i = generator.randrange(len(frames))
    body, schema = bytearray(frames[i].body), bytearray(frames[i].schema)
    what = generator.random()
    if what < 0.1:
        spoil(schema, generator)
    else:
        for _ in range(generator.choice([1, 1, 2, 5])):
            spoil(body, generator)
    rows = frames[i].rows
    if what > 0.95:
        rows = generator.choice([0, 1, rows + 1, max(rows - 1, 0), 65_536, 65_537])
    changed = replace(frames[i], body=bytes(body), schema=bytes(schema), rows=rows)
    return wire_format.message(*frames[:i], changed, *frames[i + 1 :])


def tests(
    languages: list[Language], number: int, scale: float
) -> list[tuple[str, int, Callable[[], None]]]:
    """Return all tests: the description, number of examples and function of each."""

    def of(count: int, *strategy: Any, examples: list[Any] = ()) -> Any:  # type: ignore[assignment]
        def decorate(test: Callable[[Any], None]) -> tuple[int, Callable[[], None]]:
            scaled = max(1, round(count * scale))
            checked = given(*strategy)(test)
            for rows in examples:
                checked = example(rows)(checked)
            limits = settings(
                max_examples=scaled,
                deadline=None,
                database=None,
                suppress_health_check=list(HealthCheck),
            )
            return scaled, seed(number)(limits(checked))

        return decorate

    def chance(value: Any) -> random.Random:
        return random.Random(f"{number} {value!r}")

    @of(100, strategies.rows(strategies.texts), examples=[[], [None], [[]], [()], [1, 2.5, "x"]])
    def any_rows(rows: list[Any]) -> None:
        send(languages, rows, chance(rows))
        same_bytes(languages, rows)

    @of(75, strategies.rows(), examples=[["\ud83d\ude00"], ["\ud800"], ["\ude00\ud83d", 1]])
    def any_strings(rows: list[Any]) -> None:
        send(languages, rows, chance(rows))

    @of(200, seeds)
    def tables(table_seed: int) -> None:
        rows = Table(table_seed, wild=False).rows(most=400)
        send(languages, rows, chance(table_seed))
        same_bytes(languages, rows)

    @of(2, seeds)
    def large_tables(table_seed: int) -> None:
        table = Table(table_seed, wild=False)
        columns = [table.column(1) for _ in range(5)]
        rows = [tuple(cell(i) for cell in columns) for i in range(5_000)]
        send(languages, rows, chance(table_seed))
        same_bytes(languages, rows)

    @of(3, seeds)
    def wide_tables(table_seed: int) -> None:
        table = Table(table_seed, wild=False)
        columns = [table.column(1) for _ in range(600)]
        send(languages, [tuple(cell(i) for cell in columns) for i in range(20)], chance(table_seed))

    @of(1500, seeds)
    def lying_messages(table_seed: int) -> None:
        generator = random.Random(table_seed)
        table = Table(table_seed, wild=generator.random() < 0.3).rows(most=60, widest=4)
        for _ in range(4):
            judge(languages, lies(table, generator))

    @of(250, seeds)
    def damaged_messages(table_seed: int) -> None:
        generator = random.Random(table_seed)
        message = bytearray(serow.dumps(Table(table_seed).rows(most=60, widest=4)))
        at = generator.randrange(len(message))
        judge(languages, bytes(message[:at]))
        message[at] ^= 1 << generator.randrange(8)
        judge(languages, bytes(message))

    return [
        (name.replace("_", " "), *test)
        for name, test in locals().items()
        if isinstance(test, tuple)
    ]


def java(home: str) -> list[str]:
    """Return the command of Java's program."""
    target = ROOT / "java" / "serow" / "target"
    [jar] = target.glob("serow-*[0-9].jar")
    path = f"{jar}:{target / 'test-classes'}"
    # For so little work the JVM compiles quickly rather than well.
    quick = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
    flags = ["-Xmx1g", *quick, "--enable-native-access=ALL-UNNAMED", "-cp", path]
    return [f"{home}/bin/java", *flags, "io.github.serow.Conformance"]


def main() -> int:
    """Run all tests."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32))
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument(
        "--build", default="debug", help="the folder of target/ that Rust's program was built in"
    )
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    home = (
        os.environ.get("JAVA_HOME")
        or subprocess.check_output(
            [ROOT / "tools" / "find-jdks.sh", "--default"], text=True
        ).strip()
    )
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    languages = [
        Language("python", [sys.executable, str(Path(__file__).with_name("conformance.py"))]),
        Language("rust", [str(target / arguments.build / "examples" / "conformance")]),
        Language("java", java(home)),
    ]
    for name, count, test in tests(languages, arguments.seed, arguments.scale):
        began = time.monotonic()
        test()
        print(f"{name}: {count} examples, {time.monotonic() - began:.1f} s", flush=True)
    for language in languages:
        language.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
