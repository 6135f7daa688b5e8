"""The command `python -m serow.spark.jar`, which prints the path of the jar."""

import sys
from types import ModuleType

from serow.spark._jar import jar


class _Command(ModuleType):
    """This module, which takes the place of `serow.spark.jar` in its package when it is imported."""

    __call__ = staticmethod(jar)


if __name__ == "__main__":
    print(jar())
else:
    sys.modules[__name__].__class__ = _Command
