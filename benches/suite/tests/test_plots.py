from pathlib import Path

from suite import plots
from suite.tests.some_results import results


def test_plots_are_drawn_of_what_there_is_and_the_same_each_time(tmp_path: Path) -> None:
    plots.draw(tmp_path / "a", results())
    plots.draw(tmp_path / "b", results())
    first = {path.name: path.read_bytes() for path in (tmp_path / "a").iterdir()}
    second = {path.name: path.read_bytes() for path in (tmp_path / "b").iterdir()}
    assert first == second
    assert {"python.svg", "jvm-order.svg", "sockets.svg", "sizes.svg"} <= set(first)
    assert "others.svg" not in first
    assert b"msgspec, typed" in first["python.svg"]
