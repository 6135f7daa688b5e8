package io.github.serow.internal.value;

import io.github.serow.internal.wire.Limits;
import java.util.Collection;
import java.util.Map;

/**
 * Checks that a value does not exceed the size of a row, before it is walked otherwise. A value may
 * contain itself, or share one list so often that a walk would never end.
 */
public final class SizeGuard {
  private int left = Limits.MAX_ROW_ELEMENTS;

  private SizeGuard() {}

  /** Whether {@code value} is within the limits for depth and number of elements. */
  public static boolean isWithin(Object value) {
    return areWithin(new Object[] {value}, 1);
  }

  /** Whether every {@code step}th value is within the limits, and all of them together. */
  public static boolean areWithin(Object[] values, int step) {
    SizeGuard extent = new SizeGuard();
    for (int i = 0; i < values.length; i += step) {
      extent.add(values[i], 0);
    }
    return extent.left >= 0;
  }

  private void add(Object value, int depth) {
    if (left < 0) {
      return;
    }
    Object plain = ValueNormalizer.plain(value);
    switch (ValueKind.of(plain)) {
      case TUPLE -> addAll((Object[]) plain, depth);
      case RECORD -> addAll(ValueKind.fields(plain), depth);
      case MAP -> {
        Map<?, ?> map = (Map<?, ?>) plain;
        if (enters(map.size(), depth)) {
          map.forEach(
              (key, mapped) -> {
                add(key, depth + 1);
                add(mapped, depth + 1);
              });
        }
      }
      default -> {
        if (plain instanceof Collection<?> elements && enters(elements.size(), depth)) {
          elements.forEach(element -> add(element, depth + 1));
        }
      }
    }
  }

  private void addAll(Object[] values, int depth) {
    if (enters(values.length, depth)) {
      for (Object value : values) {
        add(value, depth + 1);
      }
    }
  }

  /** Counts a container with this number of elements. Returns false once the value is too large. */
  private boolean enters(int elements, int depth) {
    left = depth > Limits.MAX_DEPTH ? -1 : left - elements - Limits.CONTAINER_ELEMENTS;
    return left >= 0;
  }
}
