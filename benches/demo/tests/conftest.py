"""The table that all runs of the demo read."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder in which the first run generates the table."""
    return tmp_path_factory.mktemp("data")
