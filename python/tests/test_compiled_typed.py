"""Compiled code that instantiates the caller's classes: as the interpreter, and each once."""

import enum
import os
import sys
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, ClassVar, NamedTuple, TypedDict

import leaks
import pytest
import serow
import wire_format as format
from serow import _native

# The instances, in the order of their construction.
made: list[Any] = []


@dataclass(eq=True, frozen=True)
class Item:
    x: int
    text: str | None = None

    def __post_init__(self) -> None:
        made.append(self.x)
        if self.x == -1:
            raise ValueError("-1 is no x")
        if self.x == -2:
            raise KeyboardInterrupt
        if self.x == -3:
            raise MemoryError


def unchecked(x: int) -> Item:
    """Give an item that its class refuses to construct."""
    item = Item(0)
    object.__setattr__(item, "x", x)
    return item


class Pair(NamedTuple):
    first: Item
    second: float


class Kind(enum.Enum):
    OLD = 1
    NEW = "n"


@dataclass
class Order:
    key: int
    items: list[Item]
    by_name: dict[str, Item] = field(default_factory=dict)
    some: frozenset[Item] = frozenset()
    pair: Pair | None = None
    either: Item | Kind | str | None = None
    price: Decimal = Decimal(0)

    def __post_init__(self) -> None:
        made.append(("order", self.key))


class Open(TypedDict, total=False):
    item: Item
    late: int


def order(n: int, items: int) -> Order:
    """Give order `n` with `length` items."""
    return Order(
        n,
        [Item(n + i, "é" * (i % 3) or None) for i in range(items)],
        {f"name {i}": Item(i) for i in range(n % 3)},
        frozenset(Item(i, "s") for i in range(n % 4)),
        Pair(Item(n), n / 2) if n % 5 else None,
        [Item(n), Kind.NEW, "text", None][n % 4],
        Decimal(n) / 4,
    )


# Few elements, and more than are unpacked at once, where compiled code bails out.
LENGTHS = [0, 1, 2, 300, 3, 1000, 2000, 0, 0, 700, 5] + [4] * 60 + [600] * 9 + [1] * 300


@pytest.fixture(params=["row", "frame"])
def wire(request: pytest.FixtureRequest) -> str:
    """Run the test in every wire."""
    if _native.object_access() != "direct" or os.environ.get("SEROW_TIER") == "interpreter":
        pytest.skip("nothing is compiled")
    return request.param


@pytest.fixture(autouse=True)
def nothing_made() -> None:
    """Forget the instances so far."""
    made.clear()


def codecs(annotation: Any, wire: str) -> tuple[serow.Codec, serow.Codec]:
    """Give an interpreted codec and a compiled one; both compile under `SEROW_TIER=jit`."""
    interpreted, compiled = (
        serow.Codec(serow.Schema.of(annotation), wire=wire, validate=True)  # type: ignore[arg-type]
        for _ in range(2)
    )
    compiled.compile("decode")
    assert compiled.tiers["decode"] == compiled.tier == "jit"
    assert "serow_py_build" in str(compiled.ir("decode"))
    return interpreted, compiled


def outcome(decode: Callable[[], Any]) -> tuple[Any, list[Any]]:
    """Give the decoded rows or the exception, and the instances that were constructed."""
    made.clear()
    try:
        result = decode()
    except (serow.SerowError, KeyboardInterrupt, MemoryError) as error:
        result = (type(error), str(error), type(error.__cause__))
    return result, list(made)


def test_each_instance_is_made_once_and_in_order(wire: str) -> None:
    orders = [order(n, length) for n, length in enumerate(LENGTHS)]
    interpreted, compiled = codecs(Order, wire)
    data = interpreted.encode(orders)
    rows, calls = outcome(lambda: compiled.decode(data))
    assert rows == orders
    assert {type(row) for row in rows} == {Order}
    assert (rows, calls) == outcome(lambda: interpreted.decode(data))


@pytest.mark.parametrize("annotation", [list[Item], Open, Item | Kind, dict[Item, Pair]], ids=str)
def test_instances_inside_any_container(annotation: Any, wire: str) -> None:
    rows: dict[Any, list[Any]] = {
        list[Item]: [[Item(n) for n in range(length)] for length in LENGTHS],
        Open: [{"item": Item(n), "late": n} if n % 3 else {"late": n} for n in range(900)],
        Item | Kind: [Item(n, "ü") if n % 7 else Kind.OLD for n in range(900)],
        dict[Item, Pair]: [
            {Item(n): Pair(Item(n, "v"), 0.5) for n in range(length)} for length in LENGTHS
        ],
    }
    interpreted, compiled = codecs(annotation, wire)
    data = interpreted.encode(rows[annotation])
    result = outcome(lambda: compiled.decode(data))
    assert result[0] == rows[annotation]
    assert result == outcome(lambda: interpreted.decode(data))


@pytest.mark.parametrize("x", [-1, -2, -3])
@pytest.mark.parametrize("at", [0, 3, 850])
def test_what_a_class_raises_is_raised_once(x: int, at: int, wire: str) -> None:
    orders = [[Item(n, "") for n in range(length)] for length in LENGTHS]
    orders[6][at] = unchecked(x)
    interpreted, compiled = codecs(list[Item], wire)
    data = interpreted.encode(orders)
    result, calls = outcome(lambda: compiled.decode(data))
    assert result[0] is {-1: serow.DecodeError, -2: KeyboardInterrupt, -3: MemoryError}[x]
    assert calls.count(x) == 1
    assert (result, calls) == outcome(lambda: interpreted.decode(data))
    # The next message is not affected.
    good = interpreted.encode([[Item(5)]])
    assert outcome(lambda: compiled.decode(good))[1] == [5]


def test_malformed_messages_construct_the_instances_before_the_error(wire: str) -> None:
    annotation = tuple[int, Item, list[Item], frozenset[int]]
    interpreted, compiled = codecs(annotation, wire)
    rows = [(n, Item(n, "a"), [Item(n, "bc"), Item(-n - 4)], frozenset({n})) for n in range(6)]
    [frame] = format.frames(interpreted.encode(rows))
    refused = 0
    for at, byte in enumerate(frame.body):
        for lie in {0, 1, 5, 127, 255, byte ^ 1, (byte + 1) % 256, (byte - 2) % 256} - {byte}:
            body = frame.body[:at] + bytes([lie]) + frame.body[at + 1 :]
            data = format.message(replace(frame, body=body))
            theirs = outcome(lambda data=data: interpreted.decode(data))  # type: ignore[misc]
            assert outcome(lambda data=data: compiled.decode(data)) == theirs  # type: ignore[misc]
            refused += isinstance(theirs[0], tuple) and bool(theirs[1])
    assert refused > 10


@dataclass(frozen=True)
class Moody:
    """A value whose hash fails once with the next exception in `moods`."""

    x: int
    moods: ClassVar[list[BaseException]] = []

    def __hash__(self) -> int:
        if self.x == 7 and self.moods:
            raise self.moods.pop()
        return self.x


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError("not now")], ids=repr)
def test_an_exception_that_occurs_only_once_is_raised(error: BaseException, wire: str) -> None:
    rows = [(Item(n), {n}, frozenset({Moody(n), Moody(n + 1)}), Item(n)) for n in range(50)]
    _, compiled = codecs(tuple[Item, set[int], frozenset[Moody], Item], wire)
    data = compiled.encode(rows)
    Moody.moods[:] = [error]
    (kind, text, cause), calls = outcome(lambda: compiled.decode(data))
    assert Moody.moods == []
    if isinstance(error, KeyboardInterrupt):
        assert kind is KeyboardInterrupt
    else:
        assert (kind, cause) == (serow.DecodeError, ValueError)
        assert "row 6" in text
        assert text.endswith("an element of a set can't be inserted: ValueError: not now")
    assert calls == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]
    assert compiled.decode(data) == rows


@dataclass
class Nested:
    x: int
    inner: list[int]

    def __post_init__(self) -> None:
        if self.x > 0:
            less = [Nested.plain(self.x - 1, self.inner) for _ in range(2)]
            assert CODEC[0].decode(CODEC[0].encode(less)) == less

    @staticmethod
    def plain(x: int, inner: list[int]) -> "Nested":
        """Make an instance without the check."""
        new = object.__new__(Nested)
        new.x, new.inner = x, inner
        return new


CODEC: list[serow.Codec] = []


def test_a_class_may_use_the_codec_that_makes_it(wire: str) -> None:
    _, compiled = codecs(Nested, wire)
    CODEC[:] = [compiled]
    rows = [Nested.plain(n % 4, [n] * (n % 3 * 200)) for n in range(20)]
    assert compiled.decode(compiled.encode(rows)) == rows


def test_threads_take_turns_within_rows(wire: str) -> None:
    _, compiled = codecs(Order, wire)
    orders = [order(n, length % 50) for n, length in enumerate(LENGTHS)]
    data = compiled.encode(orders)
    results: list[Any] = []
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [
            threading.Thread(target=lambda: results.append(compiled.decode(data) == orders))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert results == [True] * 4


def test_no_references_to_instances_are_kept(wire: str) -> None:
    @dataclass(eq=False)
    class Held:
        x: int

    _, compiled = codecs(list[Held], wire)
    for last in (1, 5000):
        data = compiled.encode([[Held(n) for n in range(length)] for length in (3, 900, last)])
        refs = [weakref.ref(held) for row in compiled.decode(data) for held in row]
        assert refs
        assert not any(ref() for ref in refs)


def test_nothing_is_lost(wire: str) -> None:
    _, compiled = codecs(list[Pair], wire)
    good = [[Pair(Item(n, str(n)), 0.5) for n in range(900)] for _ in range(3)]
    data = compiled.encode(good)
    bad = compiled.encode([*good, [Pair(Item(0), 0.5), Pair(unchecked(-1), 0.5)]])

    def work() -> None:
        for _ in range(3):
            assert compiled.decode(data) == good
        with suppress(serow.DecodeError):
            compiled.decode(bad)
        made.clear()

    leaks.assert_none(work, [Item, Pair, Item.__init__, *Kind])
