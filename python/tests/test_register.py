"""`serow.register`: classes with conversions of the caller's."""

import ipaddress
import pickle
from collections import deque, namedtuple
from dataclasses import dataclass, field
from datetime import datetime, timezone
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Generic, NamedTuple, TypedDict, TypeVar

import pytest
import serow

T = TypeVar("T")


class Money:
    """A class that serow does not know."""

    def __init__(self, amount: Decimal, currency: str) -> None:
        self.amount, self.currency = amount, currency

    def parts(self) -> tuple[Decimal, str]:
        return self.amount, self.currency

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Money) and self.parts() == other.parts()

    def __hash__(self) -> int:
        return hash(self.parts())

    @classmethod
    def of(cls, parts: tuple[Decimal, str]) -> "Money":
        if parts[0] < 0:
            raise ValueError("a negative amount")
        return cls(*parts)


IPv4 = ipaddress.IPv4Address
ONE = Money(Decimal("1.50"), "EUR")
TWO = Money(Decimal(2), "CHF")


@pytest.fixture(autouse=True)
def _registered_classes(restored_classes: None) -> None:
    serow.register(Money, to=Money.parts, from_=Money.of)
    serow.register(IPv4, to=str, from_=IPv4)


@dataclass
class Invoice:
    total: Money
    host: IPv4 | None
    lines: list[Money] = field(default_factory=list)
    named: dict[str, Money] = field(default_factory=dict)
    note: str = "-"


class Pair(NamedTuple):
    left: Money
    right: int = 3


class Options(TypedDict):
    money: Money
    count: int


def both_ways(rows: list[Any], annotation: Any) -> list[Any]:
    """Encode the rows in all ways. All of them must decode to the same, which is returned."""
    codec = serow.Codec(serow.Schema.of(annotation))
    decoded = serow.loads(serow.dumps(rows), type=annotation)
    for wire in "row", "frame":
        codec = serow.Codec(serow.Schema.of(annotation), wire=wire)
        assert codec.decode(codec.encode(rows)) == decoded
        codec.compile()
        assert codec.decode(codec.encode(rows)) == decoded
    assert [codec.decode_one(codec.encode_one(row)) for row in rows] == decoded
    return decoded


@pytest.mark.parametrize(
    ("rows", "annotation", "schema"),
    [
        ([ONE, TWO], Money, "(decimal, str)"),
        ([ONE, None], Money | None, "(decimal, str)?"),
        ([[ONE, TWO], []], list[Money], "[(decimal, str)]"),
        ([{ONE, TWO}], set[Money], "{(decimal, str)}"),
        ([frozenset({ONE})], frozenset[Money], "frozenset{(decimal, str)}"),
        ([{ONE: IPv4(1)}], dict[Money, IPv4], "{(decimal, str): str}"),
        ([(ONE, 1, IPv4(7))], tuple[Money, int, IPv4], "((decimal, str), i64, str)"),
        ([(ONE, TWO)], tuple[Money, ...], "((decimal, str), ...)"),
        ([[(ONE, [None, TWO])]], list[tuple[Money, list[Money | None]]], None),
        ([{"money": ONE, "count": 2}], Options, '{"money": (decimal, str), "count": i64}'),
        ([Pair(ONE), Pair(TWO, 4)], Pair, "Pair{left: (decimal, str), right: i64}"),
        ([[IPv4(1)]], list[Annotated[IPv4, "an address"]], "[str]"),
    ],
)
def test_values_come_back(rows: list[Any], annotation: Any, schema: str | None) -> None:
    assert both_ways(rows, annotation) == rows
    if schema is not None:
        assert str(serow.Schema.of(annotation)) == schema


def test_fields_of_classes_are_converted_before_the_class_is_called() -> None:
    rows = [Invoice(ONE, IPv4(5), [TWO, ONE], {"a": TWO}, "x"), Invoice(TWO, None)]
    assert both_ways(rows, Invoice) == rows
    # Fields that a message lacks have the class's own defaults.
    message = serow.dumps([{"total": ONE, "host": None}])
    assert serow.loads(message, type=Invoice) == [Invoice(ONE, None)]


def test_without_an_annotation_the_plain_value_comes_back() -> None:
    assert serow.loads(serow.dumps([[ONE, {"a": IPv4(1)}]])) == [
        [(Decimal("1.50"), "EUR"), {"a": "0.0.0.1"}]
    ]


def test_a_registered_value_may_become_another_registered_one() -> None:
    class Purse:
        def __init__(self, money: Money) -> None:
            self.money = money

    serow.register(Purse, to=lambda purse: purse.money, from_=Purse, type=Money)
    data = serow.dumps([Purse(ONE)])
    assert serow.loads(data) == [ONE.parts()]
    assert serow.loads(data, type=Purse)[0].money == ONE


def test_a_conversion_to_a_class_with_fields() -> None:
    @dataclass
    class Plain:
        amount: str

    class Amount:
        def __init__(self, amount: str) -> None:
            self.amount = amount

    serow.register(
        Amount, to=lambda one: Plain(one.amount), from_=lambda one: Amount(one.amount), type=Plain
    )
    data = serow.dumps([[Amount("7")]])
    assert serow.loads(data, type=list[Amount])[0][0].amount == "7"


def test_registering_again_replaces_the_functions() -> None:
    assert serow.loads(serow.dumps([IPv4(1)]), type=IPv4) == [IPv4(1)]
    serow.register(IPv4, to=int, from_=IPv4)
    assert serow.loads(serow.dumps([IPv4(1)])) == [1]
    assert serow.loads(serow.dumps([IPv4(1)]), type=IPv4) == [IPv4(1)]


def test_a_time_with_two_schemas() -> None:
    class Moment:
        def __init__(self, at: datetime) -> None:
            self.at = at

    serow.register(Moment, to=lambda moment: moment.at, from_=Moment, type=datetime)
    at = datetime(2024, 2, 29, tzinfo=timezone.utc)
    assert str(serow.Schema.of(Moment)) == "timestamp|timestamptz"
    assert serow.loads(serow.dumps([Moment(at)]), type=Moment)[0].at == at


def test_errors_name_the_row() -> None:
    message = serow.dumps([(Decimal(1), "a"), (Decimal(-1), "a")])
    with pytest.raises(
        serow.DecodeError, match="row 1: converting it to its class raises Val"
    ) as caught:
        serow.loads(message, type=Money)
    assert caught.value.row == 1
    assert isinstance(caught.value.__cause__, ValueError)
    with pytest.raises(serow.DecodeError, match=r"row 1, .*: Pair can't be constructed"):
        serow.loads(serow.dumps([{"left": row} for row in serow.loads(message)]), type=Pair)
    bad = Money(Decimal(1), "a")
    del bad.currency
    with pytest.raises(serow.EncodeError, match=r"row 1.*its own code raises AttributeError"):
        serow.dumps([ONE, bad])


def test_elements_that_become_equal_are_not_lost() -> None:
    class Folded:
        def __init__(self, text: str) -> None:
            self.text = text.lower()

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Folded) and self.text == other.text

        def __hash__(self) -> int:
            return hash(self.text)

    serow.register(Folded, to=lambda one: one.text, from_=Folded, type=str)
    with pytest.raises(serow.DecodeError, match="elements of a set, or keys of a dict, are equal"):
        serow.loads(serow.dumps([{"a", "A"}]), type=set[Folded])


class Color(Enum):
    RED = 1


@pytest.mark.parametrize(
    ("cls", "own"),
    [
        (str, "str is a plain class"),
        (list, "list is a plain class"),
        (tuple, "tuple is a plain class"),
        (Color, "Color is an enum"),
    ],
)
def test_classes_with_a_type_of_their_own_are_refused(cls: type, own: str) -> None:
    with pytest.raises(TypeError, match=f"{own}, which serow encodes as it is"):
        serow.register(cls, to=str)


@pytest.mark.parametrize(
    "row",
    [Invoice(ONE, None), Pair(TWO), namedtuple("Old", "a b")(1, 2)],
    ids=lambda row: type(row).__name__,
)
def test_a_conversion_takes_the_place_of_a_record(row: Any, wire: str) -> None:
    cls: Any = type(row)
    codec = serow.Codec("(i64, str)", wire=wire)
    # This codec keeps what it knows about the class from here on.
    with pytest.raises(serow.EncodeError):
        codec.encode_one(row)
    serow.register(cls, to=lambda _: (1, "a"), from_=lambda _: row, type=tuple[int, str])
    assert codec.decode_one(codec.encode_one(row)) == (1, "a")
    data = serow.dumps([row] * 3, wire=wire)
    assert serow.loads(data) == [(1, "a")] * 3
    assert serow.loads(data, type=cls) == [row] * 3
    assert serow.loads(serow.dumps([[row]], wire=wire), type=list[cls]) == [[row]]


def test_a_conversion_to_the_class_itself_is_refused() -> None:
    serow.register(Pair, to=lambda pair: pair._replace(right=4))
    said = "the registered to of Pair gives a Pair again, not another value"
    with pytest.raises(serow.EncodeError, match=said):
        serow.dumps([Pair(ONE)])


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(TypeError, match="cls must be a class, not 7"):
        serow.register(7, to=str)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="to must be a function, not None"):
        serow.register(Money, to=None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="from_ must be a function, not 'x'"):
        serow.register(Money, to=str, from_="x")  # type: ignore[arg-type]


def test_annotations_need_what_decoding_needs() -> None:
    serow.register(Money, to=Money.parts)
    with pytest.raises(serow.SchemaError, match="Money is registered without from_"):
        serow.Schema.of(list[Money])
    serow.register(Money, to=lambda money: money.parts(), from_=Money.of)
    with pytest.raises(serow.SchemaError, match=r"give it as serow.register\(Money, …, type=…\)"):
        serow.Schema.of(list[Money])
    serow.register(Money, to=Money.parts, from_=Money.of)
    with pytest.raises(serow.SchemaError, match="decoded from a tuple, so serow can't tell which"):
        serow.Schema.of(Money | tuple[str, int])


def test_a_registered_container_is_converted() -> None:
    serow.register(deque, to=lambda items: (items.maxlen, list(items)), from_=bounded, type=Any)
    rows = [deque([1, 2], maxlen=3), deque([3], maxlen=1)]
    for of in (deque, deque[int]):
        back: Any = serow.loads(serow.dumps(rows), type=of)
        assert back == rows
        assert [row.maxlen for row in back] == [3, 1]


def bounded(parts: tuple[int, list[Any]]) -> "deque[Any]":
    return deque(parts[1], parts[0])


def test_an_unknown_class_says_what_to_do() -> None:
    class Unknown:
        pass

    with pytest.raises(serow.EncodeError, match=r"serow.register\(.*Unknown, to=...\)"):
        serow.dumps([Unknown()])


def test_a_codec_of_a_registered_class_can_be_pickled() -> None:
    codec = pickle.loads(pickle.dumps(serow.Codec(serow.Schema.of(list[Money]))))
    assert codec.decode(codec.encode([[ONE]])) == [[ONE]]


def test_rows_without_such_values_call_nothing() -> None:
    def fail(value: Any) -> Any:
        raise AssertionError(value)

    serow.register(Money, to=fail, from_=fail, type=str)
    rows = [(1, "a"), (2, "b")]
    assert serow.loads(serow.dumps(rows)) == rows


def test_a_type_variable_is_no_type_of_what_a_function_gives() -> None:
    class Secret(Generic[T]):
        def __init__(self, value: T) -> None:
            self.value = value

        def get(self) -> T:
            return self.value

    serow.register(Secret, to=Secret.get, from_=Secret)
    with pytest.raises(serow.SchemaError, match=r"is converted to is unknown; give it as"):
        serow.Schema.of(list[Secret])
    serow.register(Secret, to=Secret.get, from_=Secret, type=str)
    (secret,) = serow.loads(serow.dumps([Secret("pw")]), type=Secret)
    assert secret.value == "pw"


class Tag:
    """A class that is encoded as a dict with fixed keys."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tag) and self.name == other.name

    __hash__ = None  # type: ignore[assignment]


class Moment:
    """A class that is encoded as a time with or without a zone, which are two types."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Moment) and self.at == other.at

    __hash__ = None  # type: ignore[assignment]


class TagDict(TypedDict):
    name: str


def test_registered_classes_share_a_union(wire: Any) -> None:
    serow.register(Tag, to=lambda tag: {"name": tag.name}, from_=lambda d: Tag(**d), type=TagDict)
    serow.register(Moment, to=lambda moment: moment.at, from_=Moment, type=datetime)
    at = datetime(2024, 7, 1)
    row = [ONE, IPv4("127.0.0.1"), Tag("a"), Moment(at), Moment(at.replace(tzinfo=timezone.utc))]
    of: Any = list[Money | IPv4 | Tag | Moment | Pair | int | None]
    rows = [[*row, Pair(ONE, 1), 7, None], [7], row[:1]]
    codec = serow.Codec(of, wire=wire)
    for back in (
        serow.loads(serow.dumps(rows, wire=wire), type=of),
        codec.decode(codec.encode(rows)),
    ):
        assert back == rows
    both: Any = list[Money] | dict[str, IPv4]
    rows = [[ONE, TWO], {"a": IPv4("10.0.0.1")}]
    assert serow.loads(serow.dumps(rows, wire=wire), type=both) == rows


def test_types_that_are_encoded_alike_do_not_share_a_union() -> None:
    with pytest.raises(serow.SchemaError, match="two classes of the union are str"):
        serow.Schema.of(IPv4 | str)
    known: Any = Annotated[int, serow.Schema.parse("int")]
    with pytest.raises(serow.SchemaError, match="from an Annotated with a schema"):
        serow.Schema.of(IPv4 | known)


class Box(Generic[T]):
    def __init__(self, item: T) -> None:
        self.item = item

    def get(self) -> T:
        return self.item


class Words(Box[list[str]]):
    """A class whose base has a method that returns the type that it gives."""


def test_a_method_of_a_generic_base_says_its_type() -> None:
    serow.register(Words, to=Words.get, from_=Words)
    assert str(serow.Schema.of(Words)) == "[str]"
    (back,) = serow.loads(serow.dumps([Words(["a"])]), type=Words)
    assert (type(back), back.item) == (Words, ["a"])
    serow.register(Box, to=Box.get, from_=Box)
    with pytest.raises(serow.SchemaError, match=r"give it as serow.register\(Box, …, type=…\)"):
        serow.Schema.of(Box)
