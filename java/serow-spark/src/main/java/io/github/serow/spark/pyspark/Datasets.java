package io.github.serow.spark.pyspark;

import io.github.serow.spark.Unchecked;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.StructType;
import scala.Function1;

/**
 * Calls methods of a {@code Dataset} and of a session by reflection. The class of a dataset is
 * {@code org.apache.spark.sql.Dataset} in Spark 3.5 and {@code
 * org.apache.spark.sql.classic.Dataset} since 4.0, so code compiled against one does not run on the
 * other.
 */
final class Datasets {
  private Datasets() {}

  static QueryExecution queryExecution(Object dataset) {
    return (QueryExecution) call(dataset, method(dataset.getClass(), "queryExecution", 0));
  }

  /**
   * Runs {@code action} on the dataset's plan like Spark's own actions: with an execution id for
   * the UI, new metrics, and a notification of listeners about {@code name}.
   */
  static Object[] action(Object dataset, String name, Function1<SparkPlan, Object[]> action) {
    Method withAction = method(dataset.getClass(), "withAction", 3);
    return (Object[]) call(dataset, withAction, name, queryExecution(dataset), action);
  }

  /** Creates a DataFrame from rows in Spark's own format. */
  static Object dataFrame(Object session, RDD<InternalRow> rows, StructType schema) {
    Method create = method(session.getClass(), "internalCreateDataFrame", 3);
    return call(session, create, rows, schema, false);
  }

  /**
   * Finds a method. {@code withAction} is private, and Scala extends the names of some private
   * methods.
   */
  private static Method method(Class<?> of, String name, int parameters) {
    for (Class<?> type = of; type != null; type = type.getSuperclass()) {
      for (Method method : type.getDeclaredMethods()) {
        boolean named = method.getName().equals(name) || method.getName().endsWith("$$" + name);
        if (named && method.getParameterCount() == parameters) {
          method.setAccessible(true);
          return method;
        }
      }
    }
    throw new IllegalStateException(
        of.getName()
            + " has no method "
            + name
            + ": serow does not know this version of Spark; call serow.spark.disable(spark)");
  }

  private static Object call(Object target, Method method, Object... arguments) {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      // Python recognizes Spark's errors by their class.
      throw Unchecked.unchanged(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
