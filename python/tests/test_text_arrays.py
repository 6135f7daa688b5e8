"""Arrays of NumPy's fixed strings in rows: lists of strings and bytes to every reader."""

import array
from typing import Any

import numpy as np
import pytest
import serow
from hypothesis import given
from hypothesis import strategies as st
from serow import _native
from serow._foreign import copying

#: Elements of each type: no text, some that end before the others or hold zeros, and the widest.
TEXTS = ["", "a", "é\0b", "羚羊𝄞", "\0", "zz\0", "\ud800", "\udfff\ud800", "𝄞", "ÿ" * 9]
BYTES = [b"", b"a", b"\xff\0\x80", b"\0", b"zz\0", b"\x80" * 9]


def outcome(rows: list[Any], **options: Any) -> Any:
    """Give what rows decode to, or the error of encoding them."""
    try:
        return serow.loads(serow.dumps(rows, **options))
    except serow.EncodeError as error:
        return str(error)


def shapes(texts: Any) -> list[Any]:
    """Give arrays of the same elements that differ in length and in where these are."""
    wide = np.concatenate([texts] * 300)
    kind = np.dtype((texts.dtype, len(texts)))
    unaligned = np.frombuffer(b"\0" + texts.tobytes(), kind, 1, 1)[0]
    one = np.broadcast_to(texts[3:4], 7)
    return [texts, texts[::-1], texts[::2], wide, wide[1::7], unaligned, one, texts[:1]]


@pytest.mark.parametrize("texts", [TEXTS, BYTES], ids=["str", "bytes"])
def test_arrays_come_back_as_lists(texts: list[Any], wire: Any, access: str) -> None:
    given = shapes(np.array(texts))
    rows = [(at, of, [of, of], {"a": of}) for at, of in enumerate(given)]
    plain = [(at, of.tolist(), [of.tolist()] * 2, {"a": of.tolist()}) for at, of, _, _ in rows]
    message = serow.dumps(rows, wire=wire)
    assert message == serow.dumps(plain, wire=wire)
    assert repr(serow.loads(message)) == repr(plain)
    assert serow.loads(message, arrays="numpy")[0][1] == given[0].tolist()
    assert serow.Schema.infer(rows) == serow.Schema.infer(plain)
    codec = serow.Codec.infer(plain, wire=wire)
    assert codec.encode(rows) == codec.encode(plain)
    for row, plain_row in zip(rows, plain, strict=True):
        assert codec.encode_one(row) == codec.encode_one(plain_row)


@pytest.mark.once
@pytest.mark.parametrize("texts", [TEXTS, BYTES], ids=["str", "bytes"])
def test_no_row_is_copied(texts: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    if _native.object_access() != "direct":
        pytest.skip("arrays are read by direct access only")

    def refused(*_: Any) -> Any:
        raise AssertionError("a row was copied")

    monkeypatch.setattr(copying._Copy, "of_row", refused)
    for of in shapes(np.array(texts)):
        if of.flags.aligned:
            assert serow.loads(serow.dumps([(of, 1)])) == [(of.tolist(), 1)]
    with pytest.raises(AssertionError):
        serow.dumps([(np.array(texts).reshape(1, -1), 1)])


@pytest.mark.once
@pytest.mark.parametrize("texts", [TEXTS, BYTES], ids=["str", "bytes"])
def test_other_arrays_are_as_their_lists(texts: list[Any]) -> None:
    of = np.array(texts)
    swapped = of.astype(of.dtype.newbyteorder())
    others = [of.reshape(1, -1), of.reshape(-1, 1), swapped, of.astype(object), of[:0]]
    for other in others:
        assert outcome([other]) == outcome([other.tolist()])
        assert outcome([(other, of)]) == outcome([(other.tolist(), of.tolist())])
    # An element of no characters at all.
    none = np.zeros(3, np.dtype([("none", of.dtype.kind + "0"), ("some", "i4")]))["none"]
    assert none.dtype.itemsize == 0
    assert outcome([none]) == [none.tolist()]


@pytest.mark.once
def test_an_element_that_is_no_text_is_refused_as_by_numpy() -> None:
    for last in (0x11_0000, 0x8000_0000, 2**32 - 1):
        wrong = np.array([0x61, 0, last, 0], "u4").view("U2")
        with pytest.raises(SystemError, match="invalid maximum character"):
            wrong.tolist()
        for rows in ([wrong], [(1, wrong)], [np.array(["a"])] * 100 + [wrong]):
            with pytest.raises(serow.EncodeError, match="ndarray; its own code raises SystemError"):
                serow.dumps(rows)


@pytest.mark.once
def test_characters_of_the_module_array_keep_their_zeros() -> None:
    characters = array.array("u", "a\0é\0")
    assert outcome([characters]) == outcome([characters.tolist()]) == [["a", "\0", "é", "\0"]]


@pytest.mark.once
def test_arrays_beside_lists_and_other_values() -> None:
    a, b = np.array(["a", "bc"]), np.array([b"a", b"bc"])
    rows = [(a, None), (["d"], a), (a, "text"), (np.arange(2), None), (b, 1), (np.array(["x"]), b)]
    plain = [tuple(it.tolist() if isinstance(it, np.ndarray) else it for it in row) for row in rows]
    assert serow.loads(serow.dumps(rows)) == plain
    union = serow.Codec("str|[str]?")
    assert union.decode(union.encode([a, "a", None])) == [["a", "bc"], "a", None]
    nullable = serow.Codec("[str?]")
    assert nullable.decode(nullable.encode([a, ["a", None]])) == [["a", "bc"], ["a", None]]


@pytest.mark.once
def test_an_array_as_the_rows() -> None:
    for texts in (TEXTS, BYTES):
        for rows in shapes(np.array(texts)):
            assert serow.loads(serow.dumps(rows)) == rows.tolist()


@pytest.mark.once
def test_an_array_of_another_type_than_the_schemas_is_refused() -> None:
    for text, rows in [("[i64]", np.array(["1"])), ("[str]", np.array([b"1"]))]:
        with pytest.raises(serow.EncodeError, match="row 0"):
            serow.Codec(text).encode([rows])
    with pytest.raises(serow.LimitError, match="more than 268,435,456 elements"):
        serow.dumps([(np.broadcast_to(np.array(["a"]), 1 << 40), 1)])


@given(st.lists(st.one_of(st.text(), st.characters(), st.text("aé\0", max_size=40)), max_size=40))
def test_any_texts_are_as_in_a_list(texts: list[str]) -> None:
    of = np.array(texts, str)
    assert serow.dumps([(of, 1)]) == serow.dumps([(of.tolist(), 1)])


@given(st.lists(st.binary(max_size=20), max_size=40))
def test_any_bytes_are_as_in_a_list(texts: list[bytes]) -> None:
    of = np.array(texts, bytes)
    assert serow.dumps([(of, 1)]) == serow.dumps([(of.tolist(), 1)])


def test_a_str_with_a_character_that_does_not_exist_is_refused(wire: Any, access: str) -> None:
    words = np.zeros(3, "U3")
    words.view(np.uint32)[4] = 0x110000
    (_, text, _) = words.tolist()
    assert len(text) == 2
    codec = serow.Codec("(str?, {str: i64})", wire=wire)
    for row in ((text, {}), (None, {text: 1}), (words[1], {})):
        for encode in (lambda row: codec.encode([row]), codec.encode_one):
            with pytest.raises(serow.EncodeError, match=r"beyond U\+10FFFF"):
                encode(row)
    for rows in ([text], [[words]], [{"a": words[1]}], [words.reshape(3, 1)], [{text: 1}]):
        with pytest.raises(serow.EncodeError):
            serow.dumps(rows, wire=wire)
