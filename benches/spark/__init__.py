"""serow in PySpark beside PySpark alone."""
