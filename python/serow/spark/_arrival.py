"""How what serow has among a job's serializers comes to be in a worker.

PySpark's workers run the driver's commands, of which the serializers are a part. `arrive` travels
in them as code and not as a name, so that it runs where there is no serow too, and can say so.
"""

import sys
from typing import Any

from pyspark import cloudpickle

import serow


def arrive(module: str, name: str, arguments: tuple[Any, ...], version: str) -> Any:
    """Make what is `name` in a module of serow's, or say in one line that this Python has none."""
    # Only what is within the function travels with it.
    import importlib
    import platform
    import sys

    try:
        made = getattr(importlib.import_module(module), name)
    except ImportError as error:
        raise RuntimeError(
            f"the job's data is serialized by serow, which {sys.executable} on {platform.node()} "
            f"can't import ({error}): install it there by '{sys.executable} -m pip install "
            f"serow=={version}', or set PYSPARK_PYTHON to a Python that has it"
        ) from None
    return made(*arguments)


cloudpickle.register_pickle_by_value(sys.modules[__name__])


def arrival(of: type, *arguments: Any) -> tuple[Any, ...]:
    """What `__reduce__` gives for an instance of a class of serow's, made with these arguments."""
    return arrive, (of.__module__, of.__name__, arguments, serow.__version__)
