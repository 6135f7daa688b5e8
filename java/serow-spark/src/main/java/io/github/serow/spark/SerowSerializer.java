package io.github.serow.spark;

import io.github.serow.spark.rdd.Refusals;
import io.github.serow.spark.rdd.RowSettings;
import io.github.serow.spark.rdd.SerowInstance;
import java.io.Serializable;
import org.apache.spark.SparkConf;
import org.apache.spark.internal.config.Kryo$;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import scala.Option;

/**
 * A serializer for Spark's RDDs. It writes objects of data classes as serow's rows, and leaves all
 * others to Kryo. The same objects come back as from {@code KryoSerializer}, in fewer bytes and in
 * less time. All settings of {@code spark.kryo} and {@code spark.kryoserializer} apply.
 *
 * <pre>{@code
 * SparkConf conf = new SparkConf().set("spark.serializer", SerowSerializer.class.getName());
 * JavaSparkContext context = new JavaSparkContext(conf);
 * }</pre>
 *
 * <p>Many threads may share a serializer. Spark sends it to executors inside of shuffles, by Java's
 * serialization.
 */
public final class SerowSerializer extends Serializer implements Serializable {
  private static final long serialVersionUID = 1;

  /** A class of the jar {@code serow}. */
  private static final String LIBRARY = "io.github.serow.Serow";

  private final KryoSerializer kryo;
  private final boolean unsafe;
  private final boolean pooled;
  private final RowSettings rows;

  /**
   * Spark calls this with the configuration of the application.
   *
   * @throws IllegalArgumentException if a setting has a value that it cannot have
   */
  public SerowSerializer(SparkConf conf) {
    requireLibrary();
    kryo = new KryoSerializer(conf);
    unsafe = (Boolean) conf.get(Kryo$.MODULE$.KRYO_USE_UNSAFE());
    pooled = (Boolean) conf.get(Kryo$.MODULE$.KRYO_USE_POOL());
    rows = new RowSettings(conf);
  }

  private static void requireLibrary() {
    try {
      Class.forName(LIBRARY, false, SerowSerializer.class.getClassLoader());
    } catch (ClassNotFoundException missing) {
      throw new IllegalStateException(
          "serow's library is missing: add the jar serow, besides serow-spark, to the class path of the"
              + " driver and of all executors (spark.driver.extraClassPath,"
              + " spark.executor.extraClassPath)",
          missing);
    }
  }

  /**
   * Sets the loader for classes that bytes name. It holds for instances that are created later.
   * Without it the thread's context loader is taken.
   */
  @Override
  public Serializer setDefaultClassLoader(ClassLoader loader) {
    kryo.setDefaultClassLoader(loader);
    return super.setDefaultClassLoader(loader);
  }

  /** Creates what one thread serializes with. */
  @Override
  public SerializerInstance newInstance() {
    Option<ClassLoader> set = kryo.defaultClassLoader();
    ClassLoader loader =
        set.isDefined() ? set.get() : Thread.currentThread().getContextClassLoader();
    return new SerowInstance(kryo, rows, unsafe, pooled, loader);
  }

  /**
   * Says how many objects Kryo wrote in this JVM, and why they were no rows. Each executor has a
   * JVM of its own, so this is about all tasks only in local mode; the reasons are also in the log
   * of each executor, at level DEBUG of {@code io.github.serow.spark}.
   */
  public static String explain() {
    return Refusals.explain();
  }

  /**
   * Whether Spark may reorder the bytes between two flushes. They allow it. But then a shuffle to
   * many partitions makes each row a block of its own, so {@code spark.serow.relocation} can switch
   * it off. Kryo says no if a registrator has switched off that it forgets objects after each call.
   */
  @Override
  public boolean supportsRelocationOfSerializedObjects() {
    return rows.relocation() && kryo.supportsRelocationOfSerializedObjects();
  }
}
