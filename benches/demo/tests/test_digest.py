import hashlib
from decimal import Decimal

import pytest

from demo.digest import append, digest
from demo.errors import DemoError
from demo.tests import digest_cases


def test_every_value_has_the_bytes_of_the_shared_vectors() -> None:
    assert digest_cases.lines() == digest_cases.VECTORS.read_text().splitlines()


def test_no_two_cases_have_the_same_digest() -> None:
    digests = {digest([value]) for value in digest_cases.CASES.values()}
    assert len(digests) == len(digest_cases.CASES)


def test_the_stream_is_what_its_description_says() -> None:
    one_row = b"l\x01\0\0\0\0\0\0\0"
    of_three = b"t\x03\0\0\0\0\0\0\0"
    minus_two = b"i\xfe\xff\xff\xff\xff\xff\xff\xff"
    surrogate = b"s\x03\0\0\0\0\0\0\0\xed\xa0\xbd"
    stream = one_row + of_three + minus_two + surrogate + b"n"
    assert digest([(-2, "\ud83d", None)]) == hashlib.sha256(stream).digest()


def test_many_rows_are_hashed_in_pieces_with_the_same_result() -> None:
    rows = [(number, "x" * 100) for number in range(5000)]
    stream = bytearray(b"l" + len(rows).to_bytes(8, "little"))
    for row in rows:
        append(stream, row)
    assert digest(rows) == hashlib.sha256(stream).digest()


def test_the_order_of_a_dicts_keys_is_not_part_of_it() -> None:
    assert digest([{"a": 1, "b": 2}]) == digest([{"b": 2, "a": 1}])
    assert digest([{"a": 1, "b": 2}]) != digest([{"b": 1, "a": 2}])


def test_rows_in_another_order_differ() -> None:
    assert digest([(1,), (2,)]) != digest([(2,), (1,)])


@pytest.mark.parametrize(
    "value", [1 << 63, -(1 << 63) - 1, b"bytes", {1: 2}, Decimal("NaN"), Decimal("-0")]
)
def test_what_has_no_place_in_the_stream_is_an_error(value: object) -> None:
    with pytest.raises(DemoError, match="no digest for"):
        digest([(value,)])
