"""Streams between Python and `python_peer.py`, which takes the part of the JVM."""

import sys
from decimal import Decimal
from pathlib import Path

import pytest

from demo import part, report, streams
from demo.errors import DemoError
from demo.streams import Streamed, Times

PEER = str(Path(__file__).with_name("python_peer.py"))


def stream(data: Path, behaviour: str, monkeypatch: pytest.MonkeyPatch) -> list[Streamed]:
    monkeypatch.setattr(streams, "CONTESTANT", behaviour)
    table = part.generate(Decimal("0.001"), data)
    return streams.stream(table, [sys.executable, PEER], rounds=2)


def test_rows_come_back_by_compressed_files(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = stream(data, "pickle", monkeypatch)
    assert [one.compression for one in found] == ["none", "lz4", "zstd"]
    assert {one.rows for one in found} == {200}
    plain, lz4, zstd = (one.python_bytes for one in found)
    assert plain > lz4 > zstd > 0
    for one in found:
        assert one.java_bytes == one.python_bytes
        assert one.fastest.java_read == one.fastest.java_write == 1e-6
        assert min(one.fastest.python_write, one.fastest.python_read) > 0


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        ("loses-a-row", "200 rows were sent, the JVM has 199"),
        ("changes-a-type", "the digests of the rows differ"),
        ("streams-another-row", "streams, none, JVM to Python: row 0, field 8"),
    ],
)
def test_a_changed_row_is_an_error(
    data: Path, monkeypatch: pytest.MonkeyPatch, behaviour: str, message: str
) -> None:
    with pytest.raises(DemoError, match=message):
        stream(data, behaviour, monkeypatch)


def test_the_table_has_sizes_and_milliseconds() -> None:
    times = Times(0.001, 0.002, 0.25, 0.004)
    same, other = (
        Streamed("none", 2000, 108_000, 108_000, times),
        Streamed("zstd", 2000, 44_000, 44_500, times),
    )
    lines = report.streams([same, other]).splitlines()
    assert lines[1].split() == ["none", "2,000", "108,000", "1.00", "2.00", "250", "4.00"]
    assert "44,000 / 44,500" in lines[2]
