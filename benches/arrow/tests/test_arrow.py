"""The tables, from made-up results."""

import re
from pathlib import Path

from arrow import data, page, results
from arrow.contests import CONTESTS, SEROW
from arrow.results import Record

HEADER = {"CPU": "made up"}
RECORDS = [
    Record("tuples to arrow", "part", SEROW, (100.0, 110.0), 40.0),
    Record("tuples to arrow", "part", "pyarrow by columns", (800.0, 880.0), 60.0),
    Record("arrow to values", "dates", SEROW, (10.0, 11.0), 8.0),
    Record("arrow to values", "dates", "pyarrow to_pylist", (200.0, 110.0), 8.0),
]


def test_goals_and_times_are_in_the_tables() -> None:
    text = re.sub(" +", " ", page.tables(HEADER, results.decide(RECORDS)))
    against = "against pyarrow by columns | >= 7x | 8.00x (8.00 to 8.00) | met |"
    assert f"| Part: tuples to Arrow, {against}" in text
    assert "| a column of dates, against pyarrow to_pylist | >= 25x | 11.00x" in text
    assert "| Part: tuples to Arrow | 100 ns | 800 ns | pyarrow by columns | 40 B | 60 B |" in text


def test_the_csv_gives_back_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "new" / "arrow.csv"
    results.write(path, HEADER, RECORDS)
    assert results.read(path) == (HEADER, RECORDS)
    page.draw(tmp_path, results.decide(RECORDS))
    assert "Part: Arrow, warm" in (tmp_path / "arrow.svg").read_text()


def test_each_contest_has_rows() -> None:
    for contest in CONTESTS:
        if contest.rows not in data.NAMES:
            assert len(data.rows(contest.rows, {}, 3)) == 3
