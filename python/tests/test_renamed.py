"""Messages with other names or other types than the class: they decode like its own."""

import enum
import gc
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field, make_dataclass
from typing import Any, NamedTuple, TypedDict

import pytest
import serow

pytestmark = pytest.mark.tiers

# The instances, in the order of their construction.
made: list[Any] = []


@dataclass(frozen=True)
class Item:
    x: int | None
    text: str | float | None = None

    def __post_init__(self) -> None:
        made.append(self.x)
        if self.x == -1:
            raise ValueError("-1 is no x")


class Kind(enum.Enum):
    OLD = 1
    NEW = "n"


class Pair(NamedTuple):
    first: Item
    second: float | None


class Options(TypedDict, total=False):
    item: Item | None
    late: int


@dataclass
class Order:
    key: int
    items: list[Item]
    kinds: tuple[Kind | None, ...]
    by_name: dict[str, Item | int | None]
    pair: Pair | None
    options: Options
    some: frozenset[Item] = field(default_factory=frozenset)

    def __post_init__(self) -> None:
        made.append(("order", self.key))


def order(n: int) -> Order:
    """Give an order without nulls, and with only one arm of each union."""
    return Order(
        n,
        [Item(i, "é" * (i % 3)) for i in range(n % 5)],
        (Kind.OLD, Kind.NEW)[n % 2 :],
        {f"{n}.{i}": Item(i, "") for i in range(n % 3)},
        Pair(Item(n, "p"), n / 2),
        {"item": Item(n, "o"), "late": n} if (n + 1) % 4 else {"late": n},
        frozenset(Item(i, "s") for i in range(n % 2)),
    )


def as_dict(order: Order) -> dict[str, Any]:
    """Give the fields of an order in a dict."""
    return {name: getattr(order, name) for name in Order.__dataclass_fields__}


@dataclass
class Bestellung:
    key: Any
    items: Any
    kinds: Any
    by_name: Any
    pair: Any
    options: Any
    some: Any


ORDERS = [order(n) for n in range(700)]
# As written by somebody who does not know the class.
WRITTEN: dict[str, Callable[[Order], Any]] = {
    "itself": lambda order: order,
    "a dict": as_dict,
    "another class": lambda order: Bestellung(**as_dict(order)),
}


def outcome(decode: Callable[[], Any]) -> tuple[Any, list[Any]]:
    """Give the decoded rows or the exception, and the instances that were constructed."""
    made.clear()
    try:
        result = decode()
    except serow.DecodeError as error:
        result = (str(error), type(error.__cause__))
    return result, list(made)


@pytest.mark.parametrize("written", WRITTEN)
def test_rows_are_made_as_those_of_the_class_s_own_messages(written: str, wire: Any) -> None:
    codec = serow.Codec(serow.Schema.of(Order), wire=wire, validate=True)
    own = codec.encode(ORDERS)
    data = serow.dumps([WRITTEN[written](order) for order in ORDERS], wire=wire)
    # Twice, because the second time the schema may be known and its code compiled.
    for _ in range(2):
        rows, calls = outcome(lambda: codec.decode(data))
        assert rows == ORDERS
        assert [type(row) for row in rows] == [Order] * len(ORDERS)
        assert {type(row.pair) for row in rows} == {Pair}
        assert all(kind in Kind for row in rows for kind in row.kinds)
        # A frozenset has no order.
        _, of_own = outcome(lambda: codec.decode(own))
        assert calls == of_own
    assert serow.loads(data, type=Order) == ORDERS


@pytest.mark.parametrize("written", WRITTEN)
def test_what_a_class_refuses_is_told_by_its_place(written: str, wire: Any) -> None:
    refused = order(3)
    object.__setattr__(refused.items[1], "x", -1)
    orders = [*ORDERS[:20], refused, *ORDERS[20:]]
    codec = serow.Codec(serow.Schema.of(Order), wire=wire, validate=True)
    _, of_own = outcome(lambda: codec.decode(codec.encode(orders)))
    data = serow.dumps([WRITTEN[written](order) for order in orders], wire=wire)
    (message, cause), calls = outcome(lambda: codec.decode(data))
    # The error shows the reader's type.
    place = "frame 0, row 20, field items.1 (Item{x: int?, text: (f64|str)?})"
    assert message == f"{place}: Item can't be constructed from its fields: ValueError: -1 is no x"
    assert (cause, calls) == (ValueError, of_own)


def test_a_class_that_is_patched_is_called_as_it_is_then(
    wire: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Point(NamedTuple):
        x: int | None

    data = serow.dumps([{"x": n} for n in range(300)], wire=wire)
    codec = serow.Codec(serow.Schema.of(Point), wire=wire)
    assert codec.decode(data) == [Point(n) for n in range(300)]
    plain = Point.__new__
    monkeypatch.setattr(Point, "__new__", lambda cls, x: plain(cls, x + 1))
    assert [row.x for row in codec.decode(data)] == [*range(1, 301)]


def test_a_class_is_its_reader_s_alone(wire: Any) -> None:
    twins = [make_dataclass("Twin", [("x", int | None)]) for _ in range(2)]
    data = serow.dumps([{"x": n} for n in range(300)], wire=wire)
    codecs = [serow.Codec(serow.Schema.of(twin), wire=wire) for twin in twins]
    for codec, twin in [*zip(codecs, twins, strict=True)] * 2:
        assert {type(row) for row in codec.decode(data)} == {twin}
        assert {type(row) for row in serow.loads(data)} == {dict}
    both = serow.Codec(serow.Schema.of(tuple[twins[0], list[twins[1]]]), wire=wire)  # type: ignore[valid-type]
    for first, [second] in both.decode(serow.dumps([({"x": 1}, [{"x": 2}])] * 9, wire=wire)):
        assert [type(first), type(second)] == twins


def test_nothing_is_kept_of_a_class_that_goes(wire: Any) -> None:
    @dataclass
    class Gone:
        x: int | None

    data = serow.dumps([{"x": n} for n in range(300)], wire=wire)
    codec = serow.Codec(serow.Schema.of(Gone), wire=wire)
    assert len(codec.decode(data)) == 300
    known = weakref.ref(Gone)
    del codec, Gone
    gc.collect()
    assert known() is None
