import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from demo.errors import DemoError
from demo.progress import Progress
from spark.processors import Processors
from spark.rounds import Compared, Place, measure, turns
from spark.settings import QUICK, Settings

if TYPE_CHECKING:
    from spark.one import Found


def found(contestant: str, exactly: str | None, plainly: str | None) -> "Found":
    return {
        "group": "text",
        "task": "count",
        "contestant": contestant,
        "seconds": [1.0],
        "busy": [1.0],
        "exactly": exactly,
        "plainly": plainly,
    }


def test_contestants_must_find_the_same() -> None:
    compared = Compared()
    compared.add(found("stock", "int 3", "3"))
    compared.add(found("DataFrame", None, "3"))
    compared.add(found("serow", None, None))
    with pytest.raises(DemoError, match="text, count: serow finds float 3, and stock int 3"):
        compared.add(found("serow", "float 3", "3"))
    with pytest.raises(DemoError, match="text, count: DataFrame finds 4, and stock 3"):
        compared.add(found("DataFrame", None, "4"))


def test_contestants_take_turns_at_each_group_that_is_theirs() -> None:
    once = Settings(rounds=1)
    assert turns(["text", "udf"], ["stock", "marshal", "serow"], once) == [
        (0, "text", "stock"),
        (0, "text", "marshal"),
        (0, "text", "serow"),
        (0, "udf", "stock"),
        (0, "udf", "serow"),
    ]


def test_contestants_that_no_goal_compares_have_fewer_turns() -> None:
    names = ["stock", "marshal", "serow, gc off"]
    twice = Settings(rounds=2)
    text = [(0, "text", name) for name in names]
    assert turns(["text"], names, twice) == [*text, (1, "text", "stock")]
    assert turns(["rdd"], names, twice)[3:] == [(1, "rdd", "stock"), (1, "rdd", "marshal")]


def test_what_a_process_says_when_it_fails_is_told(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho no Spark >&2\nexit 3\n")
    python.chmod(0o755)
    place = Place(python, tmp_path / "large", tmp_path / "small")
    with pytest.raises(DemoError, match="stock failed:\nno Spark"):
        measure(Decimal(1), ["text"], QUICK, place, ["stock"], Progress(1))


def test_what_is_started_meanwhile_is_counted() -> None:
    busy = "import time\nwhile time.process_time() < 0.3: pass\nprint(flush=True)\ninput()"
    counted = Processors()
    assert counted.seconds() < 0.2
    with subprocess.Popen(
        [sys.executable, "-c", busy], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert 0.25 < counted.seconds() < 2
        child.communicate(b"\n")
