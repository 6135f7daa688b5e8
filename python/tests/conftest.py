"""Common setup of all tests: hypothesis profiles, and the two kinds of object access."""

import atexit
import gc
import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

# Set this before serow is imported, so that tests and their child processes leave the user's cache
# alone.
os.environ["SEROW_CACHE_DIR"] = tempfile.mkdtemp(prefix="serow-tests-")
atexit.register(shutil.rmtree, os.environ["SEROW_CACHE_DIR"], ignore_errors=True)

import pytest  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402
from serow import _native, _registered  # noqa: E402

# Show failed assertions of these modules in as much detail as those of tests.
pytest.register_assert_rewrite("foreign", "leaks", "objects")

GOLDEN = Path(__file__).parents[2] / "tests" / "golden"
LIMITS = GOLDEN.with_name("limits")
sys.path[:0] = [str(GOLDEN), str(LIMITS)]

# Health checks to disable. Object access is switched once per test and not once per example, which
# the third check reports. Values with too many leaves are drawn again, which the last check counts.
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


def pytest_collection_finish() -> None:
    """Leave the test modules and their libraries out of garbage collections.

    Many tests collect garbage again and again, and each time would walk through these objects.
    """
    gc.collect()
    gc.freeze()


# Skip the tests of PySpark if it is not installed.
collect_ignore = [] if importlib.util.find_spec("pyspark") else ["spark"]
# Skip the tests of compiled code if this build has no compiler.
if not _native.HAS_COMPILER:
    collect_ignore += ["test_bailout.py", "test_cache.py", "test_compiler.py"]
    collect_ignore += [path.name for path in Path(__file__).parent.glob("test_compiled*.py")]


@pytest.fixture
def restored_classes() -> Iterator[None]:
    """Forget afterwards what the test has registered."""
    before = dict(_registered.CLASSES)
    yield
    _registered.CLASSES.clear()
    _registered.CLASSES.update(before)
    if "serow._annotations" in sys.modules:
        sys.modules["serow._annotations"].cached_codec.cache_clear()


@pytest.fixture(params=["direct", "c-api"])
def access(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run the test with direct access to objects, and again through the C API."""
    before = _native.object_access()
    if _native.object_access(request.param == "c-api") != request.param:
        pytest.skip("direct access is not proven for this Python")
    yield request.param
    _native.object_access(before == "c-api")


@pytest.fixture(params=["frame", "row"])
def wire(request: pytest.FixtureRequest) -> str:
    """Run the test in both wires."""
    return request.param
