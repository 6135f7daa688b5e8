import re
from dataclasses import replace
from pathlib import Path

from large import page, results
from large.compressors import ZSTD
from large.contestants import PICKLE_ONE, RECORDS_ONE
from large.goals import Judge
from large.results import ENCODE, Key
from large.tests import some_results
from large.workloads import statuses


def test_bytes_and_times_are_in_one_line() -> None:
    text = re.sub(" +", " ", page.tables(some_results.HEADER, some_results.results()))
    assert "## lineitem, 1,000 rows: bytes and milliseconds" in text
    assert "| serow | 30,000 | 0.60 | 10 | 10 | 10 |" in text
    assert "| Parquet, zstd | 50,000 | 1.00 | 80 | 80 | 80 |" in text
    assert "## 1,000 map statuses of 500 blocks: bytes and milliseconds" in text
    assert "| pickle, one step | 50,000 | 80 | 80 | 50,000 | 80 | 80 |" in text
    assert "| stream: read | 2 GB | 1,000 | 2 | 0.00 | 1,000 | 300 MB |" in text


def test_losses_are_goals_that_are_missed() -> None:
    found = {one.what: one for one in Judge(some_results.results()).goals()}
    size = found["Part: bytes of frames, over Parquet's with zstd"]
    assert (size.figure, size.wanted, size.verdict) == ("0.600x", "<= 1.4x", "met")
    faster = found["lineitem: decode of frames, zstd, against Parquet with zstd"]
    assert (faster.figure, faster.verdict) == ("4.00x (4.00 to 4.00)", "met")
    memory = found["stream through a pipe: most memory of the process that reads"]
    assert (memory.figure, memory.verdict) == ("300 MB", "MISSED")
    speed = found["stream through a pipe: speed, over the slower direction of single messages"]
    assert (speed.figure, speed.verdict) == ("0.50x (0.50 to 0.50)", "MISSED")


def test_two_steps_are_compared_with_the_faster_way_of_one_step() -> None:
    all_results = dict(some_results.results())
    for name in (RECORDS_ONE, PICKLE_ONE):
        key = Key(statuses(5), name, ZSTD, ENCODE)
        changed = {**all_results, key: replace(all_results[key], rounds=(0.03, 0.045))}
        line = f"map statuses of 5 blocks, zstd: encode in two steps, against {name}"
        found = {one.what: one for one in Judge(changed).goals()}
        assert (found[line].figure, found[line].verdict) == ("1.50x (1.50 to 1.50)", "MISSED")


def test_the_csv_gives_back_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "new" / "large.csv"
    results.write(path, some_results.HEADER, some_results.records())
    assert results.read(path) == (some_results.HEADER, some_results.results())
