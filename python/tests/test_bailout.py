"""Compiled code that bails out at the start of a row."""

import os
from typing import Any

import pytest
import serow
from serow import _native

pytestmark = pytest.mark.tiers


def test_old_content_of_the_array_of_rows_does_not_matter() -> None:
    if _native.object_access() != "direct" or os.environ.get("SEROW_TIER") == "interpreter":
        pytest.skip("nothing is compiled")
    codec = serow.Codec("({i64}, i64)", wire="row")
    codec.compile("decode")
    rows: list[Any] = [({1}, 2)] * 50
    message = codec.encode(rows)
    for size in range(16, 6000, 8):
        # Free some memory with non-zero content, which the array of rows may reuse.
        used: Any = [b"\xff" * size for _ in range(50)]
        del used
        assert codec.decode(message) == rows
