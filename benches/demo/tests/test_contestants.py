from decimal import Decimal

import pytest

from demo import part
from demo.compare import first_difference
from demo.contestants import CONTESTANTS
from demo.contestants.contestant import create
from demo.rows import Rows


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    table = part.generate(Decimal("0.02"), tmp_path_factory.mktemp("data"))
    return next(part.portions(table, part.PORTION))


@pytest.mark.parametrize("name", CONTESTANTS)
def test_part_comes_back_equal(name: str, rows: Rows) -> None:
    contestant = create(CONTESTANTS[name])
    assert first_difference(rows, contestant.decode(contestant.encode(rows))) is None


@pytest.mark.parametrize("name", CONTESTANTS)
def test_what_a_socket_gives_is_taken_as_it_is(name: str, rows: Rows) -> None:
    contestant = create(CONTESTANTS[name])
    received = [bytearray(message) for message in contestant.encode(rows[:1500])]
    assert first_difference(rows[:1500], contestant.decode(received)) is None


@pytest.mark.parametrize("name", CONTESTANTS)
def test_unusual_values_of_parts_types_come_back_equal(name: str) -> None:
    contestant = create(CONTESTANTS[name])
    rows: Rows = [
        (0, "", "é", "羚", "😀", -1, "\0", -0.0, "x" * 70_000),
        (2**31 - 1, "a", "", "", "", -(2**31), "", float("inf"), ""),
    ]
    assert first_difference(rows, contestant.decode(contestant.encode(rows))) is None
