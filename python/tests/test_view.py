"""Views: rows, slices, columns and parts of fields, of bytes, files and several of them."""

import io
import pickle
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import pytest
import serow
from hypothesis import given
from hypothesis import strategies as st

pytestmark = pytest.mark.once

ROWS = [(n, f"no {n}", n / 4, n % 3 == 0, None if n % 5 == 0 else n) for n in range(1000)]
WIRES = ["frame", "row"]


def streamed(*pieces: Iterable[Any], **options: Any) -> bytes:
    file = io.BytesIO()
    with serow.Writer(file, **options) as writer:
        for rows in pieces:
            writer.write_rows(rows)
            writer.flush()
    return file.getvalue()


@pytest.fixture(params=["stream of frames", "stream of records", "message"])
def data(request: pytest.FixtureRequest) -> bytes:
    """Give ROWS, in several frames if they are a stream."""
    if request.param == "message":
        return serow.dumps(ROWS)
    wire = "row" if request.param.endswith("records") else "frame"
    return streamed(ROWS[:7], ROWS[7:8], ROWS[8:300], ROWS[300:], wire=wire, compression="zstd")


class Part(NamedTuple):
    key: int
    name: str


@given(st.data())
def test_slices_are_those_of_a_list(draw: st.DataObject) -> None:
    data = streamed(ROWS[:7], ROWS[7:8], ROWS[8:300], ROWS[300:])
    view, rows = serow.view(data), ROWS
    for _ in range(draw.draw(st.integers(1, 3))):
        part = draw.draw(st.slices(len(rows)))
        view, rows = view[part], rows[part]
        assert list(view) == rows
        assert view == rows
        assert view != [*rows, None]
        assert [row for frame in view.frames for row in frame] == list(range(len(rows)))
        keys = [row[0] for row in rows]
        assert numpy.asarray(view.column(0)).tolist() == keys
        assert [view.column(0)[n] for n in range(0, len(rows), 97)] == keys[::97]


def test_columns_and_parts_of_tuples(data: bytes) -> None:
    view = serow.view(data)
    for field in range(5):
        column = view.column(field)
        wanted = [row[field] for row in ROWS]
        assert list(column) == wanted
        assert [column[n] for n in (0, 999, 7, 8, -1)] == [wanted[n] for n in (0, 999, 7, 8, -1)]
        assert numpy.asarray(column).tolist() == wanted
    part = serow.view(data, fields=[3, 0])
    assert list(part) == [(row[0], row[3]) for row in ROWS]
    assert part[500] == (500, False)
    kinds = [numpy.asarray(view.column(field)).dtype for field in range(5)]
    assert kinds == [numpy.int64, object, numpy.float64, numpy.bool_, object]


def test_columns_and_parts_of_dicts_and_records() -> None:
    dicts = [{"a": n, "b": f"{n}"} if n % 3 else {"a": n, "c": [n]} for n in range(200)]
    for wire in WIRES:
        data = streamed(dicts[1:3], dicts[:100], dicts[100:], wire=wire)
        view = serow.view(data)
        rows = [*dicts[1:3], *dicts]
        for name in "abc":
            assert list(view.column(name)) == [row.get(name) for row in rows]
        part = [{name: row[name] for name in "ac" if name in row} for row in rows]
        assert list(serow.view(data, fields=["c", "a"])) == part
        parts = serow.dumps([Part(n, f"{n}") for n in range(100)], wire=wire)
        assert list(serow.view(parts).column("key")) == list(range(100))
        names = [row.name for row in serow.view(parts, fields=["name"])]
        assert names == [f"{n}" for n in range(100)]
        assert serow.view(parts, type=Part)[99] == Part(99, "99")
        assert serow.view(parts, type=Part).column("name")[99] == "99"


def test_arrays_of_numpy() -> None:
    moment = datetime(2026, 12, 1, 10, 30, 0, 7)
    rows = [(moment, timedelta(seconds=n), 2**53 + n) for n in range(3)]
    view = serow.view(streamed(rows, [(moment, timedelta(0), 0.5)]))
    assert numpy.asarray(view.column(0)).tolist() == [moment] * 4
    assert numpy.asarray(view.column(1)).dtype == "<m8[us]"
    # No float has each of these integers.
    mixed = numpy.asarray(view.column(2))
    assert (mixed.dtype, mixed.tolist()) == (object, [2**53, 2**53 + 1, 2**53 + 2, 0.5])
    assert numpy.asarray(view[3:].column(2), "f4").tolist() == [0.5]
    assert numpy.asarray(view[:0].column(2)).tolist() == []
    assert numpy.array(view[:3].column(2)).flags.writeable
    assert not numpy.asarray(view[:3].column(2), copy=False).flags.writeable
    assert [array.dtype for array in view.column(2).arrays()] == [numpy.int64, object]
    with pytest.raises(ValueError, match="in several pieces"):
        numpy.asarray(view.column(1), copy=False)


def test_several_files_are_one(tmp_path: Path) -> None:
    paths = [tmp_path / f"{n}.srow" for n in range(3)]
    for path, rows in zip(paths, (ROWS[:10], [], ROWS[10:500]), strict=True):
        path.write_bytes(streamed(rows))
    many = [*paths, serow.dumps(ROWS[500:])]
    with serow.view(many) as view:
        assert list(view) == ROWS
        assert [view[n] for n in (0, 9, 10, 499, 500, -1)] == [
            ROWS[n] for n in (0, 9, 10, 499, 500, -1)
        ]
        assert view.schema == serow.schema_of(serow.dumps(ROWS))
        again = pickle.loads(pickle.dumps(view[5:800].column(1)))
        assert list(again) == [row[1] for row in ROWS[5:800]]
        assert repr(view) == "<serow.View of 1000 rows of 4 files>"
    damaged = bytearray(paths[2].read_bytes())
    damaged[100] ^= 1
    paths[2].write_bytes(damaged)
    with serow.view(paths) as view, pytest.raises(serow.DecodeError) as caught:
        view[10]
    assert str(caught.value).startswith(f"{paths[2]}, at its byte 32: frame 1 (at byte ")


def test_mistakes_are_told(data: bytes) -> None:
    view = serow.view(data)
    with pytest.raises(serow.SchemaError, match="have no field 5"):
        view.column(5)
    with pytest.raises(serow.SchemaError, match="have no field price"):
        serow.view(data, fields=[0, "price"])
    with pytest.raises(
        TypeError, match="by its name, or by its number from 0 in a tuple, not by list"
    ):
        view.column([0])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="leave out fields, or the type"):
        serow.view(data, fields=[0], type=tuple[int, str])  # type: ignore[call-overload]
    with pytest.raises(IndexError, match="there is no row 1000: the view has 1000"):
        view[1000]
    with pytest.raises(TypeError, match="does not pickle"):
        pickle.dumps(serow.view(io.BytesIO(data)))
    with pytest.raises(serow.LimitError):
        serow.view(data, max_memory=10)[0]


def test_json_has_the_rows_as_they_were_written() -> None:
    data = serow.dumps([{"key": 1, "name": "a"}])
    view = serow.view(data, type=dict[str, int | str])
    assert list(view.json_lines()) == [b'{"key":1,"name":"a"}\n']
    records = serow.dumps([Part(n, "a") for n in range(3)])
    view = serow.view(records, type=serow.Codec("Part{name: str, key: i64}"))
    assert list(view[1:2].json_lines()) == [b'{"key":1,"name":"a"}\n']


def test_a_notebook_shows_the_first_rows() -> None:
    rows = serow.view(serow.dumps([{"n": n, "text": "<b>"} for n in range(1234)]))
    html = rows._repr_html_()
    assert html.startswith(
        "<p>&lt;serow.View of 1234 rows of bytes&gt;</p>"
        "<table><tr><th>n</th><th>text</th></tr><tr><td>0</td><td>&lt;b&gt;</td></tr>"
    )
    assert html.count("<tr>") == 11
    assert html.endswith("</table><p>… and 1,224 more</p>")
    assert "more" not in rows[:10]._repr_html_()
    assert rows[:0]._repr_html_().endswith("<table><tr></tr></table>")


def test_damage_is_seen_where_it_is_touched() -> None:
    data = streamed(ROWS[:5], ROWS[5:10])
    for at in range(len(data)):
        damaged = bytearray(data)
        damaged[at] ^= 1 << at % 8
        with pytest.raises(serow.DecodeError):
            list(serow.view(bytes(damaged)))
        # A damaged schema may have no such field.
        with pytest.raises((serow.DecodeError, serow.SchemaError)):
            numpy.asarray(serow.view(bytes(damaged)).column(0))


@pytest.mark.parametrize("keep", [0, 1 << 30])
def test_few_frames_are_kept(keep: int) -> None:
    file = io.BytesIO(streamed(*(ROWS[n : n + 100] for n in range(0, 1000, 100))))
    view = serow.view(file, keep=keep)
    for n in [0, 150, 1, 151, 999, 0]:
        assert view[n] == ROWS[n]
    file.truncate(40)
    if keep:
        assert view[2] == ROWS[2]
    with pytest.raises(serow.DecodeError, match="shorter"):
        view[500]
