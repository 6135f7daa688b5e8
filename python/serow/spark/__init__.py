"""serow for stock PySpark.

`docs/pyspark.md` has what is carried, and what is left to Spark.
"""

from serow.spark.jar import configure, jar
from serow.spark.session import disable_session as disable
from serow.spark.session import enable_session as enable

__all__ = ["configure", "disable", "enable", "jar"]
