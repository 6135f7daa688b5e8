from pathlib import Path

import pytest

from suite import results
from suite.results import Key, Record, Results, clock, key, record
from suite.work import Sample, added


def some() -> list[Record]:
    first = key("0.1", "part", "Python", "serow-row", "encode-retained", "in order")
    second = Key("1", "part", "JVM to Python", "pickle", "row", "in order", "fresh")
    return [
        Record(first, "interpreter", 1000, 118_000, (61.25, 60.5, 64.0)),
        Record(second, "-", 200_000, 7, (2000.0,)),
    ]


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "new" / "results.csv"
    header = {"CPU": "x86, 2 cores: fast", "rounds": "7"}
    results.write(path, header, some())
    assert results.read(path) == (header, some())
    assert [each.name for each in path.parent.iterdir()] == ["results.csv"]


def test_a_key_says_what_a_piece_of_work_is() -> None:
    one = key("1", "part", "JVM", "kryo-class", "decode-row", "hot")
    assert (one.scenario, one.unit, one.memory) == ("JVM decode", "row", "retained")


def test_a_record_is_per_row_of_every_round() -> None:
    one = record(some()[0].key, "-", [Sample(2e6, 20_000, 50), Sample(1e6, 20_000, 50)], times=20)
    assert (one.rows, one.bytes, one.rounds) == (1000, 50, (100.0, 50.0))
    assert one.figure.least == 50.0


def test_portions_are_added_up() -> None:
    assert added([Sample(1.0, 2, 3), Sample(10.0, 20, 30)]) == Sample(11.0, 22, 33)


@pytest.mark.parametrize(
    ("scenario", "expected"),
    [
        ("Python encode", "thread-CPU"),
        ("JVM decode", "thread-CPU"),
        ("JVM to Python", "wall"),
        ("import serow", "wall"),
        ("first dumps", "wall"),
        ("compile", "process-CPU"),
        ("compile from cache", "wall"),
    ],
)
def test_every_scenario_has_its_clock(scenario: str, expected: str) -> None:
    assert clock(scenario) == expected


def test_results_are_found_by_key() -> None:
    found = Results(some())
    assert found.get(some()[1].key) == some()[1]
    assert found.get(Key("8", "part", "JVM to Python", "pickle")) is None
    assert found.scales() == ["0.1", "1"]
