"""What readers make of rows of other schemas: `Schema.compare` and `check`."""

import os
import typing
import warnings
from collections.abc import Iterable, Iterator, Mapping
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from serow import types
from serow._native import Schema, SchemaError, SchemaSet

if TYPE_CHECKING:
    from typing_extensions import Self

    #: A folder, a set, schemas or annotations, or a dict of them by name.
    _Schemas = Any

_Direction = Literal["backward", "forward", "full"]


class Change(NamedTuple):
    """What becomes of one part of a row."""

    path: str
    """The part, such as `lines.[].price`; "" for the row itself.

    It has names of fields, indices of items without names, `[]` for elements, `key` and `value` for
    those of a map.
    """
    kind: Literal["same", "converted", "missing", "dropped", "refused"]
    """`"missing"` if rows lack it, `"dropped"` if the reader does; `"refused"` can't be read."""
    writer: types.Type | None
    """The type in the rows; None if it is missing."""
    reader: types.Type | None
    """The type for the reader; None if it is dropped."""
    reason: str = ""
    """Why it is refused or missing and what it gets, or which values are errors."""
    may_fail: bool = False
    """Whether it is converted, and some values of the writer's type are a DecodeError."""

    def __str__(self) -> str:
        """Give a line for people."""
        place = self.path or "row"
        both = (
            "" if self.writer is None or self.reader is None else f"{self.writer} -> {self.reader}"
        )
        what = {
            "same": f"{self.writer}",
            "converted": both,
            "missing": f"missing ({self.reader})",
            "dropped": f"dropped ({self.writer})",
            "refused": f"REFUSED {both or self.reader or ''}".rstrip(),
        }[self.kind]
        return f"{place}: {what}" + (f"; {self.reason}" if self.reason else "")


class Comparison:
    """What a reader makes of rows of another schema, part by part.

    It is true if the rows can be read, as far as types say. If a change has `may_fail`, some values
    of the writer's type are a DecodeError nevertheless. `str` has a line for each change.
    """

    __slots__ = ("changes", "reader", "warnings", "writer")
    reader: Schema
    """The schema of the reader."""
    writer: Schema
    """The schema of the rows."""
    changes: tuple[Change, ...]
    """What becomes of each part, in the order of the rows.

    A part whose type is the same for both has no changes further in. A container is among them if
    it is the same or converted itself, and otherwise only what it holds.
    """
    warnings: tuple[str, ...]
    """What is allowed and may be a mistake, such as a field that was perhaps renamed."""

    def __init__(
        self,
        reader: Schema,
        writer: Schema,
        changes: tuple[Change, ...],
        warnings: tuple[str, ...],
    ) -> None:
        """Hold what was found."""
        self.reader, self.writer, self.changes, self.warnings = reader, writer, changes, warnings

    @property
    def reads(self) -> bool:
        """Whether the reader reads these rows."""
        return not self.refused

    @property
    def refused(self) -> tuple[Change, ...]:
        """The changes for which it can't."""
        return tuple(change for change in self.changes if change.kind == "refused")

    @property
    def may_fail(self) -> bool:
        """Whether some values of the writer's types can't be converted."""
        return any(change.may_fail for change in self.changes)

    def __bool__(self) -> bool:
        """Whether the reader reads these rows."""
        return self.reads

    def __getitem__(self, path: str) -> Change:
        """Give the first change at a path."""
        for change in self.changes:
            if change.path == path:
                return change
        raise KeyError(path)

    def __iter__(self) -> Iterator[Change]:
        """Iterate over the changes."""
        return iter(self.changes)

    def __str__(self) -> str:
        """Give a line for each change."""
        return "\n".join([*map(str, self.changes), *(f"warning: {text}" for text in self.warnings)])

    def __repr__(self) -> str:
        """Give the schemas and the result."""
        reads = "reads" if self.reads else "can't read"
        return f"<serow.Comparison: {self.reader!r} {reads} {self.writer!r}>"


def warned(comparison: Comparison) -> Comparison:
    """Warn of what may be a mistake, for `Schema.compare`."""
    if comparison.warnings:
        warnings.warn("; ".join(comparison.warnings), UserWarning, stacklevel=2)
    return comparison


class Check(NamedTuple):
    """Whether readers and rows of two states of a program's schemas fit, by `serow.check`.

    It is true if they do in the direction that was asked for: if it is `ok`.
    """

    direction: _Direction
    """What was asked for."""
    backward: tuple[tuple[str, Comparison], ...]
    """What each new reader makes of rows of each old schema of its name."""
    forward: tuple[tuple[str, Comparison], ...]
    """What each old reader makes of rows of each new schema of its name."""
    added: tuple[str, ...]
    """The names that only the new schemas have."""
    removed: tuple[str, ...]
    """The names that only the old schemas have. Nothing reads their rows any more."""
    strict: bool = False
    """Whether values that may fail were asked about too."""

    @property
    def ok(self) -> bool:
        """Whether all rows can be read in the direction that was asked for.

        If `strict`, no value may fail either.
        """
        return not self.broken and not (self.strict and self.may_fail)

    @property
    def may_fail(self) -> tuple[tuple[str, Change], ...]:
        """The changes in this direction that may fail, each after the name of its schema.

        Their rows can be read, as far as types say, but not each value of the writer's type, such
        as a member that an enum has lost. `path` and `reason` of a change say where and which.
        """
        each = ((name, change) for name, one in self._asked for change in one)
        return tuple((name, change) for name, change in each if change.may_fail)

    @property
    def broken(self) -> tuple[tuple[str, Comparison], ...]:
        """The comparisons of this direction whose rows can't be read."""
        return tuple(one for one in self._asked if not one[1])

    @property
    def _asked(self) -> tuple[tuple[str, Comparison], ...]:
        """The comparisons of the direction that was asked for."""
        asked = {
            "backward": self.backward,
            "forward": self.forward,
            "full": self.backward + self.forward,
        }
        return asked[self.direction]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is allowed and may be a mistake, each after the name of its schema."""
        return tuple(
            f"{name}: {text}" for name, comparison in self.backward for text in comparison.warnings
        )

    def raise_if_broken(self) -> "Self":
        """Raise a SchemaError that says what can't be read; give the result otherwise."""
        if not self.ok:
            raise SchemaError("\n".join([*_lines(self.broken), *self._risks()]))
        return self

    def __bool__(self) -> bool:
        """Whether the result is `ok`."""
        return self.ok

    def _risks(self) -> Iterator[str]:
        for name, change in self.may_fail:
            yield f"{name}: may fail: {change}"

    def __str__(self) -> str:
        """Give a report for people."""
        lines = []
        for what, found in (("old rows", self.backward), ("new rows", self.forward)):
            broken = [one for one in found if not one[1]]
            readers = "new readers" if found is self.backward else "old readers"
            lines.append(
                f"{readers}, {what}: {len(found) - len(broken)} of {len(found)} can be read"
            )
            lines += [f"  {line}" for line in _lines(broken)]
        lines += self._risks()
        lines += [f"warning: {text}" for text in self.warnings]
        lines += [f"added: {name}" for name in self.added]
        lines += [f"removed: {name}" for name in self.removed]
        return "\n".join(lines)


def _lines(broken: Iterable[tuple[str, Comparison]]) -> Iterator[str]:
    for name, comparison in broken:
        yield f"{name}: {comparison.reader} can't read rows of {comparison.writer}"
        for change in comparison.refused:
            yield f"  {change}"


def check(
    old: "_Schemas",
    new: "_Schemas",
    *,
    direction: _Direction = "backward",
    strict: bool = False,
) -> Check:
    """Compare the schemas of a program with those that it had, for a test in CI.

    `old` and `new` are each a folder of `SchemaSet.save` (a path), a SchemaSet, a schema, a class
    or another annotation, an iterable of schemas and annotations, or a dict by name of one of these
    or several.
    Schemas are compared if their records have the same name, or if they have one name in the
    dicts. Two single schemas are compared whatever their names. If `new` has several schemas of a
    name, those that `old` has too are not new.

    `direction` is what must work: `"backward"` that readers of `new` read rows of `old`,
    `"forward"` that readers of `old` read rows of `new`, `"full"` both. The result has both. The
    defaults of classes count; a folder has only schemas, so old readers have none.

    With `strict=True` it is not enough that types can be read: no value that the writer's type has
    may be an error for the reader. `Check.may_fail` lists where that could happen.

    Raises ValueError if `old` is a folder without schemas, or if both have rows without a record's
    name that can't be told apart.

        >>> import serow
        >>> old = serow.Schema.parse("Part{key: i64}")
        >>> new = serow.Schema.parse("Part{key: i64, size: i64?}")
        >>> bool(serow.check(old, new))
        True
        >>> print(serow.check(new, serow.Schema.parse("Part{key: str}")))
        new readers, old rows: 0 of 1 can be read
          Part: Part{key: str} can't read rows of Part{key: i64, size: i64?}
            key: REFUSED i64 -> str; i64 can't be read as str
        old readers, new rows: 0 of 1 can be read
          Part: Part{key: i64, size: i64?} can't read rows of Part{key: str}
            key: REFUSED str -> i64; str can't be read as i64
    """
    if direction not in ("backward", "forward", "full"):
        raise ValueError(
            f'direction must be "backward", "forward" or "full", but it is {direction!r}'
        )
    before, after = _named(old), _named(new)
    if not before and isinstance(old, str | os.PathLike):
        raise ValueError(
            f"the folder {os.fspath(old)} has no schemas, so there is nothing to compare with; "
            "write them there first, as in serow.SchemaSet([...]).save(folder)"
        )
    if _is_one(old) and _is_one(new):
        # The caller says that they are versions of each other.
        ((name, versions),) = after.items()
        after, before = {name: versions}, {name: next(iter(before.values()))}
    unnamed = [
        [name for name in one if name not in other and not _name_of(one[name][0])]
        for one, other in ((before, after), (after, before))
    ]
    if all(unnamed) and not (isinstance(old, Mapping) and isinstance(new, Mapping)):
        raise ValueError(
            f"rows of {unnamed[1][0]} have no record's name, which says what their other version "
            "is; give dicts of schemas by name"
        )
    backward, forward = [], []
    for name, versions in after.items():
        known = before.get(name, [])
        fresh = versions if len(versions) == 1 else [one for one in versions if one not in known]
        for schema in fresh:
            backward += [(name, schema._compared(other)) for other in known]
            forward += [(name, other._compared(schema)) for other in known]
    return Check(
        direction,
        tuple(backward),
        tuple(forward),
        tuple(name for name in after if name not in before),
        tuple(name for name in before if name not in after),
        strict,
    )


def _is_one(source: Any) -> bool:
    """Tell a schema or annotation from several; some annotations can be iterated over."""
    if isinstance(source, str | os.PathLike | SchemaSet):
        return False
    return (
        source is None
        or isinstance(source, Schema | type | UnionType)
        or typing.get_origin(source) is not None
        or not isinstance(source, Iterable)
    )


def _schemas(given: Any) -> list[Schema]:
    """Give the schemas of a folder, a set or another iterable, or the one that is given."""
    if isinstance(given, os.PathLike):
        given = SchemaSet.from_folder(given)
    elif isinstance(given, str) or _is_one(given):
        given = [given]
    parsed = (Schema.parse(one) if isinstance(one, str) else one for one in given)
    return [one if isinstance(one, Schema) else Schema.of(one) for one in parsed]


def _named(source: Any) -> dict[str, list[Schema]]:
    """Give the schemas of each name."""
    if isinstance(source, Mapping):
        return {str(name): _schemas(given) for name, given in source.items()}
    named: dict[str, list[Schema]] = {}
    for schema in _schemas(SchemaSet.from_folder(source) if isinstance(source, str) else source):
        known = named.setdefault(_name_of(schema) or str(schema), [])
        if schema not in known:
            known.append(schema)
    return named


def _name_of(schema: Schema) -> str | None:
    """Give the name of the record or enum that rows are."""
    match schema.type:
        case types.Record(name) | types.Optional(types.Record(name)):
            return name
        case types.Enum(name) | types.Optional(types.Enum(name)):
            return name
    return None
