"""The whole run, without Spark, and with it where everything is built."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from demo.errors import DemoError
from spark_jvm import jars, results, rounds, run, settings
from spark_jvm.contestants import CONTESTANTS, PEER, SEROW, SORTING
from spark_jvm.groups import GROUPS
from spark_jvm.rounds import Place
from spark_jvm.settings import QUICK, Settings

FAKE = Path(__file__).with_name("fake_spark.py")


def is_built() -> bool:
    try:
        jars.spark()
        jars.all_jars()
    except DemoError:
        return False
    return True


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Returns a command line for a run without Spark."""
    submit = tmp_path / "spark" / "bin" / "spark-submit"
    submit.parent.mkdir(parents=True)
    submit.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{FAKE}" "$@"\n')
    submit.chmod(0o755)
    monkeypatch.delenv("TASKS", raising=False)
    monkeypatch.delenv("SEROW_TEST_FAULT", raising=False)
    twice = Settings(rounds=2, warm_ups=0, runs=2, seconds=0.0, most_seconds=0.0, rows=10)
    monkeypatch.setattr(settings, "QUICK", twice)
    named = [tmp_path / "jobs.jar", tmp_path / "fory-core-1.jar"]
    monkeypatch.setattr(jars, "all_jars", lambda: named)
    place = ["--spark", str(tmp_path / "spark"), "--out", str(tmp_path)]
    return ["--quick", "--tasks", "cache", *place]


def test_everyone_is_measured_and_those_of_goals_more_often(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run.main(command) == 0
    header, records = results.read(tmp_path / "spark_jvm.csv")
    assert "Spark 4.x" in header["versions"]
    assert "fory-core-1" in header["versions"]
    of_cache = {name for name, one in CONTESTANTS.items() if "cache" in one.groups}
    assert {one.key.contestant for one in records} == of_cache
    runs = (0.5, 0.5)
    assert all(
        one.seconds == ((runs, runs) if one.key.contestant in (PEER, SEROW) else (runs,))
        for one in records
    )
    assert [one.bytes for one in records[:2]] == [1000, 0]
    assert (tmp_path / "spark-jvm-cache.svg").exists()
    out = capsys.readouterr().out
    assert "MISSED" in out
    assert run.main([*command, "--redraw"]) == 0
    assert capsys.readouterr().out == out


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("SerowSerializer finds other rows", "Part in memory, rows: serow finds 10 rows other"),
        ("SerowSerializer fails", "cache, Part in memory: serow failed: made up"),
        ("KryoSerializer dies", "cache: Kryo failed:\nno memory"),
    ],
)
def test_a_fault_ends_the_run(
    fault: str,
    said: str,
    command: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SEROW_TEST_FAULT", fault)
    assert run.main(command) == 1
    assert said in capsys.readouterr().err


def test_our_own_wrapper_may_fail_and_is_left_out(
    command: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SEROW_TEST_FAULT", "ForySerializer fails")
    assert run.main(command) == 0
    header, records = results.read(tmp_path / "spark_jvm.csv")
    assert header["left out of cache, Part in memory"] == "Fory, by our wrapper (made up)"
    assert not any(one.key.contestant.startswith("Fory") for one in records)
    assert "made up" in capsys.readouterr().out


def test_each_round_begins_with_another_contestant() -> None:
    names = [PEER, "serow", SEROW]
    size = Settings(rounds_of_others=2)
    first, second, third = (
        rounds.turns(number, ["cache", "shuffle"], names, size) for number in range(3)
    )
    assert [(group, one.name) for group, one in first[:4]] == [
        ("cache", PEER),
        ("cache", "serow"),
        ("cache", SEROW),
        ("shuffle", PEER),
    ]
    assert [one.name for _, one in second[:3]] == ["serow", SEROW, PEER]
    assert [one.name for _, one in third] == [PEER, SEROW] * 2
    assert rounds.turns(2, ["cache"], ["serow"], size) == []
    assert rounds.turns(2, ["objects"], names, size) == []


def test_a_contestant_runs_only_the_groups_in_which_it_shows_something() -> None:
    turns = rounds.turns(0, ["cache", "shuffle"], [SEROW, SORTING], Settings())
    assert [(group, one.name) for group, one in turns] == [
        ("cache", SEROW),
        ("shuffle", SEROW),
        ("shuffle", SORTING),
    ]


def test_a_process_gets_the_settings_of_its_group_and_contestant(tmp_path: Path) -> None:
    place = Place(tmp_path, [tmp_path / "jobs.jar", tmp_path / "serow.jar"])
    kryo = CONTESTANTS["Kryo, registered, safe"]
    words = rounds.command("uncompressed", kryo, QUICK, True, place, tmp_path)
    for word in (
        "spark.serializer=org.apache.spark.serializer.KryoSerializer",
        "spark.kryo.unsafe=false",
        "spark.rdd.compress=false",
        f"spark.driver.extraClassPath={tmp_path}/jobs.jar:{tmp_path}/serow.jar",
        "group=cache",
        "registered=true",
        "check=true",
        "seconds=0.0",
        "most-seconds=0.0",
    ):
        assert word in words


def test_unknown_jobs_and_missing_programs_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--out", str(tmp_path)]
    assert run.main(["--tasks", "cache text", *out]) == 1
    assert "TASKS must be some of programs, cache" in capsys.readouterr().err
    assert run.main(["--only", "serow;pickle", *out]) == 1
    assert "got 'serow pickle'" in capsys.readouterr().err
    monkeypatch.setattr(jars, "ROOT", tmp_path)
    assert run.main(out) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_the_script_knows_all_groups(tmp_path: Path) -> None:
    script = (run.ROOT / "tools" / "bench-spark.sh").read_text()
    assert f"jvm=({' '.join(GROUPS)})" in script
    ran = subprocess.run(
        [run.ROOT / "tools" / "bench-spark.sh"],
        env={**os.environ, "ONLY": "jvm", "TASKS": "text"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    assert "got text" in ran.stderr


@pytest.mark.long
@pytest.mark.skipif(not is_built(), reason="make bench-spark has not built Spark's jobs")
@pytest.mark.parametrize("group", GROUPS)
def test_all_jobs_run_in_spark(group: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = Settings(rounds=1, warm_ups=0, runs=1, seconds=0.0, most_seconds=0.0, rows=2000)
    monkeypatch.setattr(settings, "QUICK", tiny)
    only = ";".join([PEER, "serow", SEROW])
    out = ["--out", str(tmp_path)]
    assert run.main(["--quick", "--tasks", group, "--only", only, *out]) == 0
    _, records = results.read(tmp_path / "spark_jvm.csv")
    of_group = {name for name in only.split(";") if group in CONTESTANTS[name].groups}
    assert {one.key.contestant for one in records} == of_group
