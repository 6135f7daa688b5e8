package io.github.serow.internal.logical;

import io.github.serow.internal.wire.TypeMismatch;

/** Java's classes of integers with at most 64 bits. */
public final class Integers {
  private Integers() {}

  public static boolean isI64(Object value) {
    return value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte;
  }

  /** The value of an object of one of these classes. */
  public static long i64(Object value) {
    return value instanceof Long number ? number : smallInteger(value);
  }

  private static long smallInteger(Object value) {
    if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
      return ((Number) value).longValue();
    }
    throw new TypeMismatch(value);
  }
}
