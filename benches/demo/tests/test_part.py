from decimal import Decimal
from pathlib import Path

import pytest

from demo import part
from demo.errors import DemoError


def test_part_is_generated_once_and_parsed_with_exact_types(tmp_path: Path) -> None:
    table = part.generate(Decimal("0.0010"), tmp_path)
    assert table.name == "part-sf0.001.tbl"
    (rows,) = part.portions(table, part.PORTION)
    assert len(rows) == 200
    assert [type(value) for value in rows[0]] == [int, str, str, str, str, int, str, float, str]
    assert len(rows[0]) == len(part.COLUMNS)
    assert rows[0][0] == 1
    assert rows[0][7] == 901.0
    table.write_text("kept")
    assert part.generate(Decimal("0.001"), tmp_path).read_text() == "kept"
    assert list(tmp_path.iterdir()) == [table]


def test_portions_bound_what_is_in_memory(tmp_path: Path) -> None:
    table = part.generate(Decimal("0.001"), tmp_path)
    sizes = [len(rows) for rows in part.portions(table, 70)]
    assert sizes == [70, 70, 60]


@pytest.mark.parametrize("text", ["", "abc", "0", "-1", "nan", "inf", "1e9", "0.00001"])
def test_a_scale_factor_that_makes_no_sense_is_an_error(text: str) -> None:
    with pytest.raises(DemoError, match="SF must be a number"):
        part.parse_scale(text)
