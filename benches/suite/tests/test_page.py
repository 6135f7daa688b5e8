import re
from pathlib import Path

import pytest

from demo.errors import DemoError
from suite import page
from suite.goals import Judge
from suite.tests.some_results import HEADER, results


def tables() -> str:
    return page.tables(HEADER, results(), list(Judge(HEADER, results()).goals()))


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
    assert "| Python: msgspec, typed tuples | 2.20 (2.20 to 2.20) | 1.10 (1.10 to 1.10) |" in text
    assert "| JVM: Kryo registered, classes |" in text
    assert "### By scale factor" not in text


def test_a_terminal_gets_no_rules() -> None:
    assert "|--" not in page.plain(tables())
    assert page.plain("| goals | n |\n|-----|--:|\n| a | 1 |") == "| goals | n |\n| a | 1 |"


def test_tables_are_put_between_their_marks(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(f"before\n\n{page.BEGIN}\n\nold\n\n{page.END}\n\nafter\n")
    page.update(path, "new")
    assert path.read_text() == f"before\n\n{page.BEGIN}\n\nnew\n\n{page.END}\n\nafter\n"
    path.write_text("no marks")
    with pytest.raises(DemoError, match="has lost the marks"):
        page.update(path, "new")
