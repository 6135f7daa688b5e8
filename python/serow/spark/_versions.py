"""What has another name or another shape in some versions of PySpark, under one name each.

Workers import none of this: it is about DataFrames and what the JVM serves them.
"""

from contextlib import AbstractContextManager
from typing import Any

from pyspark.serializers import Serializer

try:
    from pyspark.sql.classic.dataframe import DataFrame
    from pyspark.util import _load_from_socket, _local_iterator_from_socket
except ImportError:  # before Spark 4.0
    from pyspark.rdd import _load_from_socket, _local_iterator_from_socket
    from pyspark.sql.dataframe import DataFrame

__all__ = ["DataFrame", "load_all", "local_iterator"]

#: Reads what the JVM serves, a partition at a time, each when it is asked for.
local_iterator = _local_iterator_from_socket


def load_all(served: Any, serializer: Serializer) -> list[Any]:
    """Read all that the JVM serves."""
    loaded = _load_from_socket(served, serializer)
    if not isinstance(loaded, AbstractContextManager):  # before Spark 4.2
        return list(loaded)
    with loaded as items:
        return list(items)
