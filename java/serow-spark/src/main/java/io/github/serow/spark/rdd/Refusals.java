package io.github.serow.spark.rdd;

import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** How many objects went to Kryo in this JVM, and why. */
public final class Refusals {
  /** The most reasons to keep. */
  private static final int MOST = 100;

  private static final System.Logger LOG = System.getLogger("io.github.serow.spark");

  private static final Map<String, LongAdder> COUNTS = new ConcurrentHashMap<>();

  private Refusals() {}

  /** Counts objects that went to Kryo for this reason. Logs a new reason. */
  static void count(String reason, long objects) {
    LongAdder known = COUNTS.get(reason);
    if (known == null) {
      if (COUNTS.size() >= MOST) {
        return;
      }
      known = COUNTS.computeIfAbsent(reason, each -> new LongAdder());
      LOG.log(System.Logger.Level.DEBUG, "Kryo writes objects that are no rows: {0}", reason);
    }
    known.add(objects);
  }

  /** A line for each reason, those with most objects first. */
  public static String explain() {
    if (COUNTS.isEmpty()) {
      return "All objects became rows.";
    }
    return COUNTS.entrySet().stream()
        .sorted(Comparator.comparing(each -> -each.getValue().sum()))
        .map(each -> String.format("%,d objects: %s", each.getValue().sum(), each.getKey()))
        .collect(Collectors.joining("\n", "Kryo wrote these objects:\n", ""));
  }
}
