"""The whole run with real JVMs, if `make jar` or `make test` has built their side."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from demo.errors import DemoError
from demo.java_peer import java_command
from suite import entrants, results, run, settings, startup, tables
from suite.java_side import JavaSide

needs_jar = pytest.mark.skipif(not run.JAR.exists(), reason="java/bench isn't built")


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    def quick(scales: tuple[Decimal, ...]) -> settings.Settings:
        return replace(
            settings.quick(scales),
            portion=300,
            rounds=2,
            hot_rows=50,
            hot_times=2,
            other_rows=100,
            wider_rounds=1,
            wider_rows=100,
            wider_warm_up_rows=300,
            warm_up_rows=300,
            starts=1,
        )

    monkeypatch.setattr(run, "quick", quick)
    # For so little work the JVM compiles quickly rather than well.
    options = ("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
    monkeypatch.setattr(run, "JVM_OPTIONS", options)
    monkeypatch.setattr(startup, "FIELDS", (9, 50))
    monkeypatch.setattr(startup, "CLASSES", 3)
    monkeypatch.setattr(startup, "CALLS", 10)
    monkeypatch.setattr(tables, "LINEITEM_SCALE", Decimal("0.001"))


@pytest.mark.long
@needs_jar
@pytest.mark.usefixtures("tiny")
def test_everything_is_measured_and_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["--quick", "--sf", "0.001 0.002", "--data", str(tmp_path), "--out", str(tmp_path)]
    assert run.main(command) == 0
    header, records = results.read(tmp_path / "results.csv")
    assert header["rounds"].startswith("2,")
    found = {(one.key.scenario, one.key.entrant) for one in records}
    found_of = {(one.key.scenario, one.key.entrant, one.key.workload) for one in records}
    for name, spec in entrants.taking_part(python_compiles=False, java_compiles=False).items():
        for verb in ("encode", "decode"):
            for workload in spec.python:
                assert (f"Python {verb}", name, workload) in found_of
            for workload in spec.java:
                assert (f"JVM {verb}", name, workload) in found_of
        if "part" in spec.python and "part" in spec.java:
            assert ("Python to JVM", name) in found
            assert ("JVM to Python", name) in found
    # 0.002 is 400 rows, in two portions.
    assert {one.rows for one in records if one.key.scale == "0.002"} == {400}
    streams = [one for one in records if one.key.scenario == "JVM to Python"]
    assert {(one.key.unit, one.rows) for one in streams} == {
        *(("batch", 200), ("row", 200), ("batch", 400)),
    }
    assert {one.key.order for one in records} == {"hot", "in order", "shuffled", "-"}
    out = capsys.readouterr().out
    assert "## Goals" in out
    assert "## By scale factor" in out
    assert run.main([*command, "--redraw"]) == 0
    assert (tmp_path / "python.svg").exists()


def test_a_missing_jar_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["--jar", str(tmp_path / "none.jar"), "--out", str(tmp_path)]) == 1
    assert capsys.readouterr().err.count("\n") == 1


@needs_jar
def test_what_fails_in_the_jvm_is_told(tmp_path: Path) -> None:
    side = JavaSide(
        "kryo-class", entrants.ENTRANTS["kryo-class"], java_command(run.JAR, ()), "part"
    )
    try:
        with pytest.raises(DemoError, match=r"kryo-class: .*NoSuchFileException"):
            side.load(tmp_path / "none", 0, 1)
    finally:
        side.close()
