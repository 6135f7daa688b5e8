"""The exact text of rows in `.rows` files, which README.md in this directory describes."""

import dataclasses
import enum
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from parts import COUNTS, Parts, parts_of, value_of
from serow._records import enum_members, record_class


class Golden(NamedTuple):
    """The content of a `.rows` file."""

    about: str
    schema: str
    rows: list[Any]


def tokens(value: Any) -> Iterator[str]:
    """Return the tokens of `value`."""
    if value is None:
        yield "n"
    elif isinstance(value, enum.Enum):
        yield from member_tokens(value)
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
    elif type(value) in (set, frozenset):
        yield f"{'S' if type(value) is set else 'F'}{len(value)}"
        yield from sorted(map(line, value))
    elif type(value) is dict:
        is_fixed = all(map(is_name, value))
        yield f"{'d' if is_fixed else 'm'}{len(value)}"
        for key, element in value.items():
            yield from (*tokens(key), *tokens(element))
    elif (fields := fields_of(value)) is not None:
        yield from (f"r{len(fields)}", named(name_of(value)))
        for field, element in fields.items():
            yield from (named(field), *tokens(element))
    else:
        raise TypeError(f"no token for {value!r}")


def member_tokens(value: Any) -> Iterator[str]:
    """Return the tokens of a member of an enum."""
    members = list(type(value))
    has_values = isinstance(value, (int, str))
    yield f"{'E' if has_values else 'e'}{members.index(value)}"
    yield from (named(type(value).__name__), str(len(members)))
    for member in members:
        yield named(member.name)
        if has_values:
            yield from tokens(member.value)


def named(name: str) -> str:
    """Return the token of a name."""
    return f"s{name.encode('utf-8', 'surrogatepass').hex()}"


def is_name(key: Any) -> bool:
    """Whether a dict's key may be a fixed key: a string without lone surrogates."""
    return type(key) is str and not any("\ud800" <= c <= "\udfff" for c in key)


def name_of(record: Any) -> str:
    """Return the name of a record's type."""
    return str(getattr(record, "_record_name", type(record).__name__))


def fields_of(value: Any) -> dict[str, Any] | None:
    """Return the fields of a record of any kind, or None for other values."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return dict(zip(value._fields, value, strict=True))
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return None


def sorted_keys(value: Any) -> Any:
    """Return an equal value whose dicts, which have no order, have sorted keys."""
    if type(value) in (list, tuple, set, frozenset):
        return type(value)(map(sorted_keys, value))
    if type(value) is dict:
        entries = ((sorted_keys(key), sorted_keys(element)) for key, element in value.items())
        return dict(sorted(entries, key=lambda entry: line(entry[0])))
    if (fields := fields_of(value)) is not None:
        record = record_class(name_of(value), tuple(fields))
        return record(*map(sorted_keys, fields.values()))
    return value


def line(row: Any) -> str:
    """Return the line of `row`. Rows with equal lines are equal and have equal types."""
    return " ".join(tokens(row))


def canonical(row: Any) -> str:
    """Return the line of `row` with its keys sorted, which is the same for equal rows."""
    return line(sorted_keys(row))


def value(words: Iterator[str]) -> Any:
    """Take one value from `words`."""
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
    if kind in "SF":
        elements = [value(words) for _ in range(int(rest))]
        return set(elements) if kind == "S" else frozenset(elements)
    if kind in "md":
        return {value(words): value(words) for _ in range(int(rest))}
    if kind == "r":
        name, fields = value(words), [(value(words), value(words)) for _ in range(int(rest))]
        return record_class(name, tuple(field for field, _ in fields))(*(v for _, v in fields))
    if kind == "e":
        name, count = value(words), int(next(words))
        return enum_members(name, tuple(value(words) for _ in range(count)))[int(rest)]
    if kind == "E":
        name, count = value(words), int(next(words))
        pairs = [(value(words), value(words)) for _ in range(count)]
        names, values = zip(*pairs, strict=True)
        return enum_members(name, names, values)[int(rest)]
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
    """Return the text of a `.rows` file. Consecutive equal rows share a line."""
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
    for text in path.read_text("utf-8").splitlines():
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
