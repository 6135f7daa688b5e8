package io.github.serow.spark.exact;

import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Whether a large row would be much smaller if each object were written once. An immutable object
 * that occurs a thousand times, such as a map of settings in each element of a list, is written a
 * thousand times.
 *
 * <p>The size of an object is the number of values in it, and that of a text grows with its length.
 */
final class Repetition {
  /** How much larger a row may become by repetition. */
  private static final int MOST = 8;

  /** The number of chars of a text that count as a value. */
  private static final int CHARS = 8;

  private final ExactClasses classes;

  /** The sizes of the objects that were found. */
  private final Map<Object, Long> sizes = new IdentityHashMap<>();

  /** The size of the row if each object were written once. */
  private long once;

  private Repetition(ExactClasses classes) {
    this.classes = classes;
  }

  /** Whether it is so in one of these objects, which have layouts. */
  static boolean isIn(Object[] graphs, ExactClasses classes) throws MisfitException {
    for (Object graph : graphs) {
      Repetition repetition = new Repetition(classes);
      if (repetition.size(graph) > MOST * repetition.once) {
        return true;
      }
    }
    return false;
  }

  private long size(Object value) throws MisfitException {
    if (value == null) {
      once++;
      return 1;
    }
    ExactClass of = classes.of(value.getClass());
    if (of.parts == 0 && !(value instanceof String)) {
      once++;
      return 1;
    }
    Long known = sizes.get(value);
    if (known != null) {
      return known;
    }
    long own = value instanceof String text ? 1 + text.length() / CHARS : 1;
    once += own;
    long[] size = {own};
    of.visit(value, (part, inner) -> size[0] = Math.addExact(size[0], size(inner)));
    sizes.put(value, size[0]);
    return size[0];
  }
}
