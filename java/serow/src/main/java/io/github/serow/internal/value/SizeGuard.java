package io.github.serow.internal.value;

import io.github.serow.internal.wire.Limits;

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
    Object[] parts = left < 0 ? null : ValueKind.parts(ValueNormalizer.plain(value));
    if (parts == null) {
      return;
    }
    left = depth > Limits.MAX_DEPTH ? -1 : left - parts.length - Limits.CONTAINER_ELEMENTS;
    for (int i = 0; i < parts.length && left >= 0; i++) {
      add(parts[i], depth + 1);
    }
  }
}
