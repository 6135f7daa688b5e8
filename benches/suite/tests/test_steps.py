from pathlib import Path

from suite import results, steps
from suite.results import Record
from suite.tests.some_results import HEADER, encode


def measured(path: Path, commit: str, factor: float, more: float = 1.0, **header: str) -> str:
    """Measure serow's two wires and two peers; `more` is a step of the frame wire alone."""
    times = {"serow-row": 50.0, "serow-frame": 100.0 * more, "msgspec": 110.0, "marshal": 90.0}
    records: list[Record] = [
        encode("Python", name, "encode-fresh", factor * time) for name, time in times.items()
    ]
    steps.keep(path, commit)
    results.write(path, {**HEADER, "commit": commit, **header}, records)
    return steps.section(path)


def test_a_step_is_seen_whatever_the_machine_s_speed(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    assert measured(path, "a", 1.0) == ""
    slower = measured(path, "b", 1.6, 1.1)
    assert "## Since a" in slower
    assert "part, Python encode, serow-frame, batch, in order, fresh | " in slower
    assert "+10%" in slower
    assert "serow-row" not in slower
    # The same commit again is compared with the same one.
    assert "There are none." in measured(path, "b", 0.7)
    assert "-9%" in measured(path, "c", 1.0, 1 / 1.1).partition("Since b")[2]


def test_figures_of_another_machine_are_not_compared(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    measured(path, "a", 1.0)
    text = measured(path, "b", 5.0, CPU="another")
    assert text == "## Since a\n\nNot compared: another CPU."
