"""The whole run with few rows."""

from dataclasses import replace
from pathlib import Path

import pytest

from large import results, rounds, run, settings
from large.contestants import LINE_UPS
from large.results import MESSAGE, STREAM, VERBS
from large.settings import Settings

OTHER = Path(__file__).with_name("other_side.py")
SMALL = Settings(
    rows=300,
    outputs=20,
    rounds=2,
    least_seconds=0.0,
    stream_bytes=200_000,
    message_bytes=50_000,
    stream_rounds=2,
    portion=500,
)


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Returns a command line for a run of a few seconds."""
    pytest.importorskip("pyarrow")
    monkeypatch.delenv("BYTES", raising=False)
    monkeypatch.setattr(settings, "quick", lambda size=2e5: replace(SMALL, stream_bytes=size))
    return ["--quick", "--data", str(tmp_path), "--out", str(tmp_path)]


def test_each_contestant_is_measured_in_each_round(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run.main([*command, "--bytes", "3e5"]) == 0
    header, found = results.read(tmp_path / "large.csv")
    assert "pyarrow" in header["Python"]
    ways = sum(len(each) for some in LINE_UPS.values() for each in some.values())
    assert len(found) == ways * len(VERBS) + 4
    for key, one in found.items():
        assert len(one.rounds) == 2
        assert one.least > 0
        assert one.bytes > 0
        assert (one.memory > 0) == (key.workload in (STREAM, MESSAGE))
        if key.workload == STREAM:
            assert one.bytes >= 300_000
            assert one.rows % SMALL.portion == 0
    out = capsys.readouterr().out
    assert "## A stream through a pipe, and single messages" in out
    assert run.main([*command, "--redraw"]) == 0
    assert capsys.readouterr().out == out


@pytest.mark.parametrize("fault", ["other rows", "reader dies", "writer dies"])
def test_a_fault_is_one_line(
    fault: str,
    command: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(rounds, "LINE_UPS", {})
    monkeypatch.setattr(rounds, "PIPE_SIDE", OTHER)
    monkeypatch.setenv("SEROW_TEST_FAULT", fault)
    assert run.main(command) == 1
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith("bench-large: the stream's reader: ")
    wanted = {"other rows": "came back as", "reader dies": "died", "writer dies": "cut"}[fault]
    assert wanted in said
