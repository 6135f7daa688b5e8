"""Compiled code that leaves a row at its beginning."""

import os
from typing import Any

import pytest
import serow
from serow import _native


def test_what_was_in_the_places_of_rows_is_of_no_account() -> None:
    if _native.object_access() != "direct" or os.environ.get("SEROW_TIER") == "interpreter":
        pytest.skip("nothing is compiled")
    codec = serow.Codec("({i64}, i64)", wire="row")
    codec.compile("decode")
    rows: list[Any] = [({1}, 2)] * 50
    message = codec.encode(rows)
    for size in range(16, 6000, 8):
        # Memory that was used before and is given back, so that the places of rows may be there.
        used: Any = [b"\xff" * size for _ in range(50)]
        del used
        assert codec.decode(message) == rows
