"""run_module.py [--serow] <results> <module or test>…: runs tests of PySpark.

With `--serow`, each context has serow's serializer and each session is enabled, however a test
creates them. Each test becomes one object of the JSON file with the results: its outcome and what
serow did.
"""

# The names and meanings of the methods of `Outcomes` are those of `unittest`.
# ruff: noqa: D102, N802

import functools
import inspect
import json
import sys
import unittest
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

#: What serow did in this process since the last test.
_done: Counter[str] = Counter()


class Outcomes(unittest.TextTestResult):
    """Notes the outcome of each test by its name."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Start without outcomes."""
        super().__init__(*args, **kwargs)
        self.by_test: dict[str, dict[str, Any]] = {}

    def _note(self, test: Any, outcome: str, why: str = "") -> None:
        self.by_test[test.id()] = {"outcome": outcome, "why": why, "serow": dict(_done)}
        _done.clear()

    def addSuccess(self, test: Any) -> None:
        super().addSuccess(test)
        self._note(test, "passed")

    def addSkip(self, test: Any, reason: str) -> None:
        super().addSkip(test, reason)
        self._note(test, "skipped", reason)

    def addError(self, test: Any, err: Any) -> None:
        super().addError(test, err)
        self._note(test, f"failed by {err[0].__name__}", str(err[1]))

    def addFailure(self, test: Any, err: Any) -> None:
        super().addFailure(test, err)
        self._note(test, f"failed by {err[0].__name__}", str(err[1]))

    def addExpectedFailure(self, test: Any, err: Any) -> None:
        super().addExpectedFailure(test, err)
        self._note(test, "failed as expected")

    def addUnexpectedSuccess(self, test: Any) -> None:
        super().addUnexpectedSuccess(test)
        self._note(test, "passed unexpectedly")

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._note(subtest, f"failed by {err[0].__name__}", str(err[1]))


def prepare(*, with_serow: bool) -> None:
    """Let contexts run two tasks at a time, and enable serow in each context and session."""
    from pyspark import SparkContext

    stock = SparkContext.__init__
    parameters = inspect.signature(stock)

    @functools.wraps(stock)
    def make(*args: Any, **kwargs: Any) -> None:
        given = parameters.bind(*args, **kwargs).arguments
        # Tests ask for four tasks at a time, which need more memory and time on a small machine.
        if given.get("master") == "local[4]":
            given["master"] = "local[2]"
        if with_serow:
            given.setdefault("serializer", serow.spark.SerowSerializer())
        stock(**given)

    SparkContext.__init__ = make
    if with_serow:
        import serow.spark
        from pyspark.sql import SparkSession
        from pyspark.sql.connect.session import SparkSession as ConnectSession

        for of in (SparkContext, SparkSession, ConnectSession):
            _enable_each(of)
        _count()


def _enable_each(of: Any) -> None:
    stock: Callable[..., None] = vars(of)["__init__"]

    @functools.wraps(stock)
    def make(self: Any, *args: Any, **kwargs: Any) -> None:
        import serow.spark

        stock(self, *args, **kwargs)
        serow.spark.enable(self)

    of.__init__ = make


def _count() -> None:
    """Count what serow does in this process, and the functions and serializers it sends."""
    from serow.spark import SerowSerializer, notes, udfs

    def before(of: Any, name: str, what: Callable[..., str]) -> None:
        stock = getattr(of, name)

        @functools.wraps(stock)
        def counted(*args: Any, **kwargs: Any) -> Any:
            _done[what(*args, **kwargs)] += 1
            return stock(*args, **kwargs)

        setattr(of, name, counted)

    before(notes, "add", lambda call, schema, how, **_: f"{call}: {how.partition(':')[0]}")
    before(udfs.WithRows, "__init__", lambda *_: "function sent")
    for name in ("dumps", "loads", "__reduce__"):
        before(SerowSerializer, name, lambda *_, name=name: f"serializer.{name}")


def _be_main(name: str) -> None:
    """Let `__main__` have what the module of a test has, as when Spark runs it as a program.

    Some tests have user-defined types whose module is `__main__`.
    """
    module = max((found for found in sys.modules if f"{name}.".startswith(f"{found}.")), key=len)
    for of, value in vars(sys.modules[module]).items():
        globals().setdefault(of, value)


def main(results: Path, names: list[str]) -> None:
    """Run the tests and write their outcomes."""
    tests = unittest.defaultTestLoader.loadTestsFromNames(names)
    _be_main(names[0])
    outcomes = unittest.TextTestRunner(resultclass=Outcomes, verbosity=2).run(tests)
    assert isinstance(outcomes, Outcomes)
    results.write_text(json.dumps(outcomes.by_test, indent=1))


if __name__ == "__main__":
    with_serow = sys.argv[1] == "--serow"
    prepare(with_serow=with_serow)
    results, *names = sys.argv[1 + with_serow :]
    main(Path(results), names)
