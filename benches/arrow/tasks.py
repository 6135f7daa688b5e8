"""The tasks, each as its contestants do it best. Every result is checked before it is measured."""

import io
import pickle
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import duckdb
import msgspec
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import serow

from arrow.contests import SEROW
from arrow.data import CLASSES, NAMES

Work = Callable[[], Any]


def task(what: str, who: str, name: str, rows: Sequence[Any]) -> Work:
    """Returns what a contestant does with the rows, after it has given the right result once."""
    work, seen, expected = _TASKS[what](who, name, rows)
    got = seen(work())
    if got != expected:
        raise ValueError(f"{what}, {who}: the result differs from the rows")
    return work


Made = tuple[Work, Callable[[Any], Any], Any]
"""The work, what of its result is compared, and what that must be."""


def _table(name: str, rows: Sequence[Any]) -> pa.Table:
    """Returns pyarrow's table of tuples."""
    columns = zip(*rows, strict=True)
    return pa.table([pa.array(column) for column in columns], names=NAMES[name])


def _objects(name: str, rows: Sequence[Any]) -> list[Any]:
    return [CLASSES[name](*row) for row in rows]


def _dicts(name: str, rows: Sequence[Any]) -> list[dict[str, Any]]:
    return [dict(zip(NAMES[name], row, strict=True)) for row in rows]


def _tuples(table: Any) -> list[Any]:
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


def _tuples_to_arrow(who: str, name: str, rows: Sequence[Any]) -> Made:
    if who == SEROW:
        return lambda: pa.table(serow.to_arrow(rows)), _tuples, rows
    return lambda: _table(name, rows), _tuples, rows


def _dicts_to_arrow(who: str, name: str, rows: Sequence[Any]) -> Made:
    dicts = _dicts(name, rows)
    if who == SEROW:
        return lambda: pa.table(serow.to_arrow(dicts)), lambda table: table.to_pylist(), dicts
    return lambda: pa.Table.from_pylist(dicts), lambda table: table.to_pylist(), dicts


def _objects_to_polars(who: str, name: str, rows: Sequence[Any]) -> Made:
    objects = _objects(name, rows)
    if who == SEROW:
        return lambda: pl.DataFrame(serow.to_arrow(objects)), lambda frame: frame.rows(), rows
    # Of a class with decimals, Polars wants to know their scale.
    first = zip(NAMES[name], rows[0], strict=True)
    scales: Any = {each: pl.Decimal(38, 2) for each, v in first if isinstance(v, Decimal)}
    made = lambda: pl.DataFrame(objects, schema_overrides=scales)  # noqa: E731
    return made, lambda frame: frame.rows(), rows


def _tuples_to_duckdb(who: str, name: str, rows: Sequence[Any]) -> Made:
    connection = duckdb.connect()
    connection.register("given", _table(name, rows[:1]))
    connection.sql("create table made as from given limit 0")
    places = ", ".join("?" * len(NAMES[name]))

    def by_arrow() -> Any:
        connection.sql("delete from made")
        connection.register("stream", serow.to_arrow(rows))
        connection.sql("insert into made from stream")
        return connection

    def one_by_one() -> Any:
        connection.sql("delete from made")
        connection.executemany(f"insert into made values ({places})", rows)
        return connection

    work = by_arrow if who == SEROW else one_by_one
    return work, lambda made: made.sql("from made").fetchall(), list(rows)


def _arrow_to_tuples(who: str, name: str, rows: Sequence[Any]) -> Made:
    table = _table(name, rows)
    if who == SEROW:
        return lambda: serow.from_arrow(table, type=tuple), list, rows
    return lambda: _tuples(table), list, rows


def _arrow_to_dicts(who: str, name: str, rows: Sequence[Any]) -> Made:
    table = _table(name, rows)
    if who == SEROW:
        return lambda: serow.from_arrow(table), list, _dicts(name, rows)
    return lambda: table.to_pylist(), list, _dicts(name, rows)


def _arrow_to_objects(who: str, name: str, rows: Sequence[Any]) -> Made:
    table, kind = _table(name, rows), CLASSES[name]
    if who == SEROW:
        return lambda: serow.from_arrow(table, type=kind), list, _objects(name, rows)
    return lambda: [kind(*row) for row in _tuples(table)], list, _objects(name, rows)


def _polars_to_tuples(who: str, name: str, rows: Sequence[Any]) -> Made:
    frame = pl.DataFrame(_table(name, rows))
    if who == SEROW:
        return lambda: serow.from_arrow(frame, type=tuple), list, rows
    return lambda: frame.rows(), list, rows


def _duckdb_to_tuples(who: str, name: str, rows: Sequence[Any]) -> Made:
    connection = duckdb.connect()
    connection.register("given", _table(name, rows))
    connection.sql("create table made as from given")
    if who == SEROW:
        return lambda: serow.from_arrow(connection.sql("from made"), type=tuple), list, rows
    return lambda: connection.sql("from made").fetchall(), list, rows


def _frames_to_arrow(who: str, name: str, rows: Sequence[Any]) -> Made:
    table = _table(name, rows)
    if who == SEROW:
        codec = serow.Codec.infer(rows, compression="zstd")
        message = codec.encode(rows)
        return lambda: pa.table(codec.decode_arrow(message)), _tuples, rows
    file = io.BytesIO()
    pq.write_table(table, file, compression="zstd")
    written = file.getvalue()
    read = lambda: pq.read_table(io.BytesIO(written), use_threads=False)  # noqa: E731
    return read, _tuples, rows


def _arrow_to_values(who: str, name: str, rows: Sequence[Any]) -> Made:
    array = pa.array(rows)
    if name == "dictionaries":
        array = array.dictionary_encode()
    if who == SEROW:
        return lambda: serow.from_arrow(array), list, rows
    return lambda: array.to_pylist(), list, rows


def _arrays(who: str, name: str, rows: Sequence[Any]) -> Made:
    lists = [(number, array.tolist()) for number, array in rows]
    seen = lambda back: [(number, list(array)) for number, array in back]  # noqa: E731
    if who == SEROW:
        return lambda: serow.loads(serow.dumps(rows), arrays="numpy"), seen, lists
    if who == "msgspec of lists":
        return lambda: msgspec.msgpack.decode(msgspec.msgpack.encode(lists)), seen, lists

    def by_pickle() -> Any:
        buffers: list[pickle.PickleBuffer] = []
        message = pickle.dumps(rows, protocol=5, buffer_callback=buffers.append)
        return pickle.loads(message, buffers=buffers)

    return by_pickle, seen, lists


_TASKS: dict[str, Callable[[str, str, Sequence[Any]], Made]] = {
    "tuples to arrow": _tuples_to_arrow,
    "dicts to arrow": _dicts_to_arrow,
    "objects to polars": _objects_to_polars,
    "tuples to duckdb": _tuples_to_duckdb,
    "arrow to tuples": _arrow_to_tuples,
    "arrow to dicts": _arrow_to_dicts,
    "arrow to objects": _arrow_to_objects,
    "polars to tuples": _polars_to_tuples,
    "duckdb to tuples": _duckdb_to_tuples,
    "frames to arrow": _frames_to_arrow,
    "arrow to values": _arrow_to_values,
    "arrays, pickle 5 with buffers": _arrays,
    "arrays, msgspec of lists": _arrays,
}
