"""Common behaviour of sets, dicts, records and enums."""

import gc
import subprocess
import sys
import weakref
from collections.abc import Callable
from typing import Any

import pytest
import serow
from objects import RECORDS, Box, Color, Model, Part, Plain, Slotted
from serow import _native
from wire_format import FRAME, RawFrame, message, spelled


def cycles() -> list[Any]:
    as_dict: dict[str, Any] = {}
    as_dict["me"] = as_dict
    as_map: dict[Any, Any] = {}
    as_map[1] = [as_map]
    box: Box[Any] = Box([])
    box.value.append((box, {1}))
    plain = Plain(1, [])
    plain.b.append({"a": plain})
    return [as_dict, as_map, box, plain]


@pytest.mark.parametrize("row", cycles(), ids=["dict", "map", "dataclass", "namedtuple"])
def test_a_cycle_is_an_error(row: Any, wire: str, access: str) -> None:
    for rows in ([row], [1, row], [(1, row)]):
        with pytest.raises(serow.LimitError, match="64 deep"):
            serow.dumps(rows, wire=wire)


WRAPS: list[Callable[[Any], Any]] = [
    lambda v: {"a": v},
    lambda v: {1: v},
    lambda v: frozenset([v]),
    lambda v: Box(v),
    lambda v: Plain(v, 1),
    lambda v: Slotted(v),
]


@pytest.mark.parametrize("wrap", WRAPS)
def test_nesting_ends_at_64(wrap: Callable[[Any], Any], wire: str, access: str) -> None:
    value: Any = 1
    for _ in range(64):
        value = wrap(value)
    (back,) = serow.loads(serow.dumps([value], wire=wire))
    assert serow.dumps([back], wire=wire) == serow.dumps([value], wire=wire)
    with pytest.raises(serow.LimitError, match="64 deep"):
        serow.dumps([wrap(value)], wire=wire)


def test_shared_values_are_copied(wire: str) -> None:
    shared = {"a": 1}
    back = serow.loads(serow.dumps([[shared, shared]], wire=wire))[0]
    assert back == [shared, shared]
    assert back[0] is not back[1]


def test_references_are_counted(wire: str, access: str) -> None:
    """Encoding and decoding keep no references."""
    key, value, member = "a key " + wire, object(), Color.RED
    big = [1 << 70, "text " * 10]
    rows: list[Any] = [
        [
            {key: big, "b": {1, 2}},
            Box(big),
            Slotted(big),
            Part(1, "x"),
            member,
            {5: big},
            Model(a=1, b=None),
        ]
    ] * 50
    tracked = [key, value, member, big, Box, Part, Color, Model, rows[0][0]]

    def counts() -> list[int]:
        gc.collect()
        return [sys.getrefcount(item) for item in tracked]

    codec = serow.Codec.infer(rows, wire=wire)
    codec.decode(codec.encode(rows))
    before = counts()
    for _ in range(20):
        data = codec.encode(rows)
        serow.loads(data)
        codec.decode(data)
        serow.dumps(rows, wire=wire)
        with pytest.raises(serow.EncodeError):
            codec.encode([*rows, [{key: value}]])
        with pytest.raises(serow.SerowError):
            serow.loads(data[:-8] + bytes(8))
    assert counts() == before


def test_decoded_objects_are_known_to_the_collector(wire: str, access: str) -> None:
    class Weak:
        pass

    (row,) = serow.loads(serow.dumps([{"a": [{1: [{"b"}]}]}], wire=wire))
    row["a"].append(row)
    mark = Weak()
    row["mark"] = mark
    seen = weakref.ref(mark)
    del row, mark
    gc.collect()
    assert seen() is None
    (box,) = serow.loads(serow.dumps([Box([1])], wire=wire))
    assert gc.is_tracked(box)


def test_no_libraries_are_imported() -> None:
    program = (
        "import sys, serow\n"
        "before = set(sys.modules)\n"
        "assert serow.loads(serow.dumps([{'a': {1}, 'b': {2: 3}}])) == [{'a': {1}, 'b': {2: 3}}]\n"
        "libraries = {'enum', 'dataclasses', 'attr', 'pydantic', 'pyspark', 'serow._records'}\n"
        "assert not libraries & (set(sys.modules) - before), set(sys.modules) - before\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_both_ways_of_access_read_and_make_the_same(wire: str) -> None:
    rows = [[row, {"a": row, "b": {i}}, {i: row}] for i, (row, _, _) in enumerate(RECORDS * 3)]
    found = []
    for only in (False, True):
        _native.object_access(only)
        try:
            message = serow.dumps(rows, wire=wire)
            found.append((message, repr(serow.loads(message))))
        finally:
            _native.object_access(False)
    assert found[0] == found[1]


def test_frames_that_claim_many_members_and_names_are_cheap() -> None:
    for codes in ([36, 0, 2**32 - 1], [36, 2**32 - 1, 65], [32, 2**32 - 1], [31, 34, 2**31]):
        with pytest.raises(serow.DecodeError):
            serow.loads(message(RawFrame(FRAME, 0, spelled(codes), bytes(4))))
