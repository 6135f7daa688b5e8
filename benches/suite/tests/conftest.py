"""The tables that tests read rows from."""

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

import pytest

from demo import part
from suite import tables as wider_tables
from suite.workloads import OTHERS, PART


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """Returns a small table of each workload. Workloads with random numbers have none."""
    folder = tmp_path_factory.mktemp("data")
    parts = part.generate(Decimal("0.001"), folder)
    nowhere = {workload.name: Path("no table") for workload in OTHERS}
    return {PART.name: parts, **nowhere, **wider_tables.wider(folder, parts, 1500)}
