import re
from pathlib import Path

import pytest

from suite import page
from suite.goals import Judge
from suite.results import Record
from suite.tests.some_results import HEADER, encode, results


def tables(*more: Record) -> str:
    found = results(*more)
    return page.tables(HEADER, found, list(Judge(HEADER, found).goals()))


def test_a_table_is_aligned_in_its_source() -> None:
    lines = [("one", "1"), ("three", "3,000")]
    assert page.markdown(("name", "n"), lines).splitlines() == [
        "| name  |     n |",
        "|-------|------:|",
        "| one   |     1 |",
        "| three | 3,000 |",
    ]


def test_the_tables_hold_figures_and_ratios() -> None:
    text = re.sub(" +", " ", tables())
    assert "- CPU: made up" in text
    assert "| Python: msgspec, typed | 2.20 (2.20 to 2.20) | 1.10 (1.10 to 1.10) |" in text
    assert "| JVM: Kryo registered, classes |" in text
    assert "## By scale factor" not in text


def test_loops_have_a_table_once_they_are_measured() -> None:
    assert "in a loop" not in tables().partition("## Python")[2]
    more = [
        encode("Python", "msgspec", work, nanoseconds)
        for work, nanoseconds in (("encode-dropped", 90), ("decode-kept", 210))
    ]
    text = re.sub(" +", " ", tables(*more))
    assert "## Python, Part at SF=1, in a loop that drops each result" in text
    assert "| msgspec, typed | 90 | | 210 | 7.0 |" in text


def test_the_wider_rows_have_tables_of_their_own_once_they_are_measured() -> None:
    assert "## Python, lineitem" not in tables()
    more = [
        encode("Python", name, f"{verb}-fresh", nanoseconds, workload="lineitem")
        for name, nanoseconds in (("serow-frame", 100), ("cbor2", 500))
        for verb in ("encode", "decode")
    ]
    text = re.sub(" +", " ", tables(*more))
    assert "## Python, lineitem: ns a row" in text
    assert "| cbor2 | 500 | | | | 500 | | | 5.0 |" in text
    assert "| cbor2 | | 5.00 (5.00 to 5.00) | 5.00 (5.00 to 5.00) |" in text
    assert "## JVM, lineitem" not in text
    assert "nested rows: ns" not in text
    # And Part's tables have no line for entrants that don't support it.
    assert text.count("cbor2") == 2


def test_a_terminal_gets_no_rules() -> None:
    assert "|--" not in page.plain(tables())
    assert page.plain("| goals | n |\n|-----|--:|\n| a | 1 |") == "| goals | n |\n| a | 1 |"


def test_tables_are_printed_and_written_beside_their_csv(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page.publish(tmp_path / "some.csv", "rows", "make bench", "| a | 1 |\n|---|--:|\n| b | 2 |")
    text = (tmp_path / "some.md").read_text()
    assert text.startswith("# Measured: rows\n\n`make bench` writes this file")
    assert text.endswith("\n\n| a | 1 |\n|---|--:|\n| b | 2 |\n")
    assert capsys.readouterr().out.startswith("| a | 1 |\n| b | 2 |\n")
