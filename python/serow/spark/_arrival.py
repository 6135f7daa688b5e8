"""How serow's serializers and functions arrive in PySpark's workers.

A worker unpickles the driver's commands, which contain the serializers. This module is pickled by
value, so `arrive` runs on workers without serow too, and raises an error that says what to do.
"""

import sys
from typing import Any

from pyspark import cloudpickle

import serow


def arrive(module: str, name: str, arguments: tuple[Any, ...], version: str) -> Any:
    """Make an instance of `name` in serow's module; raise a clear error if serow is missing."""
    # Only names from inside the function are pickled with it.
    import importlib
    import platform
    import sys

    try:
        made = getattr(importlib.import_module(module), name)
    except ImportError as error:
        raise RuntimeError(
            f"the job's data is serialized by serow, which {sys.executable} on {platform.node()} "
            f"can't import ({error}): install it there by '{sys.executable} -m pip install "
            f"serow=={version}', or set PYSPARK_PYTHON to a Python that has serow"
        ) from None
    return made(*arguments)


def with_rows(function: Any, version: str) -> Any:
    """Give a UDF's function, and let serow make the rows of its arguments in this task.

    The worker runs this for every UDF, but imports serow only when it makes values of an argument:
    structs, and values that pyarrow makes more slowly.
    """
    import contextlib

    from pyspark import TaskContext

    try:
        from pyspark.sql.conversion import ArrowTableToRowsConversion

        found = ArrowTableToRowsConversion._create_converter
        ArrowTableToRowsConversion._to_pylist  # noqa: B018
    except (ImportError, AttributeError):  # before Spark 4.2
        return function
    task = TaskContext.get()
    stock = getattr(found, "_stock_of_serow", found)

    def create_converter(dataType: Any, *others: Any, **options: Any) -> Any:  # noqa: N803
        # Spark reuses workers: the next task may belong to a session that is not enabled.
        if TaskContext.get() is not task:
            ArrowTableToRowsConversion._create_converter = staticmethod(stock)
        elif not others and has_structs(dataType):
            return arrive("serow.spark.structs", "converter", (dataType, stock, options), version)
        elif is_quick(dataType):
            # Without serow pyarrow makes the same values.
            with contextlib.suppress(RuntimeError):
                arrive("serow.spark.structs", "let_serow_make_values", (), version)
        return stock(dataType, *others, **options)

    create_converter._stock_of_serow = stock  # type: ignore[attr-defined]
    if task is not None:
        ArrowTableToRowsConversion._create_converter = staticmethod(create_converter)
    return function


def has_structs(of: Any) -> bool:
    """Tell whether Arrow columns of a PySpark type may contain structs."""
    from pyspark.sql import types
    from pyspark.sql.conversion import ArrowTableToRowsConversion

    if isinstance(of, types.ArrayType):
        return has_structs(of.elementType)
    if isinstance(of, types.MapType):
        return has_structs(of.keyType) or has_structs(of.valueType)
    if isinstance(of, types.UserDefinedType):
        return has_structs(of.sqlType())
    plain = (types.NullType, types.BinaryType, types.TimestampType, types.TimestampNTZType)
    # PySpark also has types such as variants that are structs in Arrow, and converts all of them.
    return ArrowTableToRowsConversion._need_converter(of) and not isinstance(of, plain)


def is_quick(of: Any) -> bool:
    """Tell whether serow makes values of Arrow columns of a PySpark type faster than pyarrow."""
    from pyspark.sql import types

    if isinstance(of, types.ArrayType):
        inner = of.elementType
        return is_quick(inner) or isinstance(inner, (types.NumericType, types.BooleanType))
    times = (types.DateType, types.TimestampType, types.TimestampNTZType)
    return isinstance(of, (types.DecimalType, *times))


cloudpickle.register_pickle_by_value(sys.modules[__name__])


def arrival(of: type, *arguments: Any) -> tuple[Any, ...]:
    """Give the result of `__reduce__` for an instance of serow's class `of`."""
    return arrive, (of.__module__, of.__name__, arguments, serow.__version__)
