"""Contexts whose texts come to Python faster.

This module replaces two functions of PySpark. RDDs of lines read them in bulk, and if the JVM has
serow's jar, `textFile` finds the lines of files faster.
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
#: The enabled contexts, each with `io.github.serow.spark.text.Texts` if its JVM has the class.
_enabled: "weakref.WeakKeyDictionary[SparkContext, JavaClass | None]" = weakref.WeakKeyDictionary()
#: The original functions behind `_init_with_lines` and `textFile`.
_init: Callable[..., None] = RDD.__init__
_stock_text_file = SparkContext.textFile


def _init_with_lines(self: Any, jrdd: Any, ctx: Any, *args: Any, **kwargs: Any) -> None:
    _init(self, jrdd, ctx, *args, **kwargs)
    reader = self._jrdd_deserializer
    # The exact class only: its subclasses may read something else.
    if type(reader) is UTF8Deserializer and ctx in _enabled:
        self._jrdd_deserializer = Lines(reader.use_unicode)


# Spark's UI shows the name of this function.
@functools.wraps(SparkContext.textFile)
def textFile(  # noqa: N802
    self: SparkContext,
    name: str,
    minPartitions: int | None = None,  # noqa: N803
    use_unicode: bool = True,
) -> "RDD[str]":
    """Give the lines of files, like Spark's own method."""
    texts = _enabled.get(self)
    if texts is None:
        return _stock_text_file(self, name, minPartitions, use_unicode)
    if not minPartitions:
        minPartitions = min(self.defaultParallelism, 2)  # noqa: N806
    with CallSite(self):
        lines = texts.lines(self._jsc, name, minPartitions)
    return RDD(lines, self, UTF8Deserializer(use_unicode))


def enable(context: SparkContext) -> None:
    """Make texts faster in RDDs that `context` creates from now on."""
    global _init, _stock_text_file
    assert context._jvm is not None
    texts = context._jvm.io.github.serow.spark.text.Texts
    with _lock:
        # py4j treats a name without a class as a package.
        _enabled[context] = texts if isinstance(texts, JavaClass) else None
        if RDD.__init__ is not _init_with_lines:
            _init, _stock_text_file = RDD.__init__, SparkContext.textFile
            RDD.__init__ = _init_with_lines
            SparkContext.textFile = textFile


def disable(context: SparkContext) -> None:
    """Undo `enable` for RDDs that `context` creates from now on."""
    with _lock:
        _enabled.pop(context, None)
        if not _enabled and RDD.__init__ is _init_with_lines:
            RDD.__init__ = _init
            SparkContext.textFile = _stock_text_file
