"""Sets and dicts: round trips, errors, and that no code of keys runs."""

import gc
import json
import sys
from decimal import Decimal
from typing import Any

import pytest
import serow
from objects import trip
from wire_format import RawFrame, checksum, message, spelled

NAN = float("nan")

# Sets


@pytest.mark.parametrize(
    "value",
    [
        set(),
        frozenset(),
        {1, 2, 3},
        {"a", None, 2.5, b"x", (1, "y")},
        frozenset({frozenset({frozenset()}), frozenset()}),
        set(range(5000)),
        {(1, frozenset({2}))},
    ],
    ids=lambda value: repr(value)[:30],
)
def test_sets_come_back(value: Any, wire: str, access: str) -> None:
    for rows in ([value], [value] * 20, [(value, [value])], [{"a": value}]):
        back = trip(rows, wire)
        assert back == rows
    assert type(serow.loads(serow.dumps([value], wire=wire))[0]) is type(value)


def test_sets_keep_nans_apart(wire: str, access: str) -> None:
    (back,) = trip([{NAN, float("nan"), 1.0}], wire)
    assert len(back) == 3
    assert sum(v != v for v in back) == 2


def test_elements_that_are_equal_in_python_are_refused(wire: str, access: str) -> None:
    """A Java set may contain 1, true and 1.0, which would be one element in Python."""
    kinds = [(28, 13, 1, 2, 8, 14), (29, 13, 1, 2, 8, 14)]
    for kind in kinds:
        rows = RawFrame(0, 1, spelled(list(kind)), b"\5\0\0\0" + bytes([5, 1, 5, 5, 1]))
        with pytest.raises(serow.DecodeError, match=r"row 0, .* equal in Python: 1 and True"):
            serow.loads(message(rows))
    data = bytes([5, 5, 5])
    twice = RawFrame(0, 1, spelled([28, 1]), b"\3\0\0\0" + data)
    with pytest.raises(serow.DecodeError, match=r"a set contains elements that .*: 1 and 1$"):
        serow.loads(message(twice))


def test_keys_that_are_equal_in_python_are_refused(access: str) -> None:
    rows = RawFrame(0, 1, spelled([30, 1, 1]), b"\5\0\0\0" + bytes([5, 5, 1, 5, 3]))
    with pytest.raises(serow.DecodeError, match=r"a dict contains keys that .* 1 and 1$"):
        serow.loads(message(rows))
    field = RawFrame(0, 1, spelled([5, 1, 30, 1, 1, 7]), b"\6\0\0\0" + bytes([1, 5, 5, 1, 5, 3]))
    with pytest.raises(serow.DecodeError, match=r"row 0, field 1 \({i64: i64}\): a dict contains"):
        serow.loads(message(field))


def test_elements_that_python_cannot_hash_are_refused(access: str) -> None:
    data = serow.dumps([[Decimal("sNaN")]], wire="row")
    at = data.index(bytes([11 << 1 | 1]))
    frame = bytearray(data[8:-8])
    frame[at - 8] = 28 << 1 | 1
    with pytest.raises(serow.DecodeError, match="an element of a set has no hash in Python"):
        serow.loads(data[:8] + bytes(frame) + checksum(bytes(frame)))


def test_decimals_that_are_no_numbers_stay_two_in_a_set(wire: str) -> None:
    rows = [{Decimal("NaN"), Decimal("NaN"), Decimal(5)} for _ in range(200)]
    back = serow.loads(serow.dumps(rows, wire=wire))
    assert [len(row) for row in back] == [3] * 200


# Dicts


@pytest.mark.parametrize(
    ("rows", "schema"),
    [
        ([{}], "{}"),
        ([{"a": 1, "b": "x"}, {"b": "y", "a": 2}], '{"a": i64, "b": str}'),
        ([{"a": 1}, {"b": None}, {"a": 2, "b": None}], '{"a"?: i64, "b"?: null}'),
        ([{"a": None}, {"a": 1}, {}], '{"a"?: i64?}'),
        ([{"a": {"b": {"c": {}}}}], '{"a": {"b": {"c": {}}}}'),
        ([{1: "a"}, {2: "b", 3: "c"}], "{i64: str}"),
        ([{(1, "a"): {2: 3}}], "{(i64, str): {i64: i64}}"),
        ([{"a": 1, 2: 3}], "{i64|str: i64}"),
        ([{"\ud800": 1}], "{str: i64}"),
        ([{"a": 1}, {"\ud800": 1}], "{str: i64}"),
        ([{"\0": 1, "\0\0": 2}], None),
        ([{"größe": 1, "羚羊": 2, "😀": 3, "ÿ": 4}], None),
        ([{str(i): i for i in range(2000)}] * 3, None),
        ([{str(i): i for i in order} for order in (range(2000), range(1999, -1, -1))], None),
        ([{str(i): i for i in range(5000)}], "{str: i64}"),
        ([{f"key {i}": i} for i in range(100)], "{str: i64}"),
        ([[{"a": i}, {"a": None, "b": [i]}] for i in range(3)], None),
        ([{"a": 1}] * 100 + [{"a": 1, "late": "x"}] + [{"a": 2}] * 100, None),
        ([({"a": (i % 2 and 1.5) or "x"},) for i in range(70)], None),
        ([None, {"a": 1}, 5, {1}, [1], {"b": 2}], None),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_dicts_come_back(rows: list[Any], schema: str | None, wire: str, access: str) -> None:
    back = serow.loads(serow.dumps(rows, wire=wire))
    assert back == rows
    if schema is not None:
        assert str(serow.Schema.infer(rows)) == schema
    codec = serow.Codec.infer(rows, wire=wire)
    assert codec.decode(codec.encode(rows)) == rows
    again = codec.decode(codec.encode(back))
    # Keys come back in the order of the schema.
    assert [list(row) if isinstance(row, dict) else row for row in again] == [
        list(row) if isinstance(row, dict) else row for row in back
    ] or not all(isinstance(row, dict) for row in rows)


@pytest.mark.parametrize("count", [1, 5, 6, 10, 11, 21, 22, 200])
@pytest.mark.parametrize("value", [1.5, 7, "a", None, [1], {"b": {"c": [2]}}], ids=repr)
def test_decoded_dicts_are_like_others(value: Any, count: int, access: str) -> None:
    """They are copies of a dict with the same keys, into which the values are stored."""
    rows = [{f"key {i}": value for i in range(count)} for _ in range(20)]
    codec = serow.Codec.infer(rows)
    message = codec.encode(rows)
    back = codec.decode(message)
    assert back == rows
    assert gc.is_tracked(back[0]) == gc.is_tracked(rows[0])
    for row in back:
        for i in range(count):
            row[f"other {i}"] = i
        del row["key 0"]
        row["key 0"] = row
    assert list(back[0]) == [*list(rows[0])[1:], *(f"other {i}" for i in range(count)), "key 0"]
    assert codec.decode(message) == rows
    gc.disable()  # It would release what other tests have left.
    try:
        before = sys.getrefcount(None)
        for _ in range(50):
            codec.decode(message)
        assert abs(sys.getrefcount(None) - before) < 10
    finally:
        gc.enable()


def test_missing_is_not_null(wire: str, access: str) -> None:
    rows = [{"a": None}, {}, {"a": 1}]
    assert list(map(list, trip(rows, wire))) == [["a"], [], ["a"]]


def test_keys_that_are_equal_texts_in_other_objects(wire: str, access: str) -> None:
    """The keys of each row may be other objects, in another order, and a different subset."""
    texts = ["first", "größe", "x" * 50, ""]
    rows = [json.loads(json.dumps({t: i for t in texts if (i + len(t)) % 3})) for i in range(50)]
    rows += [json.loads(json.dumps({t: i for t in reversed(texts)})) for i in range(50)]
    assert trip(rows, wire) == rows


@pytest.mark.parametrize(
    ("schema", "row", "said"),
    [
        ('{"a": i64, "b": str}', {"a": 1}, r'field b \(str\).*; it lacks the key "b"'),
        ('{"a": i64, "b"?: str}', {"b": "x"}, r'field a \(i64\).*; it lacks the key "a"'),
        ('{"a": i64}', {"a": 1, "b": 2}, r'it has the extra key "b"'),
        ('{"a": i64}', {"a": 1, 2: 2}, "one of its keys is not a str"),
        ('{"a": i64}', {"\ud800": 1}, "one of its keys is not a str"),
        ('{"a": i64}', {"a": None}, r"field a \(i64\): cannot encode None"),
        ('{"a"?: i64}', {"a": None}, r"field a \(i64\): cannot encode None"),
        ('{"a": null}', {}, r'field a \(null\).*it lacks the key "a"'),
        ('{"a": i64?}', {}, r'field a \(i64\?\).*it lacks the key "a"'),
        ('{"a": i64|str}', {}, r'field a \(i64\|str\).*it lacks the key "a"'),
        ('{"a": {"b": [i64]}}', {"a": {"b": [1, "x"]}}, r"field a.b.1 \(i64\): cannot encode 'x'"),
        ("{str: i64}", {"a": 1, "b": "x"}, r"field value 1 \(i64\): cannot encode 'x'"),
        ("{str: i64}", {"a": 1, 2: 3}, r"field key 1 \(str\): cannot encode 2"),
        ("{i64}", {1, 2.5}, r"field \d \(i64\): cannot encode 2.5"),
        ("{i64}", frozenset({1}), r"cannot encode frozenset\(\{1\}\)"),
        ("{i64}|frozenset{i64}", {"a": 1}, "cannot encode {'a': 1}"),
    ],
)
def test_a_misfit_is_described(schema: str, row: Any, said: str, wire: str, access: str) -> None:
    codec = serow.Codec(schema, wire=wire)
    with pytest.raises(serow.EncodeError, match=rf"^row 0, .*{said}"):
        codec.encode([row])


class Tricky:
    """A key that a dict treats as a str, and that runs code when it is compared."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __hash__(self) -> int:
        return hash(self.text)

    def __eq__(self, other: object) -> bool:
        raise AssertionError("no code runs while rows are read")


def test_keys_are_not_compared_by_their_own_code(wire: str, access: str) -> None:
    codec = serow.Codec('{"a": i64, "b"?: i64}', wire=wire)
    with pytest.raises(serow.EncodeError, match="one of its keys is not a str"):
        codec.encode([{Tricky("b"): 1, "a": 2}])


class Instance:
    """Its attributes can lie apart from their keys, which objects of one class share."""

    def __init__(self) -> None:
        self.first = 1
        self.second = "two"


def dicts_of_all_forms() -> list[dict[Any, Any]]:
    """Dicts that CPython keeps in different ways: with strings or any keys, with places of deleted
    entries, with an index of 1, 2 or 4 bytes, and with the values apart from the keys."""
    with_holes = []
    for key, count in ((str, 3), (str, 200), (int, 3), (int, 200), (int, 70_000)):
        dict_ = {key(i): i for i in range(count)}
        for i in range(0, count, 3):
            del dict_[key(i)]
        with_holes.append(dict_)
    reordered = {"a": 1, "b": 2}
    reordered["a"] = reordered.pop("a")
    changed = vars(Instance())
    del changed["first"]
    changed["third"] = 3
    emptied = {"a": 1}
    del emptied["a"]
    return [*with_holes, reordered, emptied, {}, vars(Instance()), changed]


def test_dicts_of_all_forms_come_back_in_order(wire: str, access: str) -> None:
    for row in dicts_of_all_forms():
        (back,) = trip([row], wire)
        assert list(back.items()) == list(row.items())


def test_the_program_finds_no_dict_that_is_copied() -> None:
    row = {"only in this test": 1, "a second key": None}
    assert serow.loads(serow.dumps([row] * 3)) == [row] * 3
    found = [it for it in gc.get_objects() if type(it) is dict and "only in this test" in it]
    assert [it for it in found if it is not row] == []
