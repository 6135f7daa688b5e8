"""Lets installed PySpark find the tests of a checkout of Spark, in each Python of a run.

Python imports this file when it starts, because `run.sh` puts its folder into `PYTHONPATH`. Workers
need it too: functions in tests are pickled by the name of their module.
"""

import os
import re
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

#: PySpark's tests and their tools. The modules in these packages are then found in their folders.
_FROM_SOURCE = re.compile(r"pyspark((\.\w+)*\.tests|\.testing)")


class _Tests:
    """Finds packages of tests in the checkout, where PySpark itself would not look."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name == "pyspark.testing.objects":
            # The installed one has user-defined types as the installed JVM names them.
            path = [f"{folder}/testing" for folder in sys.modules["pyspark"].__path__]
            return PathFinder.find_spec(name, path)
        if not _FROM_SOURCE.fullmatch(name):
            return None
        folder = Path(os.environ["SPARK_SOURCE"], "python", *name.split(".")[:-1])
        return PathFinder.find_spec(name, [str(folder)])


if "SPARK_SOURCE" in os.environ:
    sys.meta_path.insert(0, _Tests)
