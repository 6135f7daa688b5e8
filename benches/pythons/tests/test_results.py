from pathlib import Path

import pytest

from pythons import page, results
from pythons.results import Compared, Measured
from suite.results import Key, key

HOT = key("1", "nested", "Python", "serow-row-jit", "encode-retained", "hot")
SINGLE = key("1", "readings", "Python", "serow-row", "decode-row", "in order")
IMPORT = Key("-", "-", "import serow", "serow", "process", "-", "fresh")


def measured(key: Key, python: str, *processes: tuple[float, ...]) -> Measured:
    return Measured(key, python, "jit", processes)


@pytest.fixture
def some() -> list[Measured]:
    return [
        measured(HOT, "3.13", (20.0, 25.0), (21.0, 20.5), (90.0, 80.0)),
        measured(HOT, "3.14", (26.0, 26.5), (30.0, 24.6), (80.0, 120.0)),
        measured(SINGLE, "3.13", (100.0,), (100.0,), (100.0,)),
        measured(SINGLE, "3.14", (90.0,), (95.0,), (105.0,)),
        measured(IMPORT, "3.13", (2e6,), (2e6,), (2e6,)),
        measured(IMPORT, "3.14", (2.1e6,), (2.1e6,), (2.1e6,)),
    ]


def test_a_time_is_the_median_of_the_least_times_of_processes(some: list[Measured]) -> None:
    assert some[0].leasts == [20.0, 20.5, 80.0]
    assert some[0].nanoseconds == 20.5


def test_a_ratio_compares_times_and_its_spread_the_processes_that_took_turns(
    some: list[Measured],
) -> None:
    one = Compared(some[0], some[1])
    assert one.ratio == pytest.approx(26.0 / 20.5)
    assert one.spread == (1.0, 26.0 / 20.0)
    assert not one.is_met


def test_five_percent_more_reach_the_goal(some: list[Measured]) -> None:
    assert [one.is_met for one in results.compare(some)["3.14"]] == [False, True, True]
    slower = measured(IMPORT, "3.14", (2.11e6,))
    assert not Compared(some[4], slower).is_met


def test_the_csv_has_every_round(tmp_path: Path, some: list[Measured]) -> None:
    path = tmp_path / "some.csv"
    results.write(path, {"Python 3.13": "3.13.0; serow 0.1.0"}, some)
    assert results.read(path) == ({"Python 3.13": "3.13.0; serow 0.1.0"}, some)


def test_the_tables_name_the_slowest_rows_first(some: list[Measured]) -> None:
    text = page.tables({"CPU": "some"}, results.compare(some))
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]
    assert ["encode, batches, hot", "1", "0", "1.268", "1.268", "1.268"] in lines
    single = "decode, single records and small messages"
    assert [single, "1", "1", "0.950", "0.950", "0.950"] in lines
    assert ["fresh processes", "1", "1", "1.050", "1.050", "1.050"] in lines
    assert ["all rows", "3", "2", "1.050", "0.950", "1.268"] in lines
    slowest = lines[lines.index(["", "3.13", "3.14", "ratio (spread)"]) + 2 :]
    assert slowest[0] == [
        "nested tuples: encode, hot, retained memory; serow row, compiled",
        "20.5 ns",
        "26.0 ns",
        "1.27 (1.00 to 1.30)",
    ]
    assert slowest[1][:3] == ["import serow", "2 ms", "2.1 ms"]
    assert slowest[2][0].startswith("nested rows: decode, a row, in order")
