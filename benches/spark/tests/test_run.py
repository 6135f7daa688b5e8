"""The whole run, with real Sparks, where there is a Python for them."""

import shutil
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from demo import part
from spark import results, run, settings
from spark.contestants import CONTESTANTS
from spark.settings import Settings
from spark.tasks import TASKS

needs_spark = pytest.mark.skipif(not run.PYTHON.exists(), reason="there is no Python with PySpark")

#: Between them they have all that differs in how Spark is set up, and are compared with each other.
ENTRANTS = "serow, gc off;other ways"


@needs_spark
@pytest.mark.long
@pytest.mark.parametrize(
    ("groups", "title", "entrants"),
    [
        ("text", "text, SF=0.001", ENTRANTS),
        ("rdd dataframe udf", "Python UDF", ENTRANTS),
        ("connect", "Spark Connect", "stock;serow"),
    ],
)
def test_everything_is_measured_and_written(
    groups: str,
    title: str,
    entrants: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tiny = Settings(rounds=1, rows=300, nested_rows=100)
    monkeypatch.setattr(settings, "QUICK", tiny)
    # For so little work the JVM compiles quickly rather than well.
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    few_partitions = "--conf spark.sql.shuffle.partitions=2 pyspark-shell"
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", few_partitions)
    # Jobs that join with Part at 0.1 find a smaller table there.
    shutil.copy(part.generate(Decimal("0.01"), tmp_path), tmp_path / "part-sf0.1.tbl")
    data = ["--data", str(tmp_path), "--out", str(tmp_path)]
    command = ["--quick", "--sf", "0.001", "--tasks", groups, "--only", entrants, *data]
    assert run.main(command) == 0
    header, records = results.read(tmp_path / "spark.csv")
    assert "pyspark 4" in header["versions"]
    assert header["rows of DataFrames"] == "300, nested 100"
    found = {(one.key.task, one.key.contestant) for one in records}
    for group in groups.split():
        known = [CONTESTANTS[name] for name in entrants.split(";")]
        run_tasks = [one.name for one in known if group in one.groups and not one.is_other_way]
        for task in TASKS[group]:
            for name in (*run_tasks, *task.others):
                assert (task.name, name) in found, group
    assert {one.key.clock for one in records} == {"seconds", "busy"}
    out = capsys.readouterr().out
    assert f"## PySpark, {title}: seconds" in out
    assert run.main([*command, "--redraw"]) == 0
    assert capsys.readouterr().out == out


def test_a_missing_python_and_unknown_jobs_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--out", str(tmp_path)]
    assert run.main(["--python", str(tmp_path / "none"), *out]) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert run.main(["--python", sys.executable, "--tasks", "text rows", *out]) == 1
    assert (
        "TASKS must be some of text, rdd, dataframe, udf, connect, got 'text rows'"
        in capsys.readouterr().err
    )
