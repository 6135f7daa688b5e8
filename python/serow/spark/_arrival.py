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


def with_rows(function: Any, version: str) -> Any:
    """Give a UDF's function, and have serow make the rows that it is called with in this task.

    Whatever a UDF takes, its command is read by this, so serow is imported when there is a struct.
    """
    from pyspark import TaskContext

    try:
        from pyspark.sql.conversion import ArrowTableToRowsConversion
        from pyspark.sql.types import StructType

        found = ArrowTableToRowsConversion._create_converter
    except (ImportError, AttributeError):  # a Spark that makes rows of Arrow in another way
        return function
    task = TaskContext.get()
    stock = getattr(found, "_stock_of_serow", found)

    def create_converter(dataType: Any, *others: Any, **options: Any) -> Any:  # noqa: N803
        # Workers are reused: the next task may be of a session that is not enabled.
        if TaskContext.get() is not task:
            ArrowTableToRowsConversion._create_converter = staticmethod(stock)
        elif isinstance(dataType, StructType) and not others:
            return arrive("serow.spark.udfs", "converter", (dataType, stock, options), version)
        return stock(dataType, *others, **options)

    create_converter._stock_of_serow = stock  # type: ignore[attr-defined]
    if task is not None:
        ArrowTableToRowsConversion._create_converter = staticmethod(create_converter)
    return function


cloudpickle.register_pickle_by_value(sys.modules[__name__])


def arrival(of: type, *arguments: Any) -> tuple[Any, ...]:
    """What `__reduce__` gives for an instance of a class of serow's, made with these arguments."""
    return arrive, (of.__module__, of.__name__, arguments, serow.__version__)
