"""Single records of classes that change between calls: a codec remembers classes, never wrongly."""

import contextlib
import enum
import gc
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass, make_dataclass
from typing import Any, NamedTuple

import pytest
import serow


@dataclass
class Part:
    key: int
    name: str


class Point(NamedTuple):
    x: int
    y: float


class Color(enum.Enum):
    RED = 1
    GREEN = 2


def new_part() -> Any:
    """Give a dataclass like `Part` that nobody else changes."""
    return make_dataclass("Part", [("key", int), ("name", str)])


def codec_of(row: Any) -> serow.Codec:
    return serow.Codec.infer([row], wire="row")


def record_of(row: Any) -> bytes:
    """Give the record by a codec that knows no class yet."""
    return codec_of(row).encode_one(row)


@pytest.mark.parametrize(
    "make",
    [
        lambda n: Part(n, f"bolt {n}"),
        lambda n: Point(n, n / 2),
        lambda n: {"key": n, "name": f"bolt {n}"},
        lambda n: (Color.RED if n % 2 else Color.GREEN, n),
        lambda n: {n, -1},
        lambda n: {n: str(n)},
        lambda n: [Part(n, "a"), Part(n + 1, "b")],
        lambda n: (Part(n, "a"), Point(n, 0.5), {"c": Color.RED, "d": {n}}),
    ],
)
def test_each_record_is_as_from_a_new_codec(make: Callable[[int], Any], access: str) -> None:
    codec = codec_of(make(1))
    for n in range(1, 20):
        row = make(n)
        assert codec.encode_one(row) == record_of(row)


def test_keys_are_other_objects_each_time() -> None:
    codec = codec_of({"key": 1, "name": "a"})
    for n in range(50):
        # New strings, which are gone before the next row, so that others take their place.
        row = {"".join(["k", "ey"]): n, "".join(["na", "me"]): str(n)}
        assert codec.decode_one(codec.encode_one(row)) == row
        swapped = {"".join(["na", "me"]): str(n), "".join(["k", "ey"]): n}
        assert codec.decode_one(codec.encode_one(swapped)) == row


def test_attributes_have_other_keys_each_time() -> None:
    part = Part(1, "a")
    codec = codec_of(part)
    for n in range(50):
        other = Part.__new__(Part)
        other.__dict__ = {"".join(["na", "me"]): str(n), "".join(["k", "ey"]): n}
        assert codec.encode_one(other) == record_of(Part(n, str(n)))
        assert codec.encode_one(part) == record_of(part)


def test_a_class_that_gets_a_field_no_longer_fits() -> None:
    part = new_part()
    codec = codec_of(part(1, "a"))
    codec.encode_one(part(1, "a"))
    wider = make_dataclass("Part", [("key", int), ("name", str), ("price", float)])
    part.__dataclass_fields__ = wider.__dataclass_fields__
    row = part(1, "a")
    row.price = 0.5
    with pytest.raises(serow.EncodeError):
        codec.encode_one(row)


def test_a_class_that_gets_a_property_is_inspected_again() -> None:
    part = new_part()
    codec = codec_of(part(1, "a"))
    codec.encode_one(part(1, "a"))
    row = part(1, "a")
    part.name = property(lambda _: "b")
    with pytest.raises(serow.EncodeError, match="property"):
        codec.encode_one(row)
    del part.name
    assert codec.encode_one(row) == record_of(Part(1, "a"))


def test_a_base_that_changes_counts_too() -> None:
    part = new_part()
    derived = type("Part", (part,), {})
    codec = codec_of(derived(1, "a"))
    assert codec.encode_one(derived(1, "a")) == record_of(Part(1, "a"))
    part.__getattribute__ = lambda *_: None
    with pytest.raises(serow.EncodeError):
        codec.encode_one(object.__new__(derived))
    del part.__getattribute__
    assert codec.encode_one(derived(1, "a")) == record_of(Part(1, "a"))


def test_a_default_that_changes_is_read_again() -> None:
    part = make_dataclass("Part", [("key", int), ("name", str, "a")])
    codec = codec_of(part(1))
    row = part(1)
    del row.__dict__["name"]
    assert codec.encode_one(row) == record_of(Part(1, "a"))
    part.name = "b"
    assert codec.encode_one(row) == record_of(Part(1, "b"))


def test_an_enum_that_gets_a_member_no_longer_fits() -> None:
    # Libraries add members in this way.
    class Shade(enum.Enum):
        GRAY = 1

    codec = codec_of((Shade.GRAY,))
    codec.encode_one((Shade.GRAY,))
    Shade._member_map_["BLACK"] = black = object.__new__(Shade)
    for _ in range(2):
        with pytest.raises(serow.EncodeError):
            codec.encode_one((black,))
        with pytest.raises(serow.EncodeError):
            codec.encode_one((Shade.GRAY,))


def test_instances_that_change_their_class() -> None:
    one, two = new_part(), make_dataclass("Other", [("key", int), ("name", str)])
    codec = codec_of(one(1, "a"))
    row = one(1, "a")
    codec.encode_one(row)
    row.__class__ = two
    with pytest.raises(serow.EncodeError):
        codec.encode_one(row)
    row.__class__ = one
    assert codec.encode_one(row) == record_of(Part(1, "a"))


def test_many_classes_with_the_same_names() -> None:
    codec = codec_of(Part(1, "a"))
    expected = codec.encode_one(Part(1, "a"))
    classes = [new_part() for _ in range(300)]
    for _ in range(2):
        assert all(codec.encode_one(part(1, "a")) == expected for part in classes)


def test_a_codec_holds_no_class() -> None:
    codec = codec_of((Part(1, "a"), Color.RED))
    alive = []
    for _ in range(300):
        part, color = new_part(), enum.Enum("Color", {"RED": 1, "GREEN": 2})
        assert codec.encode_one((part(1, "a"), color["RED"]))
        # A cycle through the codec does not keep the class either.
        part.codec = codec
        alive += [weakref.ref(part), weakref.ref(color)]
    del part, color
    gc.collect()
    assert not any(of() for of in alive)
    assert codec.encode_one((Part(1, "a"), Color.RED))


def test_fields_that_are_taken_out_of_their_dict_are_noticed() -> None:
    part = new_part()
    codec = codec_of(part(1, "a"))
    codec.encode_one(part(1, "a"))
    del part.__dataclass_fields__["name"]
    with pytest.raises(serow.EncodeError):
        codec.encode_one(part(1, "a"))


def test_no_code_of_a_class_runs_while_its_rows_are_read(access: str) -> None:
    ran = []

    @dataclass
    class Strange:
        key: int

        @property
        def __class__(self) -> type:
            ran.append(self)
            rows.clear()
            return Part

    rows: list[Any] = [Strange(1) for _ in range(100)]
    codec = serow.Codec("[Strange{key: i64}]", wire="row")
    expected = [row.key for row in rows]
    assert [row.key for row in codec.decode_one(codec.encode_one(rows))] == expected
    assert ran == []


def test_a_class_that_encodes_while_it_is_inspected() -> None:
    codec = codec_of(Part(1, "a"))
    seen = []

    class Meta(type):
        def __del__(cls) -> None:
            seen.append(codec.encode_one(Part(2, "b")))

    for _ in range(200):
        part = make_dataclass("Part", [("key", int), ("name", str)])
        strange = Meta("Part", (part,), {"__dataclass_fields__": part.__dataclass_fields__})
        with contextlib.suppress(serow.EncodeError):
            assert codec.encode_one(strange(1, "a")) == record_of(Part(1, "a"))
        del strange
        gc.collect()
        if len(seen) > 3:
            break
    assert all(record == record_of(Part(2, "b")) for record in seen)


def test_threads_share_a_codec() -> None:
    codec = codec_of((Part(1, "a"), {"key": 1}))
    wrong = []

    def work(base: int) -> None:
        for n in range(base, base + 300):
            row = (new_part()(n, "a") if n % 7 == 0 else Part(n, "a"), {"".join(["ke", "y"]): n})
            if codec.encode_one(row) != record_of(row):
                wrong.append(n)

    threads = [threading.Thread(target=work, args=(base,)) for base in range(0, 4000, 1000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def inferred(rows: list[Any]) -> bytes:
    """Give the message with the schema that the rows alone have."""
    return serow.Codec(serow.Schema.infer(rows), wire="row").encode(rows)


def test_messages_of_a_class_that_changes_are_as_it_is() -> None:
    part = new_part()
    row = part(1, "a")
    for _ in range(3):
        assert serow.dumps([row]) == inferred([Part(1, "a")])
    part.name = property(lambda _: "b")
    with pytest.raises(serow.EncodeError, match="property"):
        serow.dumps([row])
    del part.name
    wider = make_dataclass("Part", [("key", int), ("name", str), ("price", float)])
    part.__dataclass_fields__ = wider.__dataclass_fields__
    with pytest.raises(serow.EncodeError, match="its field price is not set"):
        serow.dumps([row])
    row.price = 0.5
    assert serow.dumps([row]) == inferred([wider(1, "a", 0.5)])


def test_messages_of_a_default_that_changes() -> None:
    part = make_dataclass("Part", [("key", int), ("name", str, "a")])
    row = part(1)
    del row.__dict__["name"]
    assert serow.dumps([row]) == inferred([Part(1, "a")])
    part.name = "b"
    assert serow.dumps([row]) == inferred([Part(1, "b")])


def test_messages_keep_no_class_alive(access: str) -> None:
    shade = enum.Enum("Shade", ["GRAY"])
    plain = new_part()
    with_default = make_dataclass("Part", [("key", int), ("shade", shade, shade.GRAY)])  # type: ignore[attr-defined]
    own = make_dataclass("Own", [("key", int)])
    own.default = own(2)
    slots = make_dataclass("Slots", [("key", int)], slots=True)
    values = [plain(1, "a"), with_default(1), own(1), slots(1), shade.GRAY]  # type: ignore[attr-defined]
    classes = [weakref.ref(type(value)) for value in values]
    for _ in range(3):
        serow.dumps(values)
    del shade, plain, with_default, own, slots, values
    gc.collect()
    assert [of() for of in classes] == [None] * 5


def test_classes_that_come_and_go_at_one_address() -> None:
    for at in range(300):
        names = [f"f{at % 7}", "name"] if at % 2 else ["name", f"f{at % 5}"]
        rows = [make_dataclass("Part", names)(at, str(at))]
        assert serow.dumps(rows) == inferred(rows)


NESTED: list[list[Any]] = [
    [{"a": 1, "b": {"x": 1, "y": "s"}}],
    [{"a": 1, "b": {"y": "s", "x": 1}}],
    [{"b": {"x": 1, "y": "s"}, "a": 1}],
    [{"a": 1, "b": {"x": 1}}],
    [{"a": 1, "b": {"x": 1, "y": "s", "z": None}}],
    [{"a": 1, "b": {}}],
    [{"a": 1, "b": {"x": None, "y": "s"}}, {"a": 1, "b": {"x": 2, "y": "s"}}],
    [(1, [{"k": 1, "v": [{"w": 2}]}])],
    [(1, [{"k": 1, "v": [{"w": 2}]}, {"v": [{"w": 2}], "k": 1}])],
    [(1, [{"v": [{"w": 2}], "k": 1}, {"k": 1, "v": [{"w": 2}]}])],
    [(1, [{"k": 1, "v": []}])],
    [(1, [{"k": 1, "v": [{"w": 2}, {"w": 2.5}]}])],
    [(1, [])],
    [(1, [{"k": 1, "v": [{"w": Part(1, "a")}]}])],
    [(1, [{str(key): 1} for key in range(30)])],
]


@pytest.mark.parametrize("first", range(len(NESTED)))
def test_dicts_in_rows_make_messages_that_do_not_depend_on_earlier_ones(
    first: int, access: str
) -> None:
    for rows in [NESTED[first], *NESTED]:
        alone = inferred(rows)
        for _ in range(3):
            assert serow.dumps(rows, wire="row") == alone
            assert serow.loads(serow.dumps(rows)) == serow.loads(alone)
