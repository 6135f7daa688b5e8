import gzip
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from demo import part
from demo.compare import first_difference
from demo.rows import Rows
from large.compressors import GZIP, ZSTD, Gzip, Zstd
from large.contestants import LINE_UPS, MAKERS, PARQUET
from large.settings import Settings
from large.steps import PickleRows, SerowRecords
from large.workloads import LINEITEM, PART, WORKLOADS, statuses

ROWS = 1500
"""More than a batch of pickle's."""

SIZE = Settings(ROWS, 100, 1, 0.0, 1.0, 1.0, 1, portion=ROWS)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("tables")
    return {
        PART: part.generate(SIZE.part_scale, folder),
        LINEITEM: part.generate(SIZE.lineitem_scale, folder, "lineitem"),
    }


def rows_of(workload: str, tables: dict[str, Path]) -> Rows:
    return WORKLOADS[workload].make(tables.get(workload, Path("/dev/null")), ROWS)


def all_ways() -> Iterator[Any]:
    for workload, contestants in LINE_UPS.items():
        for name, compressions in contestants.items():
            for compression in compressions:
                yield pytest.param(workload, name, compression)


@pytest.mark.parametrize(("workload", "name", "compression"), list(all_ways()))
def test_rows_come_back_equal(
    workload: str, name: str, compression: str, tables: dict[str, Path]
) -> None:
    if name == PARQUET:
        pytest.importorskip("pyarrow")
    rows = rows_of(workload, tables)
    assert len(rows) == ROWS
    one = MAKERS[name](workload, compression)
    assert first_difference(rows, one.decode(one.encode(rows))) is None


def test_map_statuses_are_the_same_in_each_process() -> None:
    workload = WORKLOADS[statuses(5)]
    rows: list[Any] = workload.make(Path("/dev/null"), 100)
    assert rows == workload.make(Path("/dev/null"), 100)
    assert {len(sizes) for _, _, sizes in rows} == {5}
    assert len({size for _, _, sizes in rows for size in sizes}) > 490


@pytest.mark.parametrize("maker", [SerowRecords, PickleRows])
def test_one_step_makes_one_compressed_stream(maker: type[SerowRecords] | type[PickleRows]) -> None:
    rows = WORKLOADS[statuses(5)].make(Path("/dev/null"), 100)
    plain = io.BytesIO()
    maker(statuses(5), ZSTD).write(rows, plain)
    assert gzip.decompress(maker(statuses(5), GZIP).encode(rows)) == plain.getvalue()
    with io.BufferedReader(
        Zstd().reader(io.BytesIO(maker(statuses(5), ZSTD).encode(rows)))
    ) as read:
        assert read.read() == plain.getvalue()


@pytest.mark.parametrize("compressor", [Zstd(), Gzip()])
def test_a_compressor_leaves_the_buffer_open(compressor: Zstd | Gzip) -> None:
    out = io.BytesIO()
    stream = compressor.writer(out)
    stream.write(b"block" * 1000)
    stream.close()
    assert not out.closed
    assert len(out.getvalue()) < 100
    with io.BufferedReader(compressor.reader(io.BytesIO(out.getvalue()))) as read:
        assert read.read() == b"block" * 1000
