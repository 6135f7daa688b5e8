"""The whole run with small messages. A process in Python takes the parts of Rust and Java."""

import sys
from pathlib import Path

import pytest

from parallel import page, results, rounds, run, settings
from parallel.settings import COMPRESSIONS, VERBS, Settings

OTHER = Path(__file__).with_name("other_side.py")
SIZES = (2_000, 20_000)


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Returns a command line for a run that takes a second."""
    commands = dict(rounds.commands(Path("no program"), Path("no jar")))
    commands[rounds.RUST] = commands[rounds.JAVA] = [sys.executable, str(OTHER)]
    monkeypatch.setattr(rounds, "commands", lambda rust, java: commands)
    monkeypatch.setattr(settings, "quick", lambda: Settings(SIZES, 2, 40_000))
    monkeypatch.setattr(settings, "processors", lambda: 2)
    return ["--quick", "--data", str(tmp_path), "--out", str(tmp_path)]


def test_each_number_of_threads_is_measured_in_each_language(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run.main(command) == 0
    header, records = results.read(tmp_path / "parallel.csv")
    assert header[page.START].startswith("50.0 µs")
    assert len({one.key for one in records}) == 3 * len(COMPRESSIONS) * len(VERBS) * len(SIZES) * 3
    assert {len(one.rounds) for one in records} == {2}
    for one in records:
        assert 0 < one.least < 1
        if one.key.compression == "none":
            assert one.bytes == pytest.approx(one.key.size, rel=0.1)
            assert one.frames == 1
    out = capsys.readouterr().out
    assert "## Rust, zstd: milliseconds and speedup" in out
    assert run.main([*command, "--redraw"]) == 0
    assert capsys.readouterr().out == out


def test_a_missing_program_is_one_line(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = {rounds.PYTHON: ["/nowhere/program"]}
    monkeypatch.setattr(rounds, "commands", lambda rust, java: missing)
    assert run.main(command) == 1
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith("bench-parallel: Python does not start: ")


def test_other_rows_than_those_sent_are_an_error(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SEROW_TEST_OTHER_ROWS", "1")
    assert run.main(command) == 1
    assert "bytes in Python and" in capsys.readouterr().err
