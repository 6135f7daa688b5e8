"""Arrow data that pyarrow ships or makes: files, and arrays of all its types at random."""

import datetime
import re
import types
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, reject, settings
from hypothesis import strategies as st

pa = pytest.importorskip("pyarrow")
past = pytest.importorskip("pyarrow.tests.strategies")
# Where pyarrow can't make a value of a type, it skips the whole test.
past.pytest = types.SimpleNamespace(skip=lambda _: reject())

import serow  # noqa: E402
from pyarrow import feather, orc, parquet  # noqa: E402
from test_arrow import ARRAYS, lines  # noqa: E402

pytestmark = pytest.mark.once

READ = {
    ".feather": feather.read_table,
    ".orc": orc.read_table,
    ".parquet": parquet.read_table,
}
FILES = [file for file in sorted(Path(past.__file__).parent.rglob("*")) if READ.get(file.suffix)]

#: Types that serow lacks: an error names them. `test_arrow.py` has the map, whose values differ.
REFUSED = {"INTERVAL_MONTHS", "INTERVAL_DAY_TIME", "INTERVAL_MONTH_DAY_NANO"}


def plain(value: Any) -> Any:
    """Give a value without pandas' classes and without zones, which pyarrow takes from pytz."""
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        # Keys that serow and pyarrow give are no lists.
        return {plain(key): plain(item) for key, item in value.items()}
    if hasattr(value, "to_pydatetime"):
        value = value.to_pydatetime(warn=False)
    if hasattr(value, "to_pytimedelta"):
        value = value.to_pytimedelta()
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        moment = value.astimezone(datetime.timezone.utc)
        # Of the years before, zoneinfo and pytz may know other rules. pytz also rounds to minutes.
        return moment, value.utcoffset() if moment.year > 1970 else None
    return value


def same(rows: Any, others: Any) -> bool:
    """Tell whether rows are equal, also where they are NaN."""
    return lines(plain(rows)) == lines(plain(others))


def values(data: Any) -> Any:
    """Give the rows as pyarrow reads them; None if Python or pyarrow lacks one of the values."""
    try:
        return data.to_pylist(maps_as_pydicts="strict")
    except (ValueError, OverflowError, KeyError, TypeError, pa.ArrowException):
        return None


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_files_of_others(file: Path) -> None:
    table = READ[file.suffix](file)
    rows = serow.from_arrow(table)
    assert same(rows, values(table))
    again = pa.table(serow.to_arrow(rows))
    again.validate(full=True)
    assert serow.from_arrow(again) == rows
    message = serow.dumps(table)
    assert same(serow.loads(message), rows)


def test_there_are_files() -> None:
    assert {file.suffix for file in FILES} == {*READ}


def test_every_type_of_arrow_is_known() -> None:
    names = {name for name in dir(pa.lib) if name.startswith("Type_")}
    numbers = {getattr(pa.lib, name): name for name in names}
    known = {numbers[array.type.id] for array in ARRAYS.values()}
    assert sorted(names - known) == sorted(f"Type_{name}" for name in {*REFUSED, "MAP"})


@st.composite
def batches(draw: st.DrawFn) -> Any:
    """Draw a batch. pyarrow's strategy can fail itself, when it converts a dictionary or a zone."""
    try:
        return draw(past.all_record_batches)
    except (pa.ArrowException, KeyError):
        reject()


@settings(deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(batches())
def test_batches_at_random(batch: Any) -> None:
    expected = values(batch)
    problem, rows = None, []
    try:
        rows = serow.from_arrow(batch)
    except (serow.SchemaError, serow.DecodeError) as error:
        problem = str(error)
    if problem is not None:
        event("refused")
        # The place, or what Python lacks.
        assert re.search("column|[Nn]ull byte|nanoseconds|keys that are equal", problem)
        return
    if expected is None:
        event("pyarrow lacks a value")
    else:
        event("compared")
        assert same(rows, expected)
    table = pa.table(serow.to_arrow(rows))
    table.validate(full=True)
    assert same(serow.from_arrow(table), rows)
