import hashlib
import math
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
import serow

from demo import part
from suite import tables as wider_tables
from suite.wider import DICTS, LINEITEM, READINGS, WIDER
from suite.workload import Workload
from suite.workloads import OTHERS, PART, WORKLOADS, rows

Tables = Mapping[str, Path]


@pytest.mark.parametrize("workload", [PART, *WIDER], ids=lambda workload: workload.name)
def test_portions_of_a_table_are_the_file_in_pieces(workload: Workload, tables: Tables) -> None:
    table = tables[workload.name]
    whole = rows(workload, table, 0, 200)
    assert len(whole) == 200
    assert rows(workload, table, 0, 150) + rows(workload, table, 150, 50) == whole


@pytest.mark.parametrize("workload", WORKLOADS.values(), ids=WORKLOADS)
def test_rows_are_of_the_schema_and_made_anew(workload: Workload, tables: Tables) -> None:
    table = tables[workload.name]
    made = rows(workload, table, 0, 200)
    assert made == rows(workload, table, 0, 200)
    assert made[0] is not rows(workload, table, 0, 200)[0]
    assert str(serow.Schema.infer(made + workload.tricky)) == workload.schema


def test_every_workload_has_a_name_of_its_own() -> None:
    assert len(WORKLOADS) == 1 + len(OTHERS) + len(WIDER)


def test_a_line_of_each_table_is_the_row_it_says(tables: Tables) -> None:
    assert rows(LINEITEM, tables["lineitem"], 0, 1) == [
        (
            *(1, 1552, 93, 1),
            *map(Decimal, ("17.00", "24710.35", "0.04", "0.02")),
            *("N", "O"),
            *(date(1996, 3, 13), date(1996, 2, 12), date(1996, 3, 22)),
            *("DELIVER IN PERSON", "TRUCK", "egular courts above the"),
        )
    ]
    names = part.COLUMNS
    parts = rows(PART, tables["part"], 0, 200)
    assert rows(DICTS, tables["dicts"], 0, 200) == [
        dict(zip(names, row, strict=True)) for row in parts
    ]


def test_readings_are_the_same_wherever_they_are_written(tables: Tables, tmp_path: Path) -> None:
    text = wider_tables.readings(tmp_path, 1500).read_bytes()
    assert text == tables["readings"].read_bytes()
    assert hashlib.sha256(text).hexdigest().startswith("7d1e86bc32890fb8")
    made = rows(READINGS, tables["readings"], 0, 1500)
    assert any(note is None for *_, note, _, _ in made)
    assert any(samples == [] for _, _, samples, *_ in made)
    for _, _, samples, mean, *_ in made:
        assert mean == (math.fsum(samples) / len(samples) if samples else 0.0)
