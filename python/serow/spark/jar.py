"""The command `python -m serow.spark.jar`, which prints the path of the jar."""

import sys
from types import ModuleType

from serow.spark._jar import jar


class _Command(ModuleType):
    """The module itself: once imported, it stands in its package for the function."""

    __call__ = staticmethod(jar)


if __name__ == "__main__":
    print(jar())
else:
    sys.modules[__name__].__class__ = _Command
