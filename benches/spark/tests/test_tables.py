"""What is made of results: the CSV, the goals, the tables, the plots."""

import re
from pathlib import Path

from spark import goals, page, plots, results
from spark.results import Results
from spark.tests.made_up import HEADER, RECORDS


def test_the_csv_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "new" / "spark.csv"
    results.write(path, HEADER, RECORDS)
    assert results.read(path) == (HEADER, RECORDS)
    assert "1,text,count,stock,seconds,1.0000,1.1000,1.0000 1.2000" in path.read_text()


def test_goals_are_judged_at_every_scale_and_beside_whom_they_name() -> None:
    judged = {one.job: one for one in goals.judge(Results(RECORDS))}
    assert list(judged) == [
        "text, SF=1: count",
        "text, SF=4: count",
        "cached RDD, SF=1: join and sort",
        "cached RDD, SF=1: join and sort, against marshal",
        "DataFrame: collect()",
        "DataFrame: collect(), gc off",
        "Python UDF: f(struct of two)",
        "Spark Connect: collect()",
    ]
    count = judged["text, SF=1: count"]
    assert (count.reached, count.slow, count.fast) == ("2.00x (1.50 to 2.00)", "1.00", "0.50")
    missed = [job for job, one in judged.items() if not one.is_met]
    assert missed == ["text, SF=4: count", "cached RDD, SF=1: join and sort, against marshal"]


def test_the_tables_hold_goals_and_everyones_seconds() -> None:
    found = Results(RECORDS)
    text = re.sub(" +", " ", page.tables(HEADER, found, list(goals.judge(found))))
    assert "- CPU: made up" in text
    assert "| text, SF=4: count | >= 1.7x | 1.60x (1.60 to 1.60) | MISSED | 4.00 | 2.50 |" in text
    assert "| | stock | serow | DataFrame |" in text
    assert "| | stock | serow | toPandas | stock, gc off | serow, gc off |" in text
    assert "| text, SF=4: count | DataFrame | 0.25 | 2.50 |" in text
    assert "| DataFrame: collect() | toPandas | 1.00 | 2.00 |" in text
    assert text.count("(spark-text.svg)") == 1
    assert "| collect() | 5.00 | 2.00 | 1.00 | 4.50 | 1.50 |" in text


def test_there_is_a_plot_of_each_group_that_was_measured(tmp_path: Path) -> None:
    for name in ("a", "b"):
        plots.draw(tmp_path / name, Results(RECORDS))
    first = {path.name: path.read_text() for path in (tmp_path / "a").iterdir()}
    assert first == {path.name: path.read_text() for path in (tmp_path / "b").iterdir()}
    assert set(first) == set(plots.NAMES.values())
    assert "0.40 (2.00 s)" in first["spark-dataframe.svg"]
    # The largest scale.
    assert "SF=4: count" in first["spark-text.svg"]
    assert "SF=1: count" not in first["spark-text.svg"]
    plots.draw(tmp_path / "c", Results(RECORDS[:2]))
    assert [path.name for path in (tmp_path / "c").iterdir()] == ["spark-text.svg"]
