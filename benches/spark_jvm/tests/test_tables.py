"""What is made of results: the CSV, the goals, the tables, the plots."""

import re
from pathlib import Path

from spark_jvm import goals, page, plots, results
from spark_jvm.results import Results
from spark_jvm.tests.made_up import HEADER, KRYO, PART, RECORDS, SEROW, record


def test_the_csv_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "new" / "spark_jvm.csv"
    results.write(path, HEADER, RECORDS)
    assert results.read(path) == (HEADER, RECORDS)
    assert (
        'cache,Part in memory,write,"Kryo, registered",1000,2.0000000,2.1000000,0.2500000,'
        "2.0000000 2.2000000; 2.0000000 2.4000000," in path.read_text()
    )


def test_a_step_of_microseconds_is_not_rounded_to_nothing(tmp_path: Path) -> None:
    path = tmp_path / "spark_jvm.csv"
    short = [
        record("objects", "Array of Int", "serialize", name, 7, (4.56e-5,))
        for name in (KRYO, SEROW)
    ]
    results.write(path, HEADER, short)
    found = Results(results.read(path)[1])
    plots.draw(tmp_path, found)
    assert "| Array of Int: serialize |           0.0456 |" in page.tables(HEADER, found, [])


def test_a_goal_is_about_all_steps_and_the_least_times_of_rounds() -> None:
    judged = {one.what: one for one in goals.judge(Results(RECORDS))}
    assert list(judged) == [
        "cached rows: Part in memory, write + read",
        "cached rows: Part in memory, bytes",
        "shuffles of case classes: join, 8 partitions",
        "shuffles of case classes: join, 8 partitions, bytes",
        "objects that serow leaves to Kryo: Stamp in memory",
    ]
    # Kryo takes 3 and 6 s in the two rounds, serow 1.5 and 1.7 s.
    figures = [one.figure for one in judged.values()]
    assert figures[:3] == ["2.00x (2.00 to 3.53)", "0.40", "1.10x (1.10 to 1.10)"]
    assert figures[3:] == ["0.70", "0.98x (0.98 to 0.98)"]
    assert [one.verdict for one in judged.values()] == ["met", "met", "MISSED", "MISSED", "met"]


def test_the_tables_hold_goals_times_bytes_and_who_is_faster() -> None:
    found = Results(RECORDS)
    text = re.sub(" +", " ", page.tables(HEADER, found, list(goals.judge(found))))
    assert "- CPU: made up" in text
    assert "| cached rows: Part in memory, bytes | <= 0.5 | 0.40 | met |" in text
    assert "| | Kryo, registered | serow, registered | serow | Fory, by our wrapper |" in text
    assert "| Part in memory: write | 2,000 | 1,000 | 1,500 | 500 |" in text
    assert "| Part in memory: write | 250 | 250 | 250 | 250 |" in text
    assert "| Part in memory: write | 1 | 0 | 0 | 1 |" in text
    assert "| Part in memory: read | 1,000 | 500 | 500 | left out |" in text
    assert "| cached rows: Part in memory, write | Fory, by our wrapper | 500 | 1,000 |" in text
    assert "| cached rows: Part in memory, read | serow |" not in text
    assert text.count("(spark-jvm-cache.svg)") == 1


def test_there_is_a_plot_of_each_group_that_was_measured(tmp_path: Path) -> None:
    for name in ("a", "b"):
        plots.draw(tmp_path / name, Results(RECORDS))
    first = {path.name: path.read_text() for path in (tmp_path / "a").iterdir()}
    assert first == {path.name: path.read_text() for path in (tmp_path / "b").iterdir()}
    assert set(first) == {plots.NAMES[group] for group in ("cache", "shuffle", "kryo")}
    assert "0.25 (0.5 s)" in first["spark-jvm-cache.svg"]


def test_results_know_the_steps_of_a_job() -> None:
    found = Results(RECORDS)
    steps = found.of_job(*PART, "serow, registered")
    assert [one.key.step for one in steps] == ["write", "read"]
    assert [one.least for one in steps] == [1.0, 0.5]
    assert steps[0].median == 1.05
