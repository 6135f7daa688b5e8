"""Random types as values of `serow.types`, and a value of each."""

import collections
import datetime
import decimal
import enum
import uuid
from typing import Any

import serow
from hypothesis import strategies as st
from serow import types as t

#: Types without parts, with a value.
SCALARS: dict[t.Type, Any] = {
    t.Null(): None,
    t.Bool(): True,
    t.I64(): 7,
    t.Int(): 2**70,
    t.F64(): 2.5,
    t.F32(): 0.5,
    **{of(): 7 for of in (t.I8, t.I16, t.I32, t.U8, t.U16, t.U32, t.U64)},
    t.Complex(): 1j,
    t.Decimal(): decimal.Decimal("1.50"),
    t.Str(): "almond",
    t.Bytes(): b"\x00",
    t.ByteArray(): bytearray(b"\xff"),
    t.Date(): datetime.date(2024, 2, 29),
    t.Time(): datetime.time(12),
    t.TimeTz(): datetime.time(12, tzinfo=datetime.timezone.utc),
    t.Timestamp(): datetime.datetime(2024, 2, 29),
    t.TimestampTz(): datetime.datetime(2024, 2, 29, tzinfo=datetime.timezone.utc),
    t.Duration(): datetime.timedelta(1),
    t.Uuid(): uuid.UUID(int=7),
}

names = st.sampled_from("abcd")
scalars = st.sampled_from(sorted(SCALARS, key=repr))


def _enum(name: str, members: list[str], values: str) -> t.Type:
    held = {"": None, "i": range(len(members)), "s": [f"={m}" for m in members]}[values]
    return t.Enum(name, members, held)


def _some_of(inner: st.SearchStrategy[t.Type]) -> st.SearchStrategy[t.Type]:
    several = st.lists(inner, max_size=3)
    fields = st.lists(st.builds(t.Field, names, inner), max_size=3, unique_by=lambda it: it.name)
    keys = st.builds(t.Field, names, inner, st.booleans())
    return st.one_of(
        st.builds(t.Optional, inner),
        st.builds(t.Union, several),
        st.builds(t.Union, several),
        st.builds(t.List, inner),
        st.builds(t.VariadicTuple, inner),
        st.builds(t.Set, inner),
        st.builds(t.FrozenSet, inner),
        st.builds(t.Tuple, several),
        st.builds(t.FixedList, several),
        st.builds(t.Map, inner, inner),
        st.builds(t.Dict, st.lists(keys, max_size=3, unique_by=lambda it: it.name)),
        st.builds(t.Record, st.sampled_from("RQ"), fields),
        st.builds(
            _enum,
            st.sampled_from("EF"),
            st.lists(st.sampled_from("xyz"), min_size=1, max_size=3, unique=True),
            st.sampled_from(["", "i", "s"]),
        ),
    )


#: Types, also such as no rows can have.
all_types = st.recursive(scalars, _some_of, max_leaves=6)


def _schema(type: t.Type) -> serow.Schema | None:
    try:
        return serow.Schema(type)
    except serow.SerowError:
        return None


schemas = all_types.map(_schema).filter(lambda schema: schema is not None)


@st.composite
def versions(draw: st.DrawFn, type: t.Type) -> t.Type:
    """Give a type that differs from another here and there, as versions of a class do."""
    again = lambda of: draw(versions(of))  # noqa: E731
    choice = draw(st.integers(0, 9))
    if choice == 0:
        return t.Optional(type)
    if choice == 1:
        return t.Union([type, draw(scalars)])
    match type:
        case t.I64():
            return draw(st.sampled_from([type, t.Int(), t.F64()]))
        case t.Optional(inner) if choice == 2:
            return again(inner)
        case t.Optional(inner):
            return t.Optional(again(inner))
        case t.Union(arms):
            return t.Union([again(arm) for arm in arms])
        case t.List(inner) | t.VariadicTuple(inner) | t.Set(inner) | t.FrozenSet(inner):
            return type.__class__(again(inner))
        case t.Tuple(items) if items and choice == 3:
            return t.VariadicTuple(again(items[0]))
        case t.FixedList(items) if items and choice == 3:
            return t.List(again(items[0]))
        case t.Tuple(items) | t.FixedList(items):
            return type.__class__([again(item) for item in items])
        case t.Map(key, value):
            return t.Map(again(key), again(value))
        case t.Dict(fields) if fields and choice == 3:
            return t.Map(t.Str(), again(fields[0].type))
        case t.Dict(fields):
            changed = draw(_fields(fields))
            return t.Record("R", changed) if choice == 4 else t.Dict(changed)
        case t.Record(name, fields):
            changed = [t.Field(it.name, it.type) for it in draw(_fields(fields))]
            return t.Dict(changed) if choice == 4 else t.Record(name, changed)
        case t.Enum(name, members) if choice == 3:
            return t.Enum(name, [*members[1:], "w"])
    return type


@st.composite
def _fields(draw: st.DrawFn, fields: tuple[t.Field, ...]) -> list[t.Field]:
    kept = [it for it in fields if draw(st.integers(0, 4))]
    changed = [t.Field(it.name, draw(versions(it.type)), it.may_be_missing) for it in kept]
    if draw(st.booleans()):
        changed.append(t.Field("new", draw(scalars.map(t.Optional) | scalars)))
    return draw(st.permutations(changed))


def value_of(type: t.Type) -> Any:
    """Give a value of a type. Raises LookupError if it has none."""
    match type:
        case t.Never():
            raise LookupError
        case t.Optional(inner):
            return value_of(inner)
        case t.Union(arms):
            return value_of(arms[-1])
        case t.List(inner):
            return [value_of(inner)]
        case t.VariadicTuple(inner):
            return (value_of(inner),)
        case t.Set(inner):
            return {value_of(inner)}
        case t.FrozenSet(inner):
            return frozenset({value_of(inner)})
        case t.Tuple(items):
            return tuple(map(value_of, items))
        case t.FixedList(items):
            return list(map(value_of, items))
        case t.Map(key, value):
            return {value_of(key): value_of(value)}
        case t.Dict(fields):
            return {field.name: value_of(field.type) for field in fields}
        case t.Record(name, fields):
            made = collections.namedtuple(name, [field.name for field in fields])  # type: ignore[misc]
            return made(*(value_of(field.type) for field in fields))
        case t.Enum(name, members, values):
            base = enum.Enum if values is None else enum.IntEnum
            if values is not None and isinstance(values[0], str):
                base = _StrEnum  # type: ignore[assignment]
            pairs = zip(members, values or range(len(members)), strict=True)
            return next(iter(base(name, list(pairs))))  # type: ignore[call-overload]
        case _:
            return SCALARS[type]


class _StrEnum(str, enum.Enum):
    """As the standard library has since Python 3.11."""
