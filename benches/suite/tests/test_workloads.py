from decimal import Decimal
from pathlib import Path

import pytest
import serow

from demo import part
from suite.workloads import OTHERS, PART, WORKLOADS, Workload, rows


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return part.generate(Decimal("0.001"), tmp_path_factory.mktemp("data"))


def test_portions_of_part_are_the_file_in_pieces(table: Path) -> None:
    whole = rows(PART, table, 0, 1000)
    assert len(whole) == 200
    assert rows(PART, table, 0, 150) + rows(PART, table, 150, 150) == whole


@pytest.mark.parametrize("workload", WORKLOADS.values(), ids=WORKLOADS)
def test_rows_are_of_the_schema_and_made_anew(workload: Workload, table: Path) -> None:
    made = rows(workload, table, 0, 200)
    assert made == rows(workload, table, 0, 200)
    assert made[0] is not rows(workload, table, 0, 200)[0]
    assert str(serow.Schema.infer(made + workload.tricky)) == workload.schema


def test_every_workload_has_a_name_of_its_own() -> None:
    assert len(WORKLOADS) == 1 + len(OTHERS)
