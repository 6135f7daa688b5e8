"""Classes that are called because only they can make their objects, and those that need not be."""

import abc
import functools
import typing
from dataclasses import InitVar, dataclass, field
from typing import Any

import attrs
import pydantic
import pytest
import serow
from test_restoring import calls


class Counting(type):
    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        calls.append(cls.__name__)
        return super().__call__(*args, **kwargs)


@dataclass
class OfAMetaclass(metaclass=Counting):
    size: int


@dataclass
class OwnNew:
    size: int

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        calls.append(cls.__name__)
        return object.__new__(cls)


@dataclass
class OwnSetter:
    size: int

    def __setattr__(self, name: str, value: Any) -> None:
        calls.append(type(self).__name__)
        object.__setattr__(self, name, value)


@dataclass
class Computing:
    size: int

    def __post_init__(self) -> None:
        calls.append(type(self).__name__)
        self.prepare()

    def prepare(self) -> None:
        self.double = 2 * self.size


@dataclass(frozen=True)
class ComputingFrozen:
    size: int

    def __post_init__(self) -> None:
        calls.append(type(self).__name__)
        object.__setattr__(self, "double", 2 * self.size)


class ComputingBase:
    def __init__(self, size: int) -> None:
        calls.append(type(self).__name__)
        self.size, self.double = size, 2 * size


@dataclass(init=False)
class ComputingInherited(ComputingBase):
    size: int


def called_hashed(size: int) -> int:
    calls.append("Hashed")
    return size


@attrs.frozen(cache_hash=True)
class Hashed:
    size: int = attrs.field(converter=called_hashed)


class Private(pydantic.BaseModel):
    size: int
    _double: int = 0

    def model_post_init(self, context: Any) -> None:
        calls.append(type(self).__name__)
        self._double = 2 * self.size


@dataclass
class Abstract(abc.ABC):
    size: int

    @abc.abstractmethod
    def method(self) -> None:
        """Do nothing."""


@pytest.mark.parametrize(
    "cls",
    [
        OfAMetaclass,
        OwnNew,
        OwnSetter,
        Computing,
        ComputingFrozen,
        ComputingInherited,
        Hashed,
        Private,
    ],
)
def test_classes_that_only_their_constructors_can_make(cls: Any, wire: Any, access: str) -> None:
    rows = [{"size": n} for n in range(3)]
    calls.clear()
    back = serow.loads(serow.dumps(rows, wire=wire), type=cls)
    assert [row.size for row in back] == [0, 1, 2]
    assert calls == [cls.__name__] * 3
    for name in ("double", "_double"):
        if hasattr(back[2], name):
            assert getattr(back[2], name) == 4
    assert [hash(row) for row in back] if cls is Hashed else True


class Named(typing.Protocol):
    name: str


@dataclass
class OfAProtocol(Named):
    name: str

    def __post_init__(self) -> None:
        self.name += "!"


@dataclass(frozen=True)
class Cleaning:
    name: str

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("empty")
        object.__setattr__(self, "name", self.name.replace("a", "b") + "!")


@dataclass
class Updating:
    name: str
    meta: dict[str, int]

    def __post_init__(self) -> None:
        self.name += "!"
        self.meta.update({"more": 1})

    def update(self) -> None:
        self.other = 1


@dataclass
class Swapping:
    name: str
    other: str

    def __post_init__(self) -> None:
        self.name, self.other = self.other, self.name


@pytest.mark.parametrize(
    "row",
    [OfAProtocol("a"), Cleaning("a"), Updating("a", {}), Swapping("a", "b")],
    ids=lambda row: type(row).__name__,
)
def test_code_that_stores_nothing_but_fields(row: Any, wire: Any) -> None:
    data = serow.dumps([row], wire=wire)
    assert serow.loads(data, type=type(row)) == [row]
    assert serow.loads(data, type=type(row), validate=True) != [row]


@attrs.define
class AttrsSetter:
    size: int

    def __setattr__(self, name: str, value: Any) -> None:
        calls.append("AttrsSetter")
        object.__setattr__(self, name, value)


@dataclass(frozen=True)
class ThroughSuper:
    size: int

    def __post_init__(self) -> None:
        calls.append("ThroughSuper")
        super().__setattr__("double", 2 * self.size)


@dataclass
class InTheDict:
    size: int

    def __post_init__(self) -> None:
        calls.append("InTheDict")
        self.__dict__["double"] = 2 * self.size


@dataclass
class Closing:
    size: int

    def __post_init__(self) -> None:
        calls.append("Closing")
        double = lambda: 2 * self.size  # noqa: E731
        self.double = double()


@pytest.mark.parametrize("cls", [AttrsSetter, ThroughSuper, InTheDict, Closing])
def test_code_that_stores_more(cls: Any) -> None:
    calls.clear()
    [row] = serow.loads(serow.dumps([{"size": 2}]), type=cls)
    assert calls == [cls.__name__]
    assert getattr(row, "double", 4) == 4


def test_what_a_class_forbids_stays_an_error(wire: Any) -> None:
    with pytest.raises(serow.DecodeError, match="Abstract can't be constructed"):
        serow.loads(serow.dumps([{"size": 1}], wire=wire), type=Abstract)


def wrapped(function: Any) -> Any:
    @functools.wraps(function)
    def wrapper(*args: Any) -> None:
        function(*args)

    return wrapper


@dataclass
class Many:
    """It stores attributes in every way that serow sees."""

    size: int

    def __post_init__(self) -> None:
        self.plain, self.other = 1, self.size
        self.first = self.second = 2
        for self.last in (1, 2):
            self.method(self.last)
        setter = object.__setattr__
        setter(self, "by_variable", 3)
        setattr(self, "by_function", 4)  # noqa: B010
        super().__setattr__("by_super", 5)
        self.__setattr__("by_method", 6)
        self.__dict__["in_dict"] = 7

    def method(self, more: int) -> None:
        self.more = more


@dataclass
class OfSuper(Many):
    def __post_init__(self) -> None:
        super(OfSuper, self).__post_init__()  # noqa: UP008
        self.own = 1


@dataclass
class OfItsBase(Many):
    @wrapped
    def __post_init__(self) -> None:
        Many.__post_init__(self)
        self.own = (lambda: self.size)()


@attrs.define(slots=False)
class OfAttrs:
    size: int

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "own", 2 * self.size)


@pytest.mark.parametrize("cls", [Many, OfSuper, OfItsBase, OfAttrs, Computing, Closing, InTheDict])
def test_what_follows_from_the_fields_is_there_again(cls: Any, wire: Any, access: str) -> None:
    rows = [cls(1), cls(2)]
    message = serow.dumps(rows, wire=wire)
    assert [row._asdict() for row in serow.loads(message)] == [{"size": 1}, {"size": 2}]
    for data in (message, serow.dumps([{"size": 1}, {"size": 2}], wire=wire)):
        assert [vars(row) for row in serow.loads(data, type=cls)] == [*map(vars, rows)]
    rows[1].note = 3
    with pytest.raises(serow.EncodeError, match=r"row 1.*its attribute note is not a field"):
        serow.dumps(rows, wire=wire)


@dataclass
class Reading:
    size: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "own", getattr(self, "name", None))
        self.__dict__.get("key")
        self.own = self.__dict__["own"], hasattr(self, "flag")


@dataclass
class OfAParameter(Many):
    times: InitVar[int] = 2

    def __post_init__(self, times: int) -> None:
        super().__post_init__()
        self.product = times * self.size


@dataclass
class Overriding(Many):
    def __post_init__(self) -> None:
        self.own = 1


@dataclass(init=False)
class OwnInit:
    size: int

    def __init__(self, size: int, scale: int = 1) -> None:
        self.size, self.scale = size, scale


@pytest.mark.parametrize(
    ("cls", "name"),
    [
        (Reading, "name"),
        (Reading, "key"),
        (Reading, "flag"),
        (OfAParameter, "product"),
        (Overriding, "plain"),
        (OwnInit, "scale"),
    ],
)
def test_what_does_not_follow_from_the_fields_is_refused(cls: Any, name: str) -> None:
    row = cls(1)
    vars(row)[name] = 5
    with pytest.raises(serow.EncodeError, match=f"its attribute {name} is not a field"):
        serow.dumps([row])


def test_attributes_that_are_no_fields_say_how_to_keep_them() -> None:
    with pytest.raises(serow.EncodeError, match=r"product: \.\.\. = field\(init=False\)"):
        serow.dumps([OfAParameter(1)])

    @dataclass
    class Kept:
        size: int
        double: int = field(init=False)

        def __post_init__(self) -> None:
            self.double = 2 * self.size

    row = Kept(1)
    row.double = 7
    assert serow.loads(serow.dumps([row]), type=Kept)[0].double == 7
    assert serow.loads(serow.dumps([{"size": 3}]), type=Kept) == [Kept(3)]
