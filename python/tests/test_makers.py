"""How the decoder calls the caller's classes: by keywords, by position, or not at all."""

import functools
import gc
import weakref
from dataclasses import InitVar, dataclass, field
from typing import Any, NamedTuple

import attrs
import pytest
import serow

# The calls of constructors.
calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = []


def noted(function: Any) -> Any:
    @functools.wraps(function)
    def wrapped(self: Any, *args: Any, **kwargs: Any) -> Any:
        calls.append((args, kwargs))
        return function(self, *args, **kwargs)

    return wrapped


@dataclass
class Wrapped:
    a: int
    b: str


Wrapped.__init__ = noted(Wrapped.__init__)  # type: ignore[method-assign]


@dataclass(init=False)
class Turned:
    a: int
    b: str

    def __init__(self, b: str, a: int) -> None:
        self.a, self.b = a, b


@dataclass(init=False)
class Longer:
    a: int
    b: str

    def __init__(self, a: int, b: str, times: int = 1) -> None:
        self.a, self.b = a * times, b


@dataclass(kw_only=True)
class ByKeyword:
    a: int
    b: str


@dataclass
class Mixed:
    a: int = field(kw_only=True)
    b: str


@dataclass
class WithInitVar:
    a: int
    more: InitVar[int] = 0
    b: str = ""

    def __post_init__(self, more: int) -> None:
        self.a += more


class Called(type):
    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        calls.append((args, kwargs))
        return super().__call__(*args, **kwargs)


@dataclass
class OfAMetaclass(metaclass=Called):
    a: int
    b: str


@dataclass
class OfItsNew:
    a: int
    b: str

    def __new__(cls, *args: Any, **kwargs: Any) -> "OfItsNew":
        calls.append((args, kwargs))
        return object.__new__(cls)


@attrs.define
class Converted:
    a: int = attrs.field(converter=int)
    _b: str


class Plain(NamedTuple):
    a: int
    b: str = "?"


class Checking(Plain):
    __slots__ = ()

    def __new__(cls, a: int, b: str) -> "Checking":
        calls.append(((), {"a": a, "b": b}))
        return super().__new__(cls, a, b)


class Beginning(Plain):
    def __init__(self, a: int, b: str) -> None:
        calls.append(((), {"a": a, "b": b}))


class WithAttributes(Plain):
    pass


# A common optimization in modules that make many tuples.
_tuple_new = tuple.__new__


class Positive(Plain):
    __slots__ = ()

    def __new__(cls, a: int, b: str) -> "Positive":
        return _tuple_new(cls, (abs(a), b))


BY_KEYWORD = [((), {"a": 1, "b": "x"})]


@pytest.mark.parametrize(
    ("row", "called"),
    [
        (Wrapped(1, "x"), BY_KEYWORD),
        (Turned("x", 1), []),
        (Longer(1, "x"), []),
        (ByKeyword(a=1, b="x"), []),
        (Mixed(a=1, b="x"), []),
        (WithInitVar(1, b="x"), []),
        (OfAMetaclass(1, "x"), BY_KEYWORD),
        (OfItsNew(1, "x"), BY_KEYWORD),
        (Converted(1, "x"), []),
        (Plain(1, "x"), []),
        (Checking(1, "x"), BY_KEYWORD),
        (Beginning(1, "x"), BY_KEYWORD),
        (WithAttributes(1, "x"), []),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_class_is_called_as_it_says(row: Any, called: list[Any], wire: Any, access: str) -> None:
    data = serow.dumps([row], wire=wire)
    calls.clear()
    [back] = serow.loads(data, type=type(row), validate=True)
    assert (type(back), back) == (type(row), row)
    assert calls == called


def test_named_tuples_of_the_caller_s_are_as_if_called(wire: Any, access: str) -> None:
    rows = serow.loads(serow.dumps([{"a": 1}] * 3, wire=wire), type=Plain)
    assert rows == [Plain(1)] * 3
    assert all(type(row) is Plain for row in rows)
    rows = serow.loads(serow.dumps([(Plain(1), [1])], wire=wire), type=tuple[Plain, list[int]])
    assert rows == [(Plain(1), [1])]
    [row] = serow.loads(serow.dumps([WithAttributes(1)], wire=wire), type=WithAttributes)
    assert vars(row) == {}
    row.itself = row
    assert gc.is_tracked(row)
    before = sum(type(one) is WithAttributes for one in gc.get_objects())
    del row
    gc.collect()
    assert sum(type(one) is WithAttributes for one in gc.get_objects()) == before - 1


def test_the_caller_s_way_to_make_a_tuple_is_taken(wire: Any) -> None:
    row = tuple.__new__(Positive, (-5, "x"))
    assert serow.loads(serow.dumps([row], wire=wire), type=Positive) == [Positive(5, "x")]

    @dataclass(init=False)
    class More(Plain):
        c: int

    data = serow.dumps([{"c": 5}], wire=wire)
    with pytest.raises(
        serow.DecodeError, match="More can't be constructed from its fields: TypeError"
    ):
        serow.loads(data, type=More)


def test_a_class_may_be_changed_after_it_was_read(
    monkeypatch: pytest.MonkeyPatch, wire: Any
) -> None:
    @dataclass
    class Data:
        a: int
        b: str

    class Pair(NamedTuple):
        a: int
        b: str

    def init(self: Any, b: str, a: int) -> None:
        self.a, self.b = -a, b

    def new(cls: Any, b: str, a: int) -> Any:
        return tuple.__new__(cls, (-a, b))

    for row, name, function in ((Data(1, "x"), "__init__", init), (Pair(1, "x"), "__new__", new)):
        cls = type(row)
        data = serow.dumps([row], wire=wire)
        assert serow.loads(data, type=cls, validate=True) == [row]
        with monkeypatch.context() as patch:
            patch.setattr(cls, name, function)
            [other] = serow.loads(data, type=cls, validate=True)
            assert (other.a, other.b) == (-1, "x")
        assert serow.loads(data, type=cls) == [row]


def test_a_class_that_its_instances_lead_to_is_freed(wire: Any) -> None:
    def make() -> Any:
        class Pair(NamedTuple):
            a: int
            b: str

        codec = serow.Codec(serow.Schema.of(Pair), wire=wire)
        [Pair.one] = codec.decode(codec.encode([Pair(1, "x")]))  # type: ignore[attr-defined]
        return weakref.ref(Pair)

    there = make()
    gc.collect()
    assert there() is None
