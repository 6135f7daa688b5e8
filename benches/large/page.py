"""Makes tables of the CSV, so that both are of the same run."""

from collections.abc import Iterator, Mapping, Sequence

from large.compressors import GZIP, NONE, ZSTD
from large.contestants import LINE_UPS, PARQUET, SEROW
from large.results import (
    DECODE,
    ENCODE,
    KEPT,
    MESSAGE,
    READ,
    STREAM,
    WRITE,
    Key,
    Record,
    Results,
)
from large.settings import BLOCKS
from large.workloads import LINEITEM, PART, statuses
from parallel.goals import compressed
from parallel.page import milliseconds
from suite.page import markdown


def tables(header: Mapping[str, str], results: Results) -> str:
    """Returns all tables in Markdown."""
    return "\n\n".join(_sections(header, results))


def _sections(header: Mapping[str, str], results: Results) -> Iterator[str]:
    yield "## The run\n\n" + "\n".join(f"- {name}: {value}" for name, value in header.items())
    for workload in (PART, LINEITEM):
        rows = results[Key(workload, SEROW, NONE, ENCODE)].rows
        title = f"## {workload}, {rows:,} rows: bytes and milliseconds"
        yield f"{title}\n\n{_formats(results, workload)}"
    for blocks in BLOCKS:
        workload = statuses(blocks)
        rows = next(one.rows for key, one in results.items() if key.workload == workload)
        title = f"## {rows:,} map statuses of {workload}: bytes and milliseconds"
        yield f"{title}\n\n{_steps(results, workload)}"
    yield f"## A stream through a pipe, and single messages\n\n{_streams(results)}"


def _formats(results: Results, workload: str) -> str:
    parquet = results[Key(workload, PARQUET, ZSTD, ENCODE)].bytes
    lines = []
    for name, compressions in LINE_UPS[workload].items():
        for compression in compressions:
            encode, decode, kept = (
                results[Key(workload, name, compression, verb)] for verb in (ENCODE, DECODE, KEPT)
            )
            lines.append(
                (
                    f"{name}{compressed(compression)}",
                    f"{encode.bytes:,}",
                    f"{encode.bytes / parquet:.2f}",
                    *(milliseconds(one.least) for one in (encode, decode, kept)),
                )
            )
    headings = ("", "bytes", "of Parquet, zstd", "encode", "decode", "decode, memory kept")
    return markdown(headings, lines)


def _steps(results: Results, workload: str) -> str:
    lines = []
    for name in LINE_UPS[workload]:
        cells = []
        for compression in (ZSTD, GZIP):
            encode, decode = (
                results[Key(workload, name, compression, verb)] for verb in (ENCODE, DECODE)
            )
            times = (milliseconds(one.least) for one in (encode, decode))
            cells += [f"{encode.bytes:,}", *times]
        lines.append((name, *cells))
    headings = [""]
    for compression in (ZSTD, GZIP):
        headings += [f"{compression}: bytes", "encode", "decode"]
    return markdown(headings, lines)


def _streams(results: Results) -> str:
    lines = []
    for workload, verbs in ((STREAM, (WRITE, READ)), (MESSAGE, (ENCODE, DECODE))):
        for verb in verbs:
            one = results[Key(workload, SEROW, NONE, verb)]
            lines.append((f"{workload}: {verb}", *_cells(one)))
    headings = ("", "bytes", "rows", "seconds", "million rows/s", "MB/s", "most memory")
    return markdown(headings, lines)


def _cells(one: Record) -> Sequence[str]:
    return (
        f"{one.bytes / 1e9:.3g} GB",
        f"{one.rows:,}",
        f"{one.least:.3g}",
        f"{one.rows / one.least / 1e6:.2f}",
        f"{one.bytes / one.least / 1e6:,.0f}",
        f"{one.memory / 1e6:,.0f} MB",
    )
