package io.github.serow.spark.pyspark;

import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;

/**
 * The rows that {@code SparkPlan.executeCollect} gives. Most plans collect the rows of a partition
 * as compressed bytes. This iterator decodes them one at a time, so that Python reads the first
 * rows while later ones are decoded, and the JVM does not keep objects of all rows.
 */
final class CollectedRows implements Iterator<InternalRow> {
  private final scala.collection.Iterator<InternalRow> rows;

  private CollectedRows(scala.collection.Iterator<InternalRow> rows) {
    this.rows = rows;
  }

  /** Runs the plan and collects its rows. */
  static Iterator<InternalRow> of(SparkPlan plan) {
    if (hasOwnWay(plan)) {
      return Arrays.asList(plan.executeCollect()).iterator();
    }
    return new CollectedRows(plan.executeCollectIterator()._2());
  }

  /** Whether a plan collects its rows in another way: limits and local data, for example. */
  static boolean hasOwnWay(SparkPlan plan) {
    SparkPlan root = plan instanceof AdaptiveSparkPlanExec by ? by.initialPlan() : plan;
    try {
      return root.getClass().getMethod("executeCollect").getDeclaringClass() != SparkPlan.class;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean hasNext() {
    return rows.hasNext();
  }

  @Override
  public InternalRow next() {
    return rows.next();
  }
}
