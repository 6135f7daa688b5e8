/**
 * Lines of text files for PySpark. {@code python/serow/spark} calls {@link
 * io.github.serow.spark.text.Texts}. The package uses no classes of serow's other jars.
 */
package io.github.serow.spark.text;
