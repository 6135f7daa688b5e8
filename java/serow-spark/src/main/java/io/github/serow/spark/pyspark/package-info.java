/**
 * Rows of DataFrames to PySpark and from it. {@code python/serow/spark} calls {@link
 * io.github.serow.spark.pyspark.PythonBridge}. PySpark's JVM has none of serow's other jars, so the
 * package uses none of their classes.
 */
package io.github.serow.spark.pyspark;
