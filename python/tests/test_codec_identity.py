"""Codecs and sets of schemas that are pickled, copied and compared."""

import copy
import pickle
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest
import serow

pytestmark = pytest.mark.once


class Old(NamedTuple):
    key: int


@dataclass
class Part:
    key: int
    name: str = "bolt"


@dataclass
class Twin:
    key: int
    name: str = "bolt"


Twin.__name__ = "Part"
TYPED = serow.Schema.of(Part)
OLD = serow.Schema.parse("Old{key: i64}")
CODECS = [
    serow.Codec("(i64, str?, uuid)"),
    serow.Codec("(i64, str?, uuid)", wire="row"),
    serow.Codec("(i64, str?, uuid)", fingerprint=False),
    serow.Codec("(i64, str, uuid)"),
    serow.Codec(TYPED),
    serow.Codec(serow.Schema.of(Twin)),
    serow.Codec(str(TYPED)),
    serow.Codec(TYPED, schemas=serow.SchemaSet([OLD])),
]


@pytest.mark.parametrize("at", range(len(CODECS)))
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_codecs_can_be_pickled(at: int, protocol: int) -> None:
    codec = CODECS[at]
    for other in (pickle.loads(pickle.dumps(codec, protocol)), copy.deepcopy(codec)):
        assert other == codec
        assert hash(other) == hash(codec)
        assert repr(other) == repr(codec)
        assert other.wire == codec.wire


def test_a_pickled_codec_does_the_same() -> None:
    codec = serow.Codec(TYPED, wire="row", schemas=serow.SchemaSet([OLD]))
    other = pickle.loads(pickle.dumps(codec))
    rows: list[Any] = [Part(7), Part(8, "nut")]
    assert other.encode(rows) == codec.encode(rows)
    assert other.decode(codec.encode(rows)) == rows
    assert other.encode_one(rows[0]) == codec.encode_one(rows[0])
    assert other.decode_one(serow.Codec(OLD).encode_one(Old(7))) == Part(7)
    bare = pickle.loads(pickle.dumps(serow.Codec("i64", fingerprint=False)))
    assert len(bare.encode_one(7)) == 1


def test_codecs_are_equal_if_all_that_they_do_is() -> None:
    for i, one in enumerate(CODECS):
        for j, other in enumerate(CODECS):
            assert (one == other) is (i == j)
    assert CODECS[0] == serow.Codec(serow.Schema.parse("(i64, str?, uuid)"))
    assert CODECS[4] == serow.Codec(serow.Schema.of(Part))
    assert CODECS[0] != "(i64, str?, uuid)"
    assert {CODECS[0]: 1}[serow.Codec("(i64, str?, uuid)")] == 1


OPTIONS: list[tuple[str, Any]] = [
    ("wire", "row"),
    ("compression", "lz4"),
    ("fingerprint", False),
    ("schemas", serow.SchemaSet([OLD])),
    ("times", "portable"),
    ("arrays", "numpy"),
    ("validate", True),
    ("ints_as_floats", True),
    ("records", "dict"),
    ("threads", "auto"),
]


@pytest.mark.parametrize(("name", "value"), OPTIONS)
def test_each_option_is_shown_pickled_and_compared(name: str, value: Any) -> None:
    codec, plain = serow.Codec("[f64]", **{name: value}), serow.Codec("[f64]")
    assert f"{name}={value!r}" in repr(codec)
    assert eval(repr(codec), {"Codec": serow.Codec, "SchemaSet": serow.SchemaSet}) == codec
    copied = pickle.loads(pickle.dumps(codec))
    assert (repr(copied), copied) == (repr(codec), codec)
    # The number of threads changes neither bytes nor rows.
    assert (codec == plain) is (name == "threads")


def test_adding_a_schema_makes_codecs_differ() -> None:
    schemas = serow.SchemaSet()
    one, other = serow.Codec("i64", schemas=schemas), serow.Codec("i64")
    assert one == other
    schemas.add(OLD)
    assert one != other
    assert hash(one) == hash(other)


def test_a_pickled_set_of_schemas_is_a_copy() -> None:
    schemas = serow.SchemaSet(["i64", OLD, "(i64, str, uuid)"])
    other = pickle.loads(pickle.dumps(schemas))
    assert list(other) == list(schemas)
    assert [one.fingerprint for one in other] == sorted(one.fingerprint for one in schemas)
    other.add("f64")
    assert (len(other), len(schemas)) == (4, 3)


def test_the_schema_of_a_codec_still_makes_instances() -> None:
    codec = serow.Codec(CODECS[4].schema)
    assert codec.decode(codec.encode([Part(1)])) == [Part(1)]
