package io.github.serow.spark.pyspark;

import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.python.PythonRDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import scala.Option;

/**
 * Gives the rows of a DataFrame to Python as batches of bytes ({@link RowBatches}) instead of
 * pickles. {@code serow.spark} calls these methods. Each corresponds to a method that PySpark
 * calls: it has the same kind of result, and Spark's UI and listeners see the same.
 */
public final class PythonBridge {
  private PythonBridge() {}

  /** Corresponds to {@code Dataset.javaToPython}. */
  public static JavaRDD<byte[]> rdd(Object dataset) {
    QueryExecution execution = Datasets.queryExecution(dataset);
    StructType schema = execution.analyzed().schema();
    return execution.toRdd().toJavaRDD().mapPartitions((rows) -> new RowBatches(rows, schema));
  }

  /** Corresponds to {@code Dataset.collectToPython}. */
  public static Object[] collect(Object dataset) {
    StructType schema = Datasets.queryExecution(dataset).analyzed().schema();
    return Datasets.action(
        dataset, "collectToPython", plan -> serve(CollectedRows.of(plan), schema));
  }

  /** Corresponds to {@code Dataset.tailToPython}. */
  public static Object[] tail(Object dataset, int count) {
    StructType schema = Datasets.queryExecution(dataset).analyzed().schema();
    return Datasets.action(
        dataset,
        "tailToPython",
        plan -> serve(Arrays.asList(plan.executeTail(count)).iterator(), schema));
  }

  /** Corresponds to {@code Dataset.toPythonIterator}. */
  public static Object[] iterator(Object dataset, boolean prefetch) {
    return SQLExecution.withNewExecutionId(
        Datasets.queryExecution(dataset),
        Option.empty(),
        () -> PythonRDD.toLocalIteratorAndServe(rdd(dataset).rdd(), prefetch));
  }

  /** Corresponds to {@code SparkSession.applySchemaToPythonRDD}, for {@link RowsFromPython}. */
  public static Object dataFrame(Object session, JavaRDD<byte[]> batches, String schemaJson) {
    StructType schema = (StructType) DataType.fromJson(schemaJson);
    JavaRDD<InternalRow> rows = batches.mapPartitions(all -> new RowsFromPython(all, schema));
    return Datasets.dataFrame(session, rows.rdd(), schema);
  }

  private static Object[] serve(Iterator<InternalRow> rows, StructType schema) {
    RowBatches batches = new RowBatches(rows, schema);
    return PythonRDD.serveIterator(new ServedBatches(batches), "serve-DataFrame");
  }
}
