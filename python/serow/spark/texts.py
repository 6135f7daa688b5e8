"""Contexts whose texts come to Python faster.

Two things are replaced in PySpark. An RDD whose elements come as lines is made to read them in
bulk; and `textFile` leaves out Java's strings, if the JVM has serow's jar.
"""

import functools
import threading
import weakref
from collections.abc import Callable
from typing import Any

from py4j.java_gateway import JavaClass
from pyspark import RDD, SparkContext
from pyspark.serializers import UTF8Deserializer

from serow.spark._call_site import CallSite
from serow.spark.lines import Lines

_lock = threading.Lock()
#: The contexts that are enabled, each with `io.github.serow.spark.Texts`, if its JVM has that.
_enabled: "weakref.WeakKeyDictionary[SparkContext, JavaClass | None]" = weakref.WeakKeyDictionary()
#: What stood there before `_init_with_lines` and `textFile`.
_init: Callable[..., None] = RDD.__init__
_stock_text_file = SparkContext.textFile


def _init_with_lines(self: Any, jrdd: Any, ctx: Any, *args: Any, **kwargs: Any) -> None:
    _init(self, jrdd, ctx, *args, **kwargs)
    reader = self._jrdd_deserializer
    # Not one of its subclasses, about which nothing is known; nor ours.
    if type(reader) is UTF8Deserializer and ctx in _enabled:
        self._jrdd_deserializer = Lines(reader.use_unicode)


# The UI shows the name of the function that a user's call has come to.
@functools.wraps(SparkContext.textFile)
def textFile(  # noqa: N802
    self: SparkContext,
    name: str,
    minPartitions: int | None = None,  # noqa: N803
    use_unicode: bool = True,
) -> "RDD[str]":
    """Give the lines of files, as Spark's own method does."""
    texts = _enabled.get(self)
    if texts is None:
        return _stock_text_file(self, name, minPartitions, use_unicode)
    if not minPartitions:
        minPartitions = min(self.defaultParallelism, 2)  # noqa: N806
    with CallSite(self):
        lines = texts.lines(self._jsc, name, minPartitions)
    return RDD(lines, self, UTF8Deserializer(use_unicode))


def enable(context: SparkContext) -> None:
    """Have texts come faster in RDDs that `context` makes from now on."""
    global _init, _stock_text_file
    assert context._jvm is not None
    texts = context._jvm.io.github.serow.spark.Texts
    with _lock:
        # py4j takes whatever is no class for a package.
        _enabled[context] = texts if isinstance(texts, JavaClass) else None
        if RDD.__init__ is not _init_with_lines:
            _init, _stock_text_file = RDD.__init__, SparkContext.textFile
            RDD.__init__ = _init_with_lines
            SparkContext.textFile = textFile


def disable(context: SparkContext) -> None:
    """Have texts come as Spark has them come in RDDs that `context` makes from now on."""
    with _lock:
        _enabled.pop(context, None)
        if not _enabled and RDD.__init__ is _init_with_lines:
            RDD.__init__ = _init
            SparkContext.textFile = _stock_text_file
