import re
from pathlib import Path

from parallel import goals, page, results, settings
from parallel.tests.some_results import HEADER, all_series, records


def test_times_speedups_and_predictions_are_in_one_line() -> None:
    text = re.sub(" +", " ", page.tables(HEADER, all_series()))
    assert "## Rust, zstd: milliseconds and speedup" in text
    line = "| 100 MB, 30 frames | 2 | 50 | 2.00x (2.00 to 2.00) | 1.99x "
    assert f"{line}| 110 | 0.91x (0.91 to 0.91) | 1.99x |" in text
    assert "| 10 kB, 1 frame | 1 | 0.01 | | | 0.01 | | |" in text
    assert "| Python: decode of 100 MB | 30 | 100 | 30 | 1.8 | 1 |" in text
    assert "of 10 kB" not in text.partition("## T and H")[2]


def test_losses_are_goals_that_are_missed() -> None:
    found = {one.what: one for one in goals.goals(all_series())}
    assert len(found) == 2 * 2 * 2 * 2
    small = found["Python, decode, 10 kB: time with auto over one thread"]
    assert (small.figure, small.verdict) == ("1.10x (1.10 to 1.10)", "MISSED")
    assert found["Rust, encode, 100 MB, zstd: speedup with auto"].verdict == "met"
    assert found["Python, decode, 100 MB: speedup with auto"].verdict == "MISSED"


def test_the_csv_gives_back_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "new" / "parallel.csv"
    results.write(path, HEADER, records())
    assert results.read(path) == (HEADER, list(records()))


def test_many_processors_are_measured_by_powers_of_two() -> None:
    assert settings.numbers_of_threads(1) == ["1", "auto"]
    assert settings.numbers_of_threads(3) == ["1", "2", "3", "auto"]
    assert settings.numbers_of_threads(40)[7:] == ["8", "16", "32", "40", "auto"]
