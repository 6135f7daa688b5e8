"""Numbers that were chosen to have one hash in Python are refused before they become a set."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
import serow
from wire_format import ROW, RawFrame, message, varint

pytestmark = pytest.mark.once

MODULUS = 2**61 - 1
FIRST = 2**70 // MODULUS * MODULUS + 5

KINDS: dict[str, tuple[str, Callable[[int], Any]]] = {
    "ints": ("int", lambda n: n),
    "uuids": ("uuid", lambda n: UUID(int=n)),
    "tuples": ("(int, null)", lambda n: (n, None)),
}


def encoded(schema: str, elements: list[Any]) -> bytes:
    """Return a message with the set, made from a list: the row wire has the same bytes for both."""
    rows = serow.Codec(f"[{schema}]", wire="row").encode([elements])
    codes = b"".join(varint(code) for code in serow.Schema.parse(f"{{{schema}}}").type_list)
    body = serow.Codec(f"[{schema}]").encode_one(elements)[8:]
    assert body in rows
    return message(RawFrame(ROW, 1, codes, len(body).to_bytes(4, "little") + body))


@pytest.mark.parametrize(("schema", "of"), KINDS.values(), ids=KINDS)
def test_sets_of_numbers_with_one_hash_have_a_limit(schema: str, of: Any) -> None:
    def elements(count: int, step: int) -> list[Any]:
        return [of(FIRST + step * i) for i in range(count)]

    few, many = elements(500, MODULUS), elements(2_000, MODULUS)
    assert len({hash(each) for each in many}) == 1
    assert serow.loads(encoded(schema, few)) == [set(few)]
    with pytest.raises(serow.LimitError, match="one hash"):
        serow.loads(encoded(schema, many))
    plain = elements(5_000, 1)
    assert serow.loads(encoded(schema, plain)) == [set(plain)]
    mixed = elements(200, MODULUS) + elements(5_000, 1)[1:]
    assert serow.loads(encoded(schema, mixed)) == [set(mixed)]
