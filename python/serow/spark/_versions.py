"""One name for each thing that differs between versions of PySpark.

Only drivers import this module: it deals with DataFrames and with data that the JVM serves.
"""

from contextlib import AbstractContextManager
from typing import Any

import pyspark
from pyspark.serializers import Serializer

try:
    from pyspark.sql.classic.dataframe import DataFrame
    from pyspark.util import PythonEvalType, _load_from_socket, _local_iterator_from_socket
except ImportError:  # before Spark 4.0
    from pyspark.rdd import PythonEvalType, _load_from_socket, _local_iterator_from_socket
    from pyspark.sql.dataframe import DataFrame

try:
    from pyspark.sql.datasource import DataSourceRegistration
except ImportError:  # before Spark 4.0
    DataSourceRegistration = None

__all__ = [
    "CONVERTS_GIVEN_ROWS",
    "DataFrame",
    "DataSourceRegistration",
    "PythonEvalType",
    "load_all",
    "local_iterator",
]

#: Whether Spark makes tuples of the rows of a list also if their schema is given.
CONVERTS_GIVEN_ROWS = tuple(map(int, pyspark.__version__.split(".")[:2])) >= (4, 1)

#: Reads data that the JVM serves, one partition at a time and only on request.
local_iterator = _local_iterator_from_socket


def load_all(served: Any, serializer: Serializer) -> list[Any]:
    """Read all data that the JVM serves, or raise the error that has ended it too early."""
    loaded = _load_from_socket(served, serializer)
    if isinstance(loaded, AbstractContextManager):
        with loaded as items:
            found = list(items)
    else:  # before Spark 4.2
        found = list(loaded)
    # The JVM makes the data while it serves it. After an error it only closes the socket.
    _, _, server = served
    server.getResult()
    return found
