"""What all tests share: hypothesis profiles, and the modes of object access."""

import atexit
import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

# Before serow is imported: tests and the programs that they start leave the user's cache alone.
os.environ["SEROW_CACHE_DIR"] = tempfile.mkdtemp(prefix="serow-tests-")
atexit.register(shutil.rmtree, os.environ["SEROW_CACHE_DIR"], ignore_errors=True)

import pytest  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402
from serow import _native  # noqa: E402

# What these assert for tests is to be shown as fully as what tests assert themselves.
pytest.register_assert_rewrite("foreign", "leaks", "objects")

GOLDEN = Path(__file__).parents[2] / "tests" / "golden"
sys.path.insert(0, str(GOLDEN))

# Object access is switched once a test and not once an example, which is what the third check is
# about; and values that were to have too many leaves are drawn again, which the last counts.
_LAX = [
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.function_scoped_fixture,
    HealthCheck.filter_too_much,
]
settings.register_profile("quick", max_examples=40, deadline=None, suppress_health_check=_LAX)
settings.register_profile("brief", max_examples=6, deadline=None, suppress_health_check=_LAX)
settings.register_profile("long", max_examples=5_000, deadline=None, suppress_health_check=_LAX)
settings.load_profile(os.environ.get("SEROW_TEST_PROFILE", "quick"))


# Where there is no PySpark, there is nothing to test in it.
collect_ignore = [] if importlib.util.find_spec("pyspark") else ["spark"]


@pytest.fixture(params=["direct", "c-api"])
def access(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run the test with objects accessed directly, and again through the C API."""
    before = _native.object_access()
    if _native.object_access(request.param == "c-api") != request.param:
        pytest.skip("direct access is not proven for this Python")
    yield request.param
    _native.object_access(before == "c-api")


@pytest.fixture(params=["frame", "row"])
def wire(request: pytest.FixtureRequest) -> str:
    """Run the test in both wires."""
    return request.param
