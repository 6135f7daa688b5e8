"""Translates type annotations to schemas, and finds the classes to instantiate when decoding.

serow imports this module on the first request for the schema of a type. It never imports the
libraries whose classes it knows (attrs, msgspec, pydantic): if their classes occur, they are loaded
already.
"""

import datetime
import decimal
import enum
import itertools
import sys
import types
import typing
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Annotated, Any, NamedTuple

from serow import _arrays, _classes, _containers, _generics, _naming, _recursion
from serow._classes import BY_NAME, FIELDS_SET, QUALIFIERS, Field
from serow._known import registered, secret_advice
from serow._makers import Maker, maker
from serow._names import Name, why_no_name
from serow._native import Codec, Schema, SchemaError
from serow._registered import (
    Registered,
    arms_converter,
    elements_converter,
    values_converter,
)

#: Types without parameters. An `int` is encoded as 64 bits and decoded from any size. A `datetime`
#: may have a time zone or none.
SCALARS: dict[Any, str] = {
    None: "null",
    type(None): "null",
    bool: "bool",
    int: "i64",
    float: "f64",
    complex: "complex",
    str: "str",
    bytes: "bytes",
    bytearray: "bytearray",
    datetime.date: "date",
    datetime.time: "(time|timetz)",
    datetime.datetime: "(timestamp|timestamptz)",
    datetime.timedelta: "duration",
    decimal.Decimal: "decimal",
    uuid.UUID: "uuid",
}

#: Classes of pydantic that only stand in annotations, and the types of their values.
OF_PYDANTIC: dict[str, Any] = {
    "AwareDatetime": Annotated[datetime.datetime, Schema.parse("timestamptz")],
    "NaiveDatetime": Annotated[datetime.datetime, Schema.parse("timestamp")],
    "PastDatetime": datetime.datetime,
    "FutureDatetime": datetime.datetime,
    "PastDate": datetime.date,
    "FutureDate": datetime.date,
    "EmailStr": str,
}

#: Maximum number of types in a schema. A type that occurs twice counts twice.
MOST_TYPES = 65_536

#: Maximum number of classes around a type. Each is a container, and a schema's nest no deeper.
MOST_CLASSES = 64


#: The arguments of a generic class or alias.
Args = tuple[Any, ...]

#: The place of an arm in a union.
SortKey = tuple[Any, ...]


class Described(NamedTuple):
    """The schema text of a type, and how to make its values."""

    text: str
    #: Sort key among the arms of a union, after the code of the type.
    order: tuple[Any, ...] = ()
    #: One for each record and dict with fixed keys, in the order of the text, with former names.
    makers: tuple[tuple[Maker | None, _naming.Former], ...] = ()
    #: The members of each enum, in the order of the text, with former names.
    enums: tuple[tuple[tuple[Any, ...], _naming.Former], ...] = ()
    #: The type of NumPy's arrays for each sequence, set, map and `ndarray`, in the order of the
    #: text; None if it is no array.
    arrays: tuple[str | None, ...] = ()
    #: The arms of a union, and whether it accepts null.
    arms: tuple["Described", ...] = ()
    is_optional: bool = False
    #: Makes a value of what is decoded, if it is or holds an instance of a registered class. A
    #: class with fields converts these itself.
    convert: Callable[[Any], Any] | None = None
    #: The class of what is decoded, if it has one class, without what `convert` makes of it.
    kind: type | None = None

    def made_by(self, make: Callable[[Any], Any]) -> "Described":
        """Describe what `make` makes of these values."""

        def convert(value: Any) -> Any:
            return make(value if self.convert is None else self.convert(value))

        arms = tuple(arm._replace(convert=convert) for arm in self.arms)
        return self._replace(convert=convert, arms=arms)


#: A type that only the rows tell.
ANY = Described("any")


def describe(annotation: Any) -> tuple[Any, ...]:
    """Give the schema texts for writing and for reading, and what is needed to make the rows.

    The latter are the makers, the members of all enums, the type of array for each sequence, the
    conversion of a row or None, and the former names of all structs and of all enums.
    """
    written = _Walk(SCALARS).of(annotation)
    of_reader = {**SCALARS, int: "int"}
    read = _Walk(of_reader, with_aliases=True).of(annotation)
    if [type(of[0]) for of, _ in read.enums] != [type(of[0]) for of, _ in written.enums]:
        # Aliases change the order of a union's arms, if these are enums with the same name.
        read = _Walk(of_reader).of(annotation)
    makers, structs_were = _unzipped(written.makers)
    members, enums_were = _unzipped(read.enums)[0], _unzipped(written.enums)[1]
    texts = [_recursion.numbered(described.text) for described in (written, read)]
    return *texts, makers, members, read.arrays, written.convert, structs_were, enums_were


def _unzipped(pairs: tuple[tuple[Any, Any], ...]) -> tuple[list[Any], list[Any]]:
    return [first for first, _ in pairs], [second for _, second in pairs]


def codec(annotation: Any) -> "Codec[Any]":
    """Make the codec for rows of a type or a schema."""
    return Codec(annotation if isinstance(annotation, Schema) else Schema.of(annotation))


cached_codec = lru_cache(maxsize=64)(codec)


class _Walk:
    """Recursive walk through a type."""

    def __init__(self, scalars: dict[Any, str], *, with_aliases: bool = False) -> None:
        self.scalars = scalars
        self.with_aliases = with_aliases
        self.path: list[str] = []
        #: The classes and aliases around the current type, with their arguments.
        self.inside: list[Any] = []
        self.types = 0
        self.marks = _recursion.Marks()

    def of(self, annotation: Any) -> Described:
        """Describe any type."""
        self.types += 1
        if self.types > MOST_TYPES:
            raise self.error(f"it contains more than {MOST_TYPES} types")
        origin, args = typing.get_origin(annotation), _args(annotation)
        if annotation is Any or annotation is object:
            return ANY
        if annotation is None or (origin is None and isinstance(annotation, type)):
            return self.klass(annotation)
        if isinstance(annotation, (str, typing.ForwardRef)):
            around = next((cls for cls, _ in reversed(self.inside) if isinstance(cls, type)), None)
            found = None if around is None else _generics.resolved(around, annotation)
            if found is not None:
                return self.of(found)
        if _generics.is_variable(annotation):
            raise self.without_type(annotation)
        if _classes.name_of(origin) == "Unpack" and _generics.is_variable(args[0]):
            raise self.without_type(args[0])
        if origin is typing.Annotated:
            return self.annotated(args[0], annotation.__metadata__)
        if origin is typing.Union or origin is types.UnionType:
            return self.union([self.of(arm) for arm in args])
        if origin is typing.Literal:
            return self.union([self.of(type(value)) for value in args])
        if _classes.name_of(origin) in QUALIFIERS:
            return self.of(args[0])
        if _arrays.is_array(annotation):
            return self.array(annotation)
        if origin is tuple and annotation is not typing.Tuple:  # noqa: UP006 (it has no arguments)
            return self.tuple(args)
        if isinstance(origin, type) and _containers.has(origin):
            return self.container(origin, args)
        supertype = getattr(annotation, "__supertype__", None)
        if supertype is not None:
            return self.of(supertype)
        alias = annotation if origin is None else origin
        if type(alias).__name__ == "TypeAliasType":
            if self.is_bare_recursion(alias, args):
                return ANY
            with self.within(alias, args, alias.__name__):
                given = _generics.given(alias, args)
                return self.of(_generics.substituted(alias.__value__, given))
        if isinstance(origin, type):
            of_class = self.class_with_fields(origin, args)
            if of_class is not None:
                return of_class
        raise self.untyped(annotation)

    def klass(self, cls: Any) -> Described:
        """Describe a class that has no arguments."""
        if _arrays.is_array(cls):
            return self.array(cls)
        if _containers.has(cls):
            return self.container(cls, ())
        if cls in self.scalars:
            text = self.scalars[cls]
            if "|" in text:
                arms = tuple(Described(arm, kind=cls) for arm in text.strip("()").split("|"))
                return Described(text, arms=arms)
            return Described(text, kind=cls, is_optional=text == "null")
        if (
            cls.__module__ in ("pydantic.types", "pydantic.networks")
            and cls.__name__ in OF_PYDANTIC
        ):
            return self.of(OF_PYDANTIC[cls.__name__])
        if isinstance(cls, enum.EnumMeta):
            if not len(cls):
                raise self.error(f"enum {cls.__qualname__} has no members")
            return self.members_or_values(cls)
        of_class = self.class_with_fields(cls, ())
        if of_class is None:
            raise self.untyped(cls)
        return of_class

    def class_with_fields(self, cls: Any, args: Args) -> Described | None:
        """Describe a class that declares fields or is registered; None for other classes.

        `args` are the arguments of a generic class.
        """
        known = registered(cls)
        if known is not None:
            return self.registered(cls, known)
        key = (cls, args)
        if key in self.inside or key in self.marks.recursive:
            kind = dict if issubclass(cls, dict) else cls
            return Described(self.marks.reference(key), kind=kind)
        with self.within(cls, args, cls.__name__):
            if issubclass(cls, dict) and hasattr(cls, "__required_keys__"):
                made = self.struct(None, _classes.of_typed_dict(cls, self.hints(cls, args)), None)
            else:
                fields = _classes.of_class(cls, lambda _: self.hints(cls, args))
                if fields is None:
                    return None
                made = self.struct(cls.__name__, fields, cls)
                _naming.forget_failure(cls)
        if _recursion.has_references(made.text):
            if made.convert is not None:
                raise self.error(
                    f"{cls.__name__} contains itself and instances of a registered class; make it "
                    "a dataclass"
                )
            self.marks.recursive.append(key)
        return made._replace(text=self.marks.of(key) + made.text)

    def is_bare_recursion(self, alias: Any, args: Args) -> bool:
        """Tell whether an alias contains itself without a class in between."""
        if (alias, args) not in self.inside:
            return False
        since = list(reversed(self.inside)).index((alias, args))
        return not any(isinstance(of, type) for of, _ in self.inside[len(self.inside) - since :])

    def enumeration(self, cls: Any) -> Described:
        """Describe an enum.

        For reading, other names of members come last, so that messages may have either name.
        """
        try:
            members, values = _classes.of_members(cls, with_aliases=self.with_aliases)
            name, names, former = _naming.of_members(cls, members)
        except ValueError as error:
            raise self.error(str(error)) from None
        shown = [self.quoted(name) for name in names]
        for at, value in enumerate(values):
            shown[at] += f" = {self.quoted(value) if isinstance(value, str) else value}"
        text = f"enum {self.quoted(name)}{{{', '.join(shown)}}}"
        of = tuple(cls.__members__[member] for member in members)
        return Described(text, (name, names, values), enums=((of, former),), kind=cls)

    def members_or_values(self, cls: Any) -> Described:
        """Describe what stands for members of an enum: the members, and values where they do."""
        members, kinds = self.enumeration(cls), []
        if self.uses_enum_values():
            # Defaults that are not validated are still members.
            kinds = [type(member.value) for member in cls.__members__.values()]
        elif issubclass(cls, enum.Flag):
            # A combination has a value and no name of its own.
            return self.union([members, self.of(int).made_by(cls)])
        return self.union([members, *map(self.of, kinds)]) if kinds else members

    def uses_enum_values(self) -> bool:
        """Tell whether pydantic keeps the values of members in place of the members here."""
        for cls, _ in reversed(self.inside):
            config = getattr(cls, "model_config", None) or getattr(cls, "__pydantic_config__", None)
            if isinstance(config, dict):
                return bool(config.get("use_enum_values"))
        return False

    def registered(self, cls: Any, of: Registered) -> Described:
        """Describe a class by the type that it is converted to."""
        name = cls.__qualname__
        if (cls, ()) in self.inside:
            raise self.error(f"{name} is registered and contains itself; make it a dataclass")
        if of.from_ is None:
            raise self.error(
                f"{name} is registered without from_; say how to decode it: "
                f"serow.register({name}, …, from_=…)"
            )
        if of.type is None:
            raise self.error(
                f"the type that {name} is converted to is unknown; give it as "
                f"serow.register({name}, …, type=…)"
            )
        with self.within(cls, (), name):
            inner = self.of(of.type)
        if inner.is_optional:
            raise self.error(f"{name} is converted to a value that may be None")
        return inner.made_by(of.from_)

    def annotated(self, annotation: Any, metadata: Iterable[Any]) -> Described:
        """Describe an `Annotated`; a schema in its metadata overrides the annotation."""
        for said in metadata:
            if isinstance(said, Name):
                raise self.error(f"{said!r} names a field; annotate the whole field with it")
            if isinstance(said, Schema):
                if len(said.type_list) > 1:
                    raise self.error(f"Annotated takes a schema of a single type, not {said}")
                return Described(str(said), is_optional=str(said) == "null")
        return self.of(annotation)

    def array(self, annotation: Any) -> Described:
        """Describe an array of NumPy."""
        try:
            described = _arrays.types(annotation)
        except ValueError as error:
            raise self.error(str(error)) from None
        arms = [Described(text, arrays=(dtype,), kind=list) for text, dtype in described]
        return arms[0] if len(arms) == 1 else self.union(arms)

    def container(self, cls: Any, args: Args) -> Described:
        """Describe a container by its class, which has all of its arguments or none."""
        known = registered(cls)
        if known is not None:
            return self.registered(cls, known)
        count = _containers.arguments(cls)
        # A container without arguments may hold anything.
        args = args or (Any,) * count
        if len(args) != count:
            types = "one type" if count == 1 else f"{count} types"
            raise self.error(f"{cls.__qualname__} takes {types}, not {len(args)}")
        if cls is tuple:
            return self.tuple((Any, ...))
        if cls in _containers.PLAIN:
            return self.around(_containers.PLAIN[cls], args, cls)
        plain, make = _containers.OTHERS[cls](*args)
        return self.of(plain) if make is None else self.of(plain).made_by(make)

    def tuple(self, args: Args) -> Described:
        """Describe a tuple of any length, or with one field for each argument."""
        if args[1:] == (...,):
            return self.around("({}, ...)", args[:1], tuple)
        fields = ", ".join(["{}"] * len(args))
        text = f"({fields},)" if len(args) == 1 else f"({fields})"
        return self.around(text, args, None)._replace(order=(len(args),))

    def around(self, text: str, args: Iterable[Any], kind: type | None) -> Described:
        """Describe a container from its element types; a `kind` of None is a tuple of fields."""
        inner = [self.of(arg) for arg in args]
        return Described(
            text.format(*(part.text for part in inner)),
            makers=tuple(maker for part in inner for maker in part.makers),
            enums=tuple(members for part in inner for members in part.enums),
            arrays=(() if kind is None else (None,))
            + tuple(dtype for part in inner for dtype in part.arrays),
            convert=elements_converter(kind, [part.convert for part in inner]),
            kind=kind or tuple,
        )

    def union(self, inner: list[Described]) -> Described:
        """Describe a union, with its arms in the order that schemas prescribe."""
        arms: dict[str, Described] = {}
        if ANY in inner:
            return ANY
        every = [arm for part in inner for arm in part.arms or (part,)]
        for arm in every:
            text = arm.text
            if not _recursion.is_reference(text):
                text = _recursion.without_marks(text)
            if text == "null" or any(_recursion.is_same(arm.text, of.text) for of in every):
                continue
            if arms.setdefault(text, arm) != arm:
                raise self.error(
                    f"two classes of the union are {text}, so serow can't tell which of them a "
                    "value belongs to"
                )
        is_optional = any(part.is_optional for part in inner)
        ordered = list(arms.values())
        if len(arms) > 1:
            ordered.sort(key=self.order)
        try:
            convert = arms_converter([(arm.kind, arm.convert) for arm in ordered])
        except ValueError as error:
            raise self.error(str(error)) from None
        text = "|".join(arm.text for arm in ordered)
        if len(ordered) > 1:
            text = f"({text})"
        made = Described(
            text if not is_optional else f"{text}?" if text else "null",
            ordered[0].order if len(ordered) == 1 else (),
            tuple(maker for arm in ordered for maker in arm.makers),
            tuple(members for arm in ordered for members in arm.enums),
            tuple(dtype for arm in ordered for dtype in arm.arrays),
            tuple(ordered),
            is_optional,
            convert,
            ordered[0].kind if len(ordered) == 1 else None,
        )
        self.parsed(made.text)
        return made

    def order(self, arm: Described) -> SortKey:
        """Give the sort key of an arm of a union. Types that are elsewhere come last."""
        is_elsewhere = _recursion.is_reference(arm.text)
        return is_elsewhere, self.parsed(arm.text).type_list[0], () if is_elsewhere else arm.order

    def parsed(self, text: str) -> Schema:
        try:
            return Schema.parse(_recursion.without_marks(text))
        except SchemaError as error:
            # Drop the position: it refers to text that the user never wrote.
            what = str(error).partition(": ")[2].partition("\n")[0]
            raise self.error(what) from None

    def struct(self, name: str | None, fields: list[Field], cls: Any) -> Described:
        inner = []
        for field in fields:
            self.path.append(f".{field.name}")
            inner.append(self.of(_naming.without_name(field.annotation)))
            self.path.pop()
        attributes = [field.name for field in fields]
        try:
            named = _naming.of_fields(cls, name, fields)
        except ValueError as error:
            raise self.error(str(error)) from None
        shown = ", ".join(
            f"{self.quoted(called)}{'?' if field.may_be_missing else ''}: {part.text}"
            for called, field, part in zip(named.parts, fields, inner, strict=True)
        )
        converting = [(at, part.convert) for at, part in enumerate(inner) if part.convert]
        of_given = _naming.fields_set_converter(attributes, named)
        if of_given is not None and attributes[-1] == FIELDS_SET:
            converting.append((len(attributes) - 1, of_given))
        made_by, convert = None, None
        if cls is None:
            convert = values_converter({fields[at].name: convert for at, convert in converting})
        else:
            made_by = maker(cls, fields, tuple(converting))
            not_stored = _classes.required_init_var(cls)
            if made_by.restoration is None and not_stored is not None:
                raise self.error(f"its __init__ takes {not_stored}, but instances do not store it")
            if made_by.restoration is None and getattr(cls, "__pydantic_custom_init__", False):
                for field in (one for one in fields if one.keyword is BY_NAME):
                    raise self.error(
                        f"its own __init__ makes its instances, and takes field {field.name} by "
                        "a path only; set populate_by_name=True in its model_config"
                    )
        return Described(
            f"{self.quoted(named.name) if name is not None else ''}{{{shown}}}",
            (named.name, named.parts),
            ((made_by, named.former), *(maker for part in inner for maker in part.makers)),
            tuple(members for part in inner for members in part.enums),
            tuple(dtype for part in inner for dtype in part.arrays),
            convert=convert,
            kind=cls or dict,
        )

    def hints(self, cls: Any, args: Args) -> dict[str, Any]:
        """Give the annotations of a class and its bases, without the type variables they name."""
        try:
            return _generics.hints(cls, args)
        except MemoryError:
            raise
        except Exception as error:
            raise self.error(f"can't resolve its annotations: {error}") from error

    @contextmanager
    def within(self, cls: Any, args: Args, name: str) -> Iterator[None]:
        """Enter a class or alias, unless the walk is inside it already with these arguments."""
        if len(self.inside) == MOST_CLASSES:
            raise self.error(
                f"{name} is inside {MOST_CLASSES} other types; if it contains itself with ever "
                "other arguments, name the types that are meant"
            )
        path, self.path = self.path, [name]
        self.inside.append((cls, args))
        yield
        # No `finally`: after an error the walk ends, and the error message needs the path.
        self.inside.pop()
        self.path = path

    def without_type(self, variable: Any) -> SchemaError:
        """Say where to name the type that a type variable stands for."""
        advice = "write the type"
        for cls, _ in reversed(self.inside):
            bases = cls.__mro__ if isinstance(cls, type) else [cls]
            owner = next((of for of in bases if variable in _generics.variables(of)), None)
            if owner is not None:
                examples = [*zip(_generics.variables(owner), itertools.cycle(["int", "str"]))]
                written = f"{owner.__name__}[{', '.join(example for _, example in examples)}]"
                advice = f"write the type that it stands for, as in {written}"
                if owner is not cls:
                    advice += f" among the bases of {cls.__name__}"
                break
        return self.error(f"{variable.__name__} is a type variable without a type; {advice}")

    def untyped(self, annotation: Any) -> SchemaError:
        advice = "use a plain type, such as int, str, list[int] or a dataclass, or Any"
        bare = typing.get_origin(annotation) or annotation
        if isinstance(annotation, (str, typing.ForwardRef)):
            advice = "only annotations inside a class can be strings"
        elif getattr(bare, "__module__", None) in ("collections", "collections.abc"):
            advice = (
                "use list, tuple, set, frozenset or dict, or deque, Counter or defaultdict, or "
                "Sequence, Set or Mapping"
            )
        elif annotation is getattr(sys.modules.get("msgspec"), "UnsetType", self):
            advice = "a record has all its fields; use None and the default None"
        elif isinstance(bare, type) and bare.__module__ != "builtins":
            name = bare.__qualname__
            advice = secret_advice(bare) or (
                f"make it a dataclass, or register it: serow.register({name}, to=..., from_=..., "
                "type=...)"
            )
        # Python 3.10 takes `Sequence[int]` for a class, and Any for none.
        is_class = isinstance(annotation, type) and typing.get_origin(annotation) is None
        shown = annotation.__qualname__ if is_class else annotation
        return self.error(f"{shown} has no type in a schema; {advice}")

    def quoted(self, name: str) -> str:
        why = why_no_name(name)
        if why:
            raise self.error(why)
        name = _recursion.escaped(name.replace("\\", "\\\\").replace('"', '\\"'))
        return f'"{name}"'

    def error(self, what: str) -> SchemaError:
        place = "".join(self.path)
        return SchemaError(f"{place}: {what}" if place else what)


def _args(annotation: Any) -> tuple[Any, ...]:
    args = typing.get_args(annotation)
    # Before 3.11, `get_args(tuple[()])` is `((),)`.
    return () if args == ((),) else args
