"""Python data sources, of whose rows serow makes Arrow batches in workers, and rows of batches.

Spark hands a data source from worker to worker as a pickle: the first worker calls the class, the
next one asks the instance for a reader, and the workers of tasks read. PySpark's function that
makes batches gets the rows and the instance. So each worker notes which instances are of enabled
sessions, and pickles them so that the next worker notes them too. Instances and their classes stay
as they are.

If rows are written, the first worker asks the instance for a writer too, and pickles a function
for the workers of tasks, which converts batches to rows for the writer. So that worker pickles
another function if the instance is of an enabled session.
"""

import copy
import copyreg
import functools
import importlib
import inspect
import pickle
import sys
import weakref
from abc import ABCMeta
from collections.abc import Callable
from typing import Any

import serow
from serow.spark import _arrival

#: PySpark's function that makes batches, its parameters, and the modules that call it. One of them
#: is the main module of a worker that Spark starts without its daemon.
_MAKES = "records_to_arrow_batches"
_PARAMETERS = ["output_iter", "max_arrow_batch_size", "return_type", "data_source"]
_READS = "pyspark.sql.worker.plan_data_source_read"
_CALLERS = (_READS, "pyspark.sql.streaming.python_streaming_source_runner", "__main__")
#: PySpark's serializer, and the modules that pickle functions for writers with it.
_PICKLES = "pickleSer"
_WRITERS = ("pyspark.sql.worker.write_into_data_source", "__main__")

#: The data sources of enabled sessions that live in this process, by their ids.
_carried: "weakref.WeakValueDictionary[int, Any]" = weakref.WeakValueDictionary()


class Registered:
    """Replaces the class of a data source when it is registered."""

    def __init__(self, of: Any) -> None:
        """Replace the class `of`."""
        self._of = of

    def name(self) -> str:
        """Give the name of the data source."""
        return self._of.name()  # type: ignore[no-any-return]

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrival.data_source_class, (self._of, serow.__version__)


def caller(of: Any) -> Any:
    """Give what a worker takes as the class of data sources; a call gives a carried instance."""
    from pyspark.sql.datasource import DataSource

    if not (isinstance(of, type) and issubclass(of, DataSource)):
        return of

    def create(_: Any, *arguments: Any, **options: Any) -> Any:
        return carry(of(*arguments, **options))

    # Errors name the class and its own class.
    names = {name: getattr(of, name) for name in ("name", "__doc__", "__module__", "__qualname__")}
    return type(type(of).__name__, (ABCMeta,), {"__call__": create})(
        of.__name__, (DataSource,), names
    )


def carry(source: Any) -> Any:
    """Let serow make the batches of a data source, here and in workers that get it as a pickle."""
    _carried[id(source)] = source
    of = type(source)
    stock = copyreg.dispatch_table.get(of)
    if not isinstance(stock, _Reducer):
        copyreg.pickle(of, _Reducer(stock))
    _replace()
    return source


class _Reducer:
    """Pickles the data sources of a class."""

    def __init__(self, stock: Callable[[Any], Any] | None) -> None:
        """`stock` pickles them without serow; None if they have a method for that."""
        self._stock = stock

    def __call__(self, source: Any) -> Any:
        if self._stock is None:
            reduced = source.__reduce_ex__(pickle.HIGHEST_PROTOCOL)
        else:
            reduced = self._stock(source)
        if not (_is_carried(source) and isinstance(reduced, tuple)):
            return reduced
        make, arguments, *state = reduced
        return (_arrival.data_source, (make, arguments, serow.__version__), *state)


def _is_carried(source: Any) -> bool:
    return id(source) in _carried


def _replace() -> None:
    """Replace parts of PySpark in this process. For sources that are not carried, they run."""
    for module in map(sys.modules.get, _WRITERS):
        stock = getattr(module, _PICKLES, None)
        if hasattr(stock, "_write_with_length") and not isinstance(stock, _Pickles):
            setattr(module, _PICKLES, _Pickles(stock))
    replacement = _replacement()
    if replacement is None:
        return
    for module in map(sys.modules.get, _CALLERS):
        if hasattr(module, _MAKES):
            setattr(module, _MAKES, replacement)


class _Pickles:
    """PySpark's serializer, which pickles other functions for writers of carried sources."""

    def __init__(self, stock: Any) -> None:
        """Replace `stock`."""
        self._stock = stock

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stock, name)

    def __reduce__(self) -> tuple[Any, ...]:
        # Functions for writers use it too.
        return copy.copy, (self._stock,)

    def _write_with_length(self, command: Any, stream: Any) -> None:
        found = sys._getframe(1).f_locals
        if isinstance(command, tuple) and _is_carried(found.get("data_source")):
            function, *others = command
            options = {name: found[name] for name in ("binary_as_bytes",) if name in found}
            command = (_Write(function, found.get("schema"), options), *others)
        self._stock._write_with_length(command, stream)


class _Write:
    """Replaces the function for a writer in a command."""

    def __init__(self, function: Any, schema: Any, options: dict[str, Any]) -> None:
        """Replace `function`, whose converters are of this schema and have these options."""
        self._arguments = function, schema, options

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrival.data_source_write, (*self._arguments, serow.__version__)


@functools.cache
def _replacement() -> Callable[..., Any] | None:
    """Make the replacement of PySpark's function; None if that is not as expected."""
    stock = getattr(importlib.import_module(_READS), _MAKES, None)
    if stock is None or list(inspect.signature(stock).parameters) != _PARAMETERS:
        return None
    from serow.spark import given_batches

    # With the names of PySpark's function it is pickled as that.
    @functools.wraps(stock)
    def make(*arguments: Any, **options: Any) -> Any:
        if options or len(arguments) != len(_PARAMETERS) or not _is_carried(arguments[-1]):
            return stock(*arguments, **options)
        return given_batches.batches(stock, *arguments)

    return make
