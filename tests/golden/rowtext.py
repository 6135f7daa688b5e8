"""Rows as text, exactly: the `.rows` files, which README.md beside this describes."""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from parts import COUNTS, Parts, parts_of, value_of


class Golden(NamedTuple):
    """What a `.rows` file says."""

    about: str
    schema: str
    rows: list[Any]


def tokens(value: Any) -> Iterator[str]:
    """Give the tokens of `value`."""
    if value is None:
        yield "n"
    elif (made := parts_of(value)) is not None:
        yield f"c{made.code}"
        yield from (f"i{part}" for part in made.ints)
        yield from (f"f{struct.pack('>d', part).hex()}" for part in made.floats)
        if made.octets is not None:
            yield f"s{made.octets.hex()}"
    elif type(value) is bool:
        yield f"b{int(value)}"
    elif type(value) is int:
        yield f"i{value}"
    elif type(value) is float:
        yield f"f{struct.pack('>d', value).hex()}"
    elif type(value) is str:
        yield f"s{value.encode('utf-8', 'surrogatepass').hex()}"
    elif type(value) in (list, tuple):
        yield f"{'l' if type(value) is list else 't'}{len(value)}"
        for element in value:
            yield from tokens(element)
    else:
        raise TypeError(f"no token for {value!r}")


def line(row: Any) -> str:
    """Give the line of `row`; rows are equal with equal types if their lines are equal."""
    return " ".join(tokens(row))


def value(words: Iterator[str]) -> Any:
    """Take one value off `words`."""
    word = next(words)
    kind, rest = word[0], word[1:]
    if kind == "n":
        return None
    if kind == "b":
        return {"0": False, "1": True}[rest]
    if kind == "i":
        return int(rest)
    if kind == "f":
        return struct.unpack(">d", bytes.fromhex(rest))[0]
    if kind == "s":
        return bytes.fromhex(rest).decode("utf-8", "surrogatepass")
    if kind in "lt":
        elements = [value(words) for _ in range(int(rest))]
        return elements if kind == "l" else tuple(elements)
    if kind == "c":
        ints, floats, strings = COUNTS[int(rest)]
        return value_of(
            Parts(
                int(rest),
                tuple(int(next(words)[1:]) for _ in range(ints)),
                tuple(value(words) for _ in range(floats)),
                bytes.fromhex(next(words)[1:]) if strings else None,
            )
        )
    raise ValueError(f"no value begins with {word!r}")


def write(golden: Golden) -> str:
    """Give the text of a `.rows` file. Equal neighbours share a line."""
    text = [f"# {why}" for why in golden.about.splitlines()] + [f"schema {golden.schema}"]
    lines = [line(row) for row in golden.rows]
    at = 0
    while at < len(lines):
        count = 1
        while at + count < len(lines) and lines[at + count] == lines[at]:
            count += 1
        text.append(f"x{count} {lines[at]}" if count > 1 else lines[at])
        at += count
    return "\n".join(text) + "\n"


def read(path: Path) -> Golden:
    """Read a `.rows` file."""
    about, schema, rows = [], None, []
    for text in path.read_text("ascii").splitlines():
        if schema is None:
            if text.startswith("# "):
                about.append(text[2:])
            else:
                schema = text.removeprefix("schema ")
            continue
        words = iter(text.split(" "))
        count = 1
        if text.startswith("x"):
            count = int(next(words)[1:])
        row = value(words)
        if next(words, None) is not None:
            raise ValueError(f"{path.name}: more than a row in {text!r}")
        rows.extend([row] * count)
    if schema is None:
        raise ValueError(f"{path.name} says no schema")
    return Golden("\n".join(about), schema, rows)
