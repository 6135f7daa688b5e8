"""Annotations of containers: plain ones without types, abstract ones, those of `collections`."""

import collections.abc as abc
import pickle
import typing
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from typing import Any

import pytest
import serow


@dataclass
class Part:
    sizes: deque[int]
    words: Counter[str]
    groups: defaultdict[str, list[int]]
    names: abc.Sequence[str]
    prices: abc.Mapping[str, float]
    tags: abc.Set[str]
    items: abc.MutableSequence[int]
    seen: abc.MutableSet[int]
    known: abc.MutableMapping[str, int]
    last: deque[deque[int]] | str | None = None
    by_default: abc.Sequence[int] = ()
    anything: list = field(default_factory=list)  # type: ignore[type-arg]
    mapped: dict = field(default_factory=dict)  # type: ignore[type-arg]


def same(value: Any, other: Any) -> bool:
    """Tell whether two values are equal and of the same classes."""
    if type(value) is not type(other) or value != other:
        return False
    if isinstance(value, dict):
        return all(same(item, other[key]) for key, item in value.items())
    if isinstance(value, list | tuple | deque):
        return all(map(same, value, other))
    return not isinstance(value, Part) or same(vars(value), vars(other))


def test_containers_come_back_as_their_annotations_say(wire: Any) -> None:
    groups = defaultdict(list, {"a": [1]})
    rows = [
        Part(deque([1, 2]), Counter("aab"), groups, ("x",), {"a": 1.5}, {"t"}, [1], {1}, {"k": 1}),
        Part(
            *(deque(), Counter(), defaultdict(list), ["x", "y"], {}, frozenset({"t"}), [], set()),
            *({}, deque([deque([1]), deque()]), [7], [1, "a", None, [2.5]], {1: 2, "b": (3,)}),
        ),
        Part(deque(), Counter(), defaultdict(list), "", {}, set(), [], set(), {}, "text"),
    ]
    rows[2].names = []
    codec = serow.Codec(Part, wire=wire)
    for back in (
        serow.loads(serow.dumps(rows, wire=wire), type=Part),
        codec.decode(codec.encode(rows)),
    ):
        assert all(map(same, back, rows))
    assert back[0].groups["new"] == []
    assert pickle.loads(pickle.dumps(back[0].groups)) == groups | {"new": []}


@pytest.mark.parametrize(
    ("of", "row"),
    [
        (list, [1, "a", [None]]),
        (dict, {"a": 1, "b": "x"}),
        (dict, {1: "a", "b": None}),
        (set, {1, "a"}),
        (frozenset, frozenset({1})),
        (tuple, (1, "a")),
        (tuple, ()),
        (typing.List, [1]),  # noqa: UP006
        (typing.Tuple, (1, "a")),  # noqa: UP006
        (typing.Sequence, [1, "a"]),
        (deque[int], deque([1])),
        (defaultdict[str, int], defaultdict(int, a=1)),
        (typing.Counter[str], Counter("ab")),
        (typing.AbstractSet[int], frozenset({1})),
        (abc.Sequence, (1, "a")),
        (abc.Mapping, {"a": 1}),
        (abc.Set, {1}),
        (deque, deque([1, "a"])),
        (Counter, Counter([1, 1, "a"])),
        (defaultdict, defaultdict(None, {"a": 1})),
        (
            defaultdict[int, defaultdict[str, deque[int]]],
            defaultdict(None, {1: defaultdict(deque)}),
        ),
    ],
    ids=str,
)
def test_rows_are_containers(of: Any, row: Any, wire: Any) -> None:
    codec = serow.Codec(of, wire=wire)
    for rows in ([row], [row, type(row)()], []):
        data = serow.dumps(rows, wire=wire)
        for back in (serow.loads(data, type=of), codec.decode(codec.encode(rows))):
            assert all(map(same, back, rows)), back


@pytest.mark.parametrize(
    ("of", "key", "made"),
    [
        (defaultdict[str, int], "a", 0),
        (defaultdict[str, set[int]], "a", set()),
        (defaultdict[str, Counter[str]], "a", Counter()),
        (defaultdict[str, Any], "a", None),
        (defaultdict[str, Part], "a", None),
    ],
    ids=str,
)
def test_a_defaultdict_makes_what_its_annotation_names(of: Any, key: str, made: Any) -> None:
    (back,) = serow.loads(serow.dumps([{}]), type=of)
    if made is None:
        assert back.default_factory is None
    else:
        assert same(back[key], made)


def test_containers_that_are_decoded_alike_do_not_share_a_union() -> None:
    with pytest.raises(serow.SchemaError, match=r"two classes of the union are \[i64\]"):
        serow.Schema.of(deque[int] | list[int])
    rows: list[Any] = [deque([1]), (1, 2), {"a"}, Counter("a")]
    of: Any = deque[int] | tuple[int, ...] | set[str] | Counter[str]
    assert all(map(same, serow.loads(serow.dumps(rows), type=of), rows))


def test_a_counter_of_typing_has_no_attributes_of_its_own() -> None:
    made: Any = typing.Counter[str]("aab")
    assert serow.loads(serow.dumps([made])) == [{"a": 2, "b": 1}]
