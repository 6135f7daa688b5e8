"""Errors for what is given in the place of something else: paths, lists, files of other formats."""

import gzip
import io
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import serow


class Part(NamedTuple):
    key: int


DATA = serow.dumps([Part(1)])


@pytest.mark.parametrize("data", ["parts.srow", Path("parts.srow"), io.BytesIO(DATA)], ids=str)
def test_a_path_or_file_in_place_of_bytes(data: Any) -> None:
    for decode in (serow.loads, serow.Codec(Part).decode, serow.Codec(Part).decode_one):
        with pytest.raises(TypeError, match=r"data must be bytes, not \w+; .* use serow\.load$"):
            decode(data)
    assert serow.load(io.BytesIO(DATA)) == [(1,)]
    with pytest.raises(TypeError, match="a bytes-like object is required, not 'int'"):
        serow.loads(5)  # type: ignore[call-overload]


def test_a_list_in_place_of_the_type_of_a_row() -> None:
    of: Any = list[Part]
    for decode in (
        lambda: serow.loads(DATA, type=of),
        lambda: serow.Codec(of).decode(DATA),
        lambda: serow.load(io.BytesIO(DATA), type=of),
    ):
        with pytest.raises(serow.SchemaError, match=r"the rows come as a list; give Part$"):
            decode()
    assert serow.loads(DATA, type=Part) == [Part(1)]
    with pytest.raises(serow.SchemaError, match=r"without one$"):
        serow.loads(serow.dumps([[Part(1)]]), type=list[int])


@pytest.mark.parametrize(
    ("data", "format"),
    [
        (b"PAR1" + bytes(100) + b"PAR1", "this is not a serow message, but a Parquet file"),
        (gzip.compress(DATA), "this is not a serow message, but bytes compressed by gzip"),
        (b"PK\3\4" + bytes(100), "this is not a serow message, but a zip archive"),
        (b"key,name\n" * 20, "this is not a serow message: it does not begin with SROW"),
        (b"x", "this is not a serow message: it does not begin with SROW"),
    ],
    ids=str,
)
def test_a_file_of_another_format(data: bytes, format: str) -> None:
    with pytest.raises(serow.DecodeError, match=format):
        serow.view(io.BytesIO(data))
    with pytest.raises(serow.DecodeError, match=format):
        serow.load(io.BytesIO(data))


def test_errors_of_memory_name_the_limit() -> None:
    data = serow.dumps(["x" * 100] * 10)
    for decode in (
        lambda: serow.loads(data, max_memory=100),
        lambda: serow.load(io.BytesIO(data), max_memory=100),
        lambda: serow.Codec("str").decode(data, max_memory=100),
        lambda: serow.Codec("str").decode_one(serow.Codec("str").encode_one("x"), max_memory=10),
    ):
        with pytest.raises(serow.LimitError, match=r"max_memory is \d+ bytes$"):
            decode()


def test_a_view_gives_the_metadata() -> None:
    file = io.BytesIO()
    with serow.Writer(file, metadata={"source": "test"}) as writer:
        writer.write_rows(range(1000))
    assert serow.view(file).metadata == {"source": "test"}
    assert serow.view(io.BytesIO()).metadata == {}
    damaged = bytearray(file.getvalue())
    damaged[40] ^= 1
    with pytest.raises(serow.DecodeError, match="the metadata of the stream is damaged"):
        _ = serow.view(io.BytesIO(damaged)).metadata
