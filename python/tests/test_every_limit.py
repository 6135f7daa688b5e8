"""Messages and rows just beyond each limit, which all languages refuse with the same error."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import serow
import wire_format
from beyond import ROWS

pytestmark = pytest.mark.once

FOLDER = Path(__file__).parents[2] / "tests" / "limits"


@dataclass
class Case:
    limit: str
    said: str = ""
    rows: str | None = None
    door: str = "message"
    message: bytearray = field(default_factory=bytearray)


def cases() -> list[Case]:
    found: list[Case] = []
    for line in (FOLDER / "messages.txt").read_text().splitlines():
        word, _, rest = line.partition(" ")
        match word:
            case "limit":
                found.append(Case(rest))
            case "error":
                found[-1].said = rest
            case "door":
                found[-1].door = rest
            case "rows":
                found[-1].rows = rest
            case "" | "what":
                pass
            case count:
                found[-1].message += int(count) * bytes.fromhex(rest)
    return found


MESSAGES = [case for case in cases() if case.rows is None]
WRITTEN = [case for case in cases() if case.rows is not None]


def said(call: Any) -> str:
    with pytest.raises(serow.SerowError) as caught:
        call()
    kind = type(caught.value).__name__.removesuffix("Error")
    return f"{kind} {caught.value}"


@pytest.mark.parametrize("case", MESSAGES, ids=lambda case: case.limit)
def test_readers_refuse_the_message(case: Case) -> None:
    message = bytes(case.message)
    assert said(lambda: list(serow.Reader(io.BytesIO(message)))) == case.said
    if case.door == "stream":
        return
    assert said(lambda: serow.loads(message)) == case.said
    if len(message) < 10_000_000:
        assert said(lambda: serow.loads(message, threads=2)) == case.said
    if "schema is damaged" in case.said or "claims 65537 rows" in case.said:
        return
    (frame,) = wire_format.frames(message)
    type_list = " ".join(map(str, wire_format.codes(frame.schema)))
    codec = serow.Codec(serow.Schema.parse(type_list))
    assert said(lambda: codec.decode(message)) == case.said
    codec.compile()
    assert said(lambda: codec.decode(message)) == case.said


@pytest.mark.parametrize("case", WRITTEN, ids=lambda case: case.rows)
def test_writers_refuse_the_rows(case: Case, wire: Any) -> None:
    rows = [ROWS[str(case.rows)]()]
    assert said(lambda: serow.dumps(rows, wire=wire)) == case.said


def test_every_limit_of_what_bytes_and_rows_may_ask_for_has_a_case() -> None:
    defined = re.findall(
        r"^pub const (?:fn )?(\w+)",
        (Path(__file__).parents[2] / "crates/core/src/limits.rs").read_text(),
        re.MULTILINE,
    )
    tried = {case.limit for case in cases()}
    _, _, without = (FOLDER / "README.md").read_text().partition("## Limits without a case")
    left_out = set(re.findall(r"^\| `(\w+)` \|", without, re.MULTILINE))
    assert tried & left_out == set()
    assert tried | left_out == set(defined)
