"""Arrow tables of rows from Python, as the client of Spark Connect sends them."""

from collections.abc import Callable
from typing import Any

import pyarrow as pa
from pyspark.sql.conversion import LocalDataToArrowConversion
from pyspark.sql.types import StructType

from serow.spark.given_arrays import Columns

#: Makes a table of rows and their schema by Spark's own function.
Stock = Callable[[list[Any], StructType], pa.Table]


def table(data: list[Any], schema: StructType, stock: Stock) -> pa.Table | None:
    """Make the table that Spark makes; None if Spark has to, or has an error to raise."""
    if not schema.fields:
        return None
    try:
        # Spark's own schema, whatever its version makes of the types.
        wanted = stock(data[:1], schema).schema
        columns = Columns(schema, LocalDataToArrowConversion._create_converter)
        made = columns.of_rows(data, wanted.types)
        return pa.Table.from_arrays(made, schema=wanted)
    except MemoryError:
        raise
    except Exception:
        return None
