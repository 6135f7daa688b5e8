"""Every entrant must return equal rows, and faults must be noticed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from demo.errors import DemoError
from demo.rows import Message
from suite import compiler, entrants
from suite.entrants.entrant import Batches, create, cut
from suite.entrants.marshal_batches import MarshalBatches
from suite.python_side import check
from suite.workloads import PART, WORKLOADS, rows

SPECS = entrants.taking_part(compiler.exists(), java_compiles=False)
CASES = [(name, workload) for workload in WORKLOADS for name in entrants.in_python(SPECS, workload)]


@pytest.mark.parametrize(("name", "workload"), CASES)
def test_rows_come_back_equal_in_every_way(
    name: str, workload: str, tables: Mapping[str, Path]
) -> None:
    chosen = WORKLOADS[workload]
    made = rows(chosen, tables[workload], 0, 1200)
    assert len(made) >= 200
    check(create(SPECS[name], chosen), chosen, made)


def test_two_wires_and_all_peers_take_part() -> None:
    python = {"serow-row", "serow-frame", "msgspec", "msgspec-struct", "marshal"}
    both = {"serow-row", "serow-frame", "pickle", "protobuf", "bson"}
    java = {"fory-class", "fory-array", "kryo-class", "kryo-array"}
    assert "serow-default" in set(entrants.in_python(SPECS)) - set(entrants.in_both(SPECS))
    assert python | both <= set(entrants.in_python(SPECS))
    assert both | java <= set(entrants.in_java(SPECS))
    assert both <= set(entrants.in_both(SPECS))


@pytest.mark.parametrize("workload", ["lineitem", "readings", "dicts"])
def test_the_wider_rows_have_peers_in_both_languages(workload: str) -> None:
    serow = {"serow-row", "serow-frame"}
    peers = {"msgspec", "pickle", "cbor2", "protobuf", "fory-xlang"}
    assert serow | peers <= set(entrants.in_python(SPECS, workload))
    kind = "map" if workload == "dicts" else "array"
    assert serow | {f"fory-{kind}", f"kryo-{kind}"} <= set(entrants.in_java(SPECS, workload))


def test_records_of_two_versions_are_written_and_read_in_both_languages() -> None:
    both = entrants.taking_part(python_compiles=True, java_compiles=True)
    each = [f"serow-{wire}-{kind}" for kind in ("record", "evolved") for wire in ("row", "frame")]
    assert entrants.in_python(both, "versions") == each
    assert entrants.in_java(both, "versions") == each


def test_compiled_code_takes_part_where_there_is_a_compiler() -> None:
    neither, python, java, both = (
        entrants.taking_part(python_compiles, java_compiles)
        for java_compiles in (False, True)
        for python_compiles in (False, True)
    )
    compiled = "serow-row-jit"
    assert [compiled in entrants.in_python(each) for each in (neither, python)] == [False, True]
    assert [compiled in entrants.in_java(each) for each in (neither, java)] == [False, True]
    assert [compiled in entrants.in_both(each) for each in (python, java, both)] == [
        *(False, False),
        True,
    ]


@pytest.mark.parametrize(("size", "lengths"), [(None, [5]), (2, [2, 2, 1]), (9, [5])])
def test_rows_are_cut_to_size(size: int | None, lengths: list[int]) -> None:
    assert list(map(len, cut([1, 2, 3, 4, 5], size))) == lengths


class LostRow(MarshalBatches):
    def decode(self, messages: Sequence[Message]) -> list[Any]:
        return super().decode(messages)[:-1]


class WrongRow(MarshalBatches):
    def decode_rows(self, messages: Sequence[Message]) -> list[Any]:
        *most, (key, *others) = super().decode_rows(messages)
        return [*most, (float(key), *others)]


class WrongBytes(MarshalBatches):
    retains_memory = True

    def encode_into(self, batches: Batches, buffer: bytearray) -> int:
        return 8


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (LostRow, "in batches: expected 3 rows, got 2"),
        (WrongRow, "row by row: row 2, field 0: expected 127"),
        (WrongBytes, "encode_into and encode give different bytes"),
    ],
)
def test_what_goes_wrong_is_noticed(wrong: type[MarshalBatches], message: str) -> None:
    with pytest.raises(DemoError, match=message):
        check(wrong(PART), PART, [])
