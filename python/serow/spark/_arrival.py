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
    """Give a UDF's function, and let serow convert its arguments and results in this task.

    The worker runs this for every UDF, but imports serow only when it makes values of an argument
    or results: structs, and values that PySpark makes more slowly.
    """
    import contextlib
    import sys

    try:
        from pyspark.sql import conversion

        conversion.ArrowTableToRowsConversion._to_pylist  # noqa: B018
    except (ImportError, AttributeError):  # before Spark 4.2
        return function
    makers: list[Any] = []

    def of_arguments(stock: Any, dataType: Any, *others: Any, **options: Any) -> Any:  # noqa: N803
        if not others and has_structs(dataType):
            return arrive("serow.spark.structs", "converter", (dataType, stock, options), version)
        if not others and is_quick(dataType):
            # Without serow pyarrow makes the same values.
            with contextlib.suppress(RuntimeError):
                arrive("serow.spark.structs", "let_serow_make_values", (), version)
        return stock(dataType, *others, **options)

    def of_results(stock: Any, dataType: Any, *others: Any, **options: Any) -> Any:  # noqa: N803
        worker = sys._getframe(2)
        # PySpark's function calls itself for inner types.
        if not others and worker.f_code.co_name == "read_udfs":
            makers.append(None)
            if is_slow_result(dataType):
                # Without serow PySpark makes the same arrays.
                with contextlib.suppress(RuntimeError):
                    arguments = (dataType, stock, options, makers, worker)
                    return arrive("serow.spark.results", "converter", arguments, version)
        return stock(dataType, *others, **options)

    def of_rows(stock: Any, data: Any, *others: Any, **options: Any) -> Any:
        # PySpark makes short tables faster.
        if len(data) >= 1000 and not options:
            with contextlib.suppress(RuntimeError):
                return arrive("serow.spark.results", "table", (stock, data, *others), version)
        return stock(data, *others, **options)

    to_arrow = conversion.LocalDataToArrowConversion
    replace_in_task(
        {
            (conversion.ArrowTableToRowsConversion, "_create_converter"): of_arguments,
            (to_arrow, "_create_converter"): of_results,
            (to_arrow, "convert"): of_rows,
        }
    )
    return function


def data_source_class(of: Any, version: str) -> Any:
    """Give a class of data sources, or what makes instances whose rows serow converts."""
    import contextlib

    # Without serow PySpark makes the same batches.
    with contextlib.suppress(RuntimeError):
        return arrive("serow.spark.sources", "caller", (of,), version)
    return of


def data_source(make: Any, arguments: tuple[Any, ...], version: str) -> Any:
    """Make a data source that was pickled, and let serow convert its rows."""
    import contextlib

    made = make(*arguments)
    with contextlib.suppress(RuntimeError):
        arrive("serow.spark.sources", "carry", (made,), version)
    return made


def data_source_write(stock: Any, schema: Any, options: Any, version: str) -> Any:
    """Give a function that hands rows to a writer, and let serow make the rows."""
    import contextlib

    # Without serow PySpark makes the same rows.
    with contextlib.suppress(RuntimeError):
        return arrive("serow.spark.written_batches", "with_rows", (stock, schema, options), version)
    return stock


def replace_in_task(functions: Any) -> None:
    """Call these with PySpark's static method, in place of that method, until the task ends."""
    from pyspark import TaskContext

    task = TaskContext.get()
    if task is None:
        return
    found = {(of, name): getattr(of, name) for of, name in functions}
    stock = {at: getattr(method, "_stock_of_serow", method) for at, method in found.items()}

    def replaced(at: Any, make: Any) -> Any:
        def call(*arguments: Any, **options: Any) -> Any:
            if TaskContext.get() is task:
                return make(stock[at], *arguments, **options)
            # Spark reuses workers: this task may belong to a session that is not enabled.
            for (of, name), method in stock.items():
                setattr(of, name, staticmethod(method))
            return stock[at](*arguments, **options)

        call._stock_of_serow = stock[at]  # type: ignore[attr-defined]
        return staticmethod(call)

    for (of, name), make in functions.items():
        setattr(of, name, replaced((of, name), make))


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


def is_slow_result(of: Any) -> bool:
    """Tell whether PySpark makes Arrow arrays of a type so slowly that serow is worth an import."""
    from pyspark.sql import types
    from pyspark.sql.conversion import LocalDataToArrowConversion

    plain = (types.NullType, types.StringType, types.BinaryType)
    return LocalDataToArrowConversion._need_converter(of) and not isinstance(of, plain)


cloudpickle.register_pickle_by_value(sys.modules[__name__])


def arrival(of: type, *arguments: Any) -> tuple[Any, ...]:
    """Give the result of `__reduce__` for an instance of serow's class `of`."""
    return arrive, (of.__module__, of.__name__, arguments, serow.__version__)
