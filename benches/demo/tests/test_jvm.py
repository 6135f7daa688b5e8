"""The whole run with a real JVM, if `make jar` or `make test` has built its side."""

from pathlib import Path

import pytest

from demo import run
from demo.contestants import CONTESTANTS
from demo.streams import COMPRESSIONS

pytestmark = pytest.mark.skipif(
    not run.JAR.exists(), reason="java/demo isn't built: make jar builds it"
)


@pytest.fixture
def arguments(data: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(run, "WARM_UP_ROWS", 1000)
    # For so little work the JVM compiles quickly rather than well.
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1")
    return ["--sf", "0.01", "--rounds", "1", "--data", str(data)]


def test_every_contestant_brings_part_back(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run.main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    schema = "schema     (i64, str, str, str, str, i64, str, f64, str)"
    assert schema in lines
    assert "type list  5 1 3 3 3 3 1 3 2 3 7" in lines
    assert sum("compiled by LLVM" in line for line in lines) == 1
    names = [line.split()[0] for line in lines if "  2,000  " in line]
    assert names == [*[*CONTESTANTS] * 2, *COMPRESSIONS, "serow", "pyarrow"]


@pytest.mark.parametrize(
    ("name", "corrupted", "message"),
    [
        ("pickle", "ChangedOnTheWay", "Python to JVM: the digests of the rows differ"),
        ("pickle", "WrongType", "JVM to Python: row 1999, field 0"),
        ("serow", "Damaged", "serow: io.github.serow.DecodeException"),
    ],
)
def test_a_corrupted_contestant_fails_the_demo(
    arguments: list[str],
    capsys: pytest.CaptureFixture[str],
    name: str,
    corrupted: str,
    message: str,
) -> None:
    contestants = {**CONTESTANTS, name: f"demo.tests.corrupted:{corrupted}"}
    assert run.main(arguments, contestants) == 1
    out, err = capsys.readouterr()
    assert message in err
    assert "Every row came back equal" not in out
