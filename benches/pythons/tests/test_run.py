"""The whole comparison with few rows. The Python of the tests takes the part of every Python."""

import sys
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from demo.errors import DemoError
from pythons import results, run, turns
from pythons.turns import Python, Run, Side
from suite import compiler, entrants, startup, tables
from suite.python_side import Load
from suite.results import Key, key
from suite.settings import quick as quick_settings

BOTH = ["--python", f"3.13={sys.executable}", "--python", f"3.14={sys.executable}"]
NUMBERS = Load("numbers", Path("no table"), 0, 50)


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    def quick(scale: Decimal) -> turns.Size:
        settings = replace(
            quick_settings((scale,)),
            portion=100,
            rounds=2,
            hot_rows=50,
            hot_times=2,
            other_rows=100,
            wider_rows=100,
            wider_hot_times=2,
            starts=1,
        )
        return turns.Size(settings, 2)

    monkeypatch.setattr(turns, "quick", quick)
    monkeypatch.setattr(startup, "FIELDS", (9,))
    monkeypatch.setattr(tables, "LINEITEM_SCALE", Decimal("0.001"))


def side(entrant: str) -> Side:
    python = Python("3.99", sys.executable)
    return Side(python, entrant, entrants.ENTRANTS[entrant], 1)


@pytest.mark.usefixtures("tiny")
def test_each_row_is_measured_on_each_python(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [*BOTH, "--quick", "--sf", "0.001", "--workloads", "startup versions"]
    command += ["--data", str(tmp_path), "--out", str(tmp_path)]
    assert run.main(command) == 0
    header, measured = results.read(tmp_path / "pythons.csv")
    assert header["rounds"] == "2 in each of 2 processes"
    assert f"{sys.version_info.major}.{sys.version_info.minor}." in header["Python 3.14"]
    keys = [[one.key for one in measured if one.python == name] for name in ("3.13", "3.14")]
    assert keys[0] == keys[1]
    found = set(keys[0])
    specs = entrants.taking_part(compiler.exists(), java_compiles=False)
    for name in entrants.in_python(specs, "versions"):
        for work, has_it in (("encode-fresh", True), ("encode-retained", False)):
            for order in ("hot", "in order"):
                one = key("0.001", "versions", "Python", name, work, order)
                assert (one in found) == has_it
    assert Key("-", "-", "import serow", "serow", "process", "-", "fresh") in found
    rounds = [one.processes for one in measured if one.key.workload == "versions"]
    assert {tuple(map(len, processes)) for processes in rounds} == {(2, 2)}
    assert all(time > 0 for one in measured for time in one.leasts)
    out = capsys.readouterr().out
    assert "## Python 3.14: the slowest rows" in out
    assert run.main([*command, "--redraw"]) == 0
    assert capsys.readouterr().out == out


def test_serow_takes_part_without_its_peers() -> None:
    specs = entrants.taking_part(python_compiles=True, java_compiles=False)
    one = Run([], run.KINDS, specs, {}, turns.quick(Decimal(1)))
    wires = ["serow-row", "serow-row-jit", "serow-frame", "serow-frame-jit"]
    assert one.entrants("nested") == wires
    assert one.entrants("part") == [*wires, "serow-default", "serow-default-jit"]
    # Fresh processes, Part, and four entrants for each of the other workloads.
    assert one.steps() == one.size.processes * (1 + 6 + 4 * (len(run.KINDS) - 2))


@pytest.mark.parametrize(
    ("command", "error"),
    [
        (BOTH[:2], "at least twice"),
        ([*BOTH[:2], *BOTH[:2]], "different names"),
        (["--python", "3.13"], "NAME=PATH"),
        ([*BOTH, "--workloads", "parts"], "must be some of"),
        ([*BOTH, "--python", "3.15=/nowhere/python"], "Python 3.15 does not start"),
    ],
)
def test_a_wrong_argument_is_one_line(
    command: list[str], error: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run.main([*command, "--quick", "--out", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert error in said
    assert said.count("\n") == 1


def test_a_side_measures_what_it_supports() -> None:
    one = side("serow-row")
    try:
        one.begin_load(NUMBERS)
        assert one.end_load() == 50
        sample = one.measure("encode-retained", 3)
        assert sample is not None
        assert sample.rows == 150
        assert sample.nanoseconds > 0
        assert one.tier() == "interpreter"
    finally:
        one.close()


def test_a_fault_names_the_python_and_the_entrant() -> None:
    one = side("serow-frame")
    try:
        one.begin_load(replace(NUMBERS, workload="part"))
        with pytest.raises(DemoError, match=r"^Python 3\.99, serow-frame: FileNotFoundError"):
            one.end_load()
        with pytest.raises(DemoError, match=r"^Python 3\.99, serow-frame: its process died.* 1$"):
            one.tier()
    finally:
        one.close()
