package io.github.serow;

import java.util.Collection;
import java.util.Map;

/**
 * Whether a value has no more in it than a row may have. It may hold itself, or one list so many
 * times that going through it would never end; so this is asked before anything is made of it.
 */
final class Extent {
  private int left = RowShapes.MAX_ELEMENTS;

  private Extent() {}

  /** True if {@code value} nests no deeper than rows may, and has no more elements. */
  static boolean isWithin(Object value) {
    return areWithin(new Object[] {value}, 1);
  }

  /** True if every {@code step}th of the values is so, and all of them together. */
  static boolean areWithin(Object[] values, int step) {
    Extent extent = new Extent();
    for (int i = 0; i < values.length; i += step) {
      extent.add(values[i], 0);
    }
    return extent.left >= 0;
  }

  private void add(Object value, int depth) {
    if (left < 0) {
      return;
    }
    Object plain = PlainRows.plain(value);
    if (plain instanceof Object[] fields) {
      addAll(fields, depth);
    } else if (plain instanceof Collection<?> elements) {
      if (enters(elements.size(), depth)) {
        elements.forEach(element -> add(element, depth + 1));
      }
    } else if (plain instanceof Map<?, ?> map) {
      if (enters(map.size(), depth)) {
        map.forEach(
            (key, mapped) -> {
              add(key, depth + 1);
              add(mapped, depth + 1);
            });
      }
    } else if (plain instanceof Row row) {
      addAll(row.sharedValues(), depth);
    } else if (RowWriter.isRecord(plain)) {
      addAll(RecordClass.of(plain.getClass()).fields(plain), depth);
    }
  }

  private void addAll(Object[] values, int depth) {
    if (enters(values.length, depth)) {
      for (Object value : values) {
        add(value, depth + 1);
      }
    }
  }

  /** Count a container with so many elements. False if nothing more is to be counted. */
  private boolean enters(int elements, int depth) {
    left = depth > RowShapes.MAX_DEPTH ? -1 : left - elements - RowShapes.CONTAINER_ELEMENTS;
    return left >= 0;
  }
}
