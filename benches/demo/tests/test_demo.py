"""The whole run, with `python_peer.py` instead of the JVM, and small tables."""

import sys
from pathlib import Path

import pytest

from demo import part, run

PEER = str(Path(__file__).with_name("python_peer.py"))
PICKLE = "demo.contestants.pickle_batches:PickleBatches"
PEERS = {"serow": PICKLE, "pickle": PICKLE, "protobuf": PICKLE}


@pytest.fixture
def arguments(tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Returns a command line for a run that takes a second."""
    jar = tmp_path / "demo.jar"
    jar.touch()
    monkeypatch.setattr(run, "java_command", lambda jar: [sys.executable, PEER])
    return ["--sf", "0.001", "--rounds", "2", "--data", str(data), "--jar", str(jar)]


@pytest.fixture
def behaves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes every contestant's peer behave correctly."""
    command = [sys.executable, "-c", f"import runpy, sys; sys.argv[1] = 'pickle'; {RUN}"]
    monkeypatch.setattr(run, "java_command", lambda jar: command)


RUN = f"runpy.run_path({PEER!r}, run_name='__main__')"


@pytest.mark.usefixtures("behaves")
def test_rows_that_come_back_equal_give_zero_and_a_table(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run.main(arguments, PEERS) == 0
    out, _ = capsys.readouterr()
    assert "TPC-H Part, SF=0.001: 200 rows" in out
    assert "Python -> JVM" in out
    assert "JVM -> Python" in out
    columns = out.partition("Arrow's columns in Python")[2].splitlines()[1:3]
    assert columns[0].split()[0] == "serow"
    assert len(columns[0].split()) == 6
    streams = out.partition("Streams in files")[2].splitlines()[1:4]
    assert [line.split()[:2] for line in streams] == [
        [name, "200"] for name in ("none", "lz4", "zstd")
    ]
    assert "NOT MET" in out, "pickle isn't faster than itself"
    assert "Every row came back equal" in out


@pytest.mark.usefixtures("behaves")
def test_a_table_larger_than_a_portion_is_summed_up(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(part, "PORTION", 70)
    assert run.main(arguments, PEERS) == 0
    assert "200 rows" in capsys.readouterr().out


@pytest.mark.usefixtures("behaves")
@pytest.mark.parametrize(
    ("corrupted", "message"),
    [
        ("ChangedOnTheWay", "pickle: Python to JVM: the digests of the rows differ"),
        (
            "WrongType",
            "pickle: JVM to Python: row 199, field 0: expected 200 (int), got 200.0 (float)",
        ),
        ("LostRow", "pickle: JVM to Python: expected 200 rows, got 199"),
        ("Raises", "pickle: EOFError: ran out of input"),
        ("Dies", "pickle: its process died, exit code 7"),
    ],
)
def test_a_corrupted_contestant_fails_the_demo(
    arguments: list[str], capsys: pytest.CaptureFixture[str], corrupted: str, message: str
) -> None:
    contestants = {**PEERS, "pickle": f"demo.tests.corrupted:{corrupted}"}
    assert run.main(arguments, contestants) == 1
    out, err = capsys.readouterr()
    assert message in err
    assert "Every row came back equal" not in out


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        ("loses-a-row", "200 rows were sent, the JVM has 199"),
        ("changes-a-type", "the digests of the rows differ"),
        ("encodes-another-row", "JVM to Python: row 0, field 8"),
        ("hangs-up", "this is why"),
        ("never-connects", "no such contestant"),
    ],
)
def test_a_corrupted_other_side_fails_the_demo(
    arguments: list[str], capsys: pytest.CaptureFixture[str], behaviour: str, message: str
) -> None:
    assert run.main(arguments, {behaviour: PICKLE}) == 1
    assert message in capsys.readouterr().err


def test_a_missing_jar_is_one_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run.main([*arguments, "--jar", str(tmp_path / "none.jar")], PEERS) == 1
    assert capsys.readouterr().err.count("\n") == 1
