package io.github.serow.spark.rdd;

import com.esotericsoftware.kryo.Kryo;
import io.github.serow.spark.exact.ExactRows;
import io.github.serow.spark.exact.LoaderRows;
import io.github.serow.spark.exact.RowClasses;
import java.io.Serializable;
import java.lang.ref.SoftReference;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.KryoSerializer;
import scala.Tuple2;

/**
 * The settings of an application that decide which objects are rows and how blocks are made.
 *
 * <p>Spark copies a serializer for each task. So what is known about classes is kept for all
 * serializers with equal settings.
 */
public final class RowSettings implements Serializable {
  private static final long serialVersionUID = 1;

  /** Names of Java records, separated by commas. */
  private static final String CLASSES = "spark.serow.classes";

  /** A name in the context of a Kryo that can write records. */
  private static final String PREPARED = "serow";

  private static final String FRAMES = "spark.serow.frames";

  private static final String RELOCATION = "spark.serow.relocation";

  private static final List<String> PREFIXES =
      List.of("spark.kryo", "spark.serow.", "avro.schema.");

  private static final Map<RowSettings, SoftReference<LoaderRows>> KNOWN = new HashMap<>();

  private final TreeMap<String, String> values = new TreeMap<>();
  private final boolean frames;
  private final boolean relocation;

  /**
   * Reads the settings of an application.
   *
   * @throws IllegalArgumentException if a setting has a value that it cannot have
   */
  public RowSettings(SparkConf conf) {
    frames = conf.getBoolean(FRAMES, true);
    relocation = conf.getBoolean(RELOCATION, true);
    for (Tuple2<String, String> each : conf.getAll()) {
      if (PREFIXES.stream().anyMatch(each._1::startsWith)) {
        values.put(each._1, each._2);
      }
    }
  }

  /** Whether large blocks may become frames, which need the native library. */
  boolean frames() {
    return frames;
  }

  /** Whether Spark may reorder rows of a shuffle that are bytes already. */
  public boolean relocation() {
    return relocation;
  }

  /** Rows of the classes that {@code loader} finds. */
  ExactRows rows(ClassLoader loader) {
    LoaderRows rows;
    synchronized (KNOWN) {
      SoftReference<LoaderRows> reference = KNOWN.get(this);
      rows = reference == null ? null : reference.get();
      if (rows == null) {
        rows = new LoaderRows(this::classes);
        KNOWN.put(this, new SoftReference<>(rows));
      }
    }
    return rows.of(loader);
  }

  private RowClasses classes(ClassLoader loader) {
    SparkConf conf = new SparkConf(false);
    values.forEach(conf::set);
    return new KryoRowClasses(
        kryo(conf, loader), kryo(new SparkConf(false), loader), loader, records());
  }

  /** A new Kryo that loads the classes to register with {@code loader}. */
  private static Kryo kryo(SparkConf conf, ClassLoader loader) {
    KryoSerializer serializer = new KryoSerializer(conf);
    serializer.setDefaultClassLoader(loader);
    return serializer.newKryo();
  }

  /** Lets a Kryo write Java records, once. */
  @SuppressWarnings("unchecked") // Kryo's context has no type.
  void prepare(Kryo kryo) {
    if (kryo.getContext().containsKey(PREPARED)) {
      return;
    }
    kryo.addDefaultSerializer(Record.class, RecordSerializer.class);
    for (String name : records()) {
      try {
        Class<?> type = Class.forName(name, false, kryo.getClassLoader());
        kryo.register(type, new RecordSerializer(kryo, type));
      } catch (ClassNotFoundException error) {
        throw new IllegalArgumentException(
            CLASSES + " names the class " + name + ", which is missing", error);
      }
    }
    kryo.getContext().put(PREPARED, true);
  }

  private Set<String> records() {
    return Arrays.stream(values.getOrDefault(CLASSES, "").split(","))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toSet());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowSettings that && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }
}
