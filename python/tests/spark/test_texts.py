"""Lines of files equal those of stock Spark, in Python and on the JVM."""

import bz2
import gzip
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from conftest import stock
from serow.spark.lines import Lines

CONTENTS = {
    "nothing": b"",
    "one end": b"\n",
    "ends": b"\n\r\n\r\r\n\n",
    "no last end": b"first\nsecond",
    "ends of all kinds": b"a\nb\rc\r\nd\n\re\r",
    "a mark of byte order": b"\xef\xbb\xbfone\n\xef\xbb\xbftwo\n",
    "nulls": b"\0\na\0b\n\0\0\0\0\0\0\0\0\n",
    "every plane": "é|ß\nあ漢字\n😀\U0010ffff\n\u2028\u0085\n".encode(),
    "late letters": b"".join(b"x" * n + "é\n".encode() for n in range(20)),
    "no UTF-8": b"\xff\n\xc3\na\xc3(\n\xed\xa0\x80\n\xf0\x9f\x98\n\xc0\x80\nok\n\xf4\x90\x80",
    "every byte": b"\n".join(b"ab" + bytes([n]) + b"cd" for n in range(256)),
    "UTF-16": "ab\ncd\n".encode("utf-16"),
    "huge": b"x" * (3 << 20) + b"\n" + "é".encode() * (1 << 20) + b"\nend\n",
    "random": random.Random(5).randbytes(1 << 16),
}


def as_stock(sc: Any, run: Any) -> Any:
    """Give the result of a job, after comparing it with stock Spark's."""
    found = run(sc)
    with stock(sc):
        assert run(sc) == found
    return found


@pytest.mark.parametrize("name", CONTENTS)
@pytest.mark.parametrize("as_text", [True, False])
def test_lines(sc: Any, tmp_path: Path, name: str, as_text: bool) -> None:
    path = tmp_path / "a text"
    path.write_bytes(CONTENTS[name])

    def lines(sc: Any) -> Any:
        # Two partitions: a split may be inside a line or a character.
        return sc.textFile(str(path), 2, as_text).glom().collect()

    found = as_stock(sc, lines)
    assert {type(line) for part in found for line in part} <= {str if as_text else bytes}


def test_random_texts(sc: Any, tmp_path: Path) -> None:
    some = random.Random(7)
    pieces = [b"a", b"|", b"\n", b"\r", b"\0", b"\xff", "é".encode(), "😀".encode(), b"long" * 9]
    for n in range(20):
        (tmp_path / f"{n:02}").write_bytes(b"".join(some.choices(pieces, k=some.randrange(800))))
    assert as_stock(sc, lambda sc: sc.textFile(str(tmp_path), 25).glom().collect())


def test_files_of_all_kinds(sc: Any, tmp_path: Path) -> None:
    text = "".join(f"{n} é\n" for n in range(500)).encode()
    (tmp_path / "plain.txt").write_bytes(text)
    (tmp_path / "packed.gz").write_bytes(gzip.compress(text))
    (tmp_path / "packed.bz2").write_bytes(bz2.compress(text))
    (tmp_path / ".hidden").write_bytes(text)
    for where in ("plain.txt", "packed.gz", "packed.bz2", "*.gz", "p*", "", "plain.txt,{0}/*.gz"):
        path = f"{tmp_path}/{where}".format(tmp_path)
        found = as_stock(sc, lambda sc, path=path: sc.textFile(path).collect())
        assert len(found) % 500 == 0
        assert found


def test_what_is_asked_of_a_text(sc: Any, tmp_path: Path) -> None:
    path = str(tmp_path / "text")
    Path(path).write_text("".join(f"line {n}\n" for n in range(1000)))

    def asked(sc: Any) -> Any:
        text = sc.textFile(path, 3)
        both = text.union(sc.textFile(path))
        return (
            (text.getNumPartitions(), sc.textFile(path).getNumPartitions(), text.name()),
            (text.count(), text.first(), text.take(5), text.top(3), text.isEmpty()),
            (text.zip(text).collect(), text.zipWithIndex().take(3)),
            (both.count(), both.getNumPartitions(), both.distinct().count()),
            sc.textFile(path, 1).cartesian(sc.parallelize([1, 2])).take(30),
            (text.coalesce(1).glom().map(len).collect(), text.repartition(4).count()),
            list(text.toLocalIterator()),
            text.pipe("cat").take(3),
            text.sample(False, 0.1, 3).collect(),
        )

    as_stock(sc, asked)
    text = sc.textFile(path)
    assert type(text._jrdd_deserializer) is Lines
    assert "Texts" not in text.toDebugString().decode()
    assert f"textFile at {__file__}" in text.toDebugString().decode()


def test_the_jvm_gets_strings(sc: Any, tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes("one\nzwölf\n".encode() + b"\xff\n")

    def on_the_jvm(sc: Any) -> Any:
        text = sc.textFile(str(path), 1)
        some = [text, text.coalesce(1), text.union(text), sc.union([text, text]), text.cache()]
        found = [list(each._jrdd.collect()) for each in some]
        return found, text.unpersist()._jrdd.count(), text.id() == text._jrdd.id()

    found, _, _ = as_stock(sc, on_the_jvm)
    assert found[0] == ["one", "zwölf", "\ufffd"]


def test_texts_that_are_kept(sc: Any, tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("one\nzwölf\n")
    text = sc.textFile(str(path)).cache()
    assert text.collect() == ["one", "zwölf"]
    path.write_text("two\n")
    assert text.map(str.upper).collect() == ["ONE", "ZWÖLF"]
    text.unpersist()


@contextmanager
def setting(sc: Any, name: str, value: str) -> Iterator[None]:
    """Change a setting of Hadoop for a while."""
    settings = sc._jsc.hadoopConfiguration()
    before = settings.get(name)
    settings.set(name, value)
    try:
        yield
    finally:
        settings.set(name, before) if before else settings.unset(name)


@pytest.mark.parametrize("size", [1, 8, 64])
def test_lines_on_the_edges_of_splits_and_buffers(sc: Any, tmp_path: Path, size: int) -> None:
    some = random.Random(size)
    pieces = [
        b"\n",
        b"\r",
        b"\r\n",
        b"a",
        b"sixteen letters.",
        b"\xef\xbb\xbf",
        b"\x0b\x0c\x8a\x8d",
    ]
    for n in range(12):
        text = b"".join(some.choices(pieces, k=some.randrange(30)))
        (tmp_path / f"{n:02}").write_bytes(some.choice([b"", b"\xef\xbb\xbf"]) + text)
    with setting(sc, "io.file.buffer.size", str(size)):
        for splits in (12, 36):
            assert as_stock(sc, lambda sc, n=splits: sc.textFile(str(tmp_path), n).glom().collect())


def test_other_ends_of_lines(sc: Any, tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"a|b\n|c")
    with setting(sc, "textinputformat.record.delimiter", "|"):
        assert as_stock(sc, lambda sc: sc.textFile(str(path), 1).collect()) == ["a", "b\n", "c"]


def test_lines_that_are_too_long(sc: Any, tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"a\nlong\nb\n")
    with setting(sc, "mapreduce.input.linerecordreader.line.maxlength", "3"):
        assert as_stock(sc, lambda sc: sc.textFile(str(path), 1).collect()) == ["a", "b"]


def test_a_text_that_is_not_there(sc: Any, tmp_path: Path) -> None:
    messages = []

    def failing(sc: Any) -> None:
        with pytest.raises(Exception, match="does not exist") as raised:
            sc.textFile(str(tmp_path / "none")).count()
        said = str(raised.value).splitlines()[1]
        messages.append((type(raised.value), said))

    as_stock(sc, failing)
    assert messages[0] == messages[1]
