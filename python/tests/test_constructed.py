"""Classes that are called because only they can make their objects, and those that need not be."""

import abc
import typing
from dataclasses import dataclass, field
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


def test_attributes_that_are_no_fields_say_how_to_keep_them() -> None:
    with pytest.raises(serow.EncodeError, match=r"double: \.\.\. = field\(init=False\)"):
        serow.dumps([Computing(1)])

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
