package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.fail;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Equality as serow means it: of types too, floats by their bits, small integers as Long, or as
 * BigInteger where rows have such.
 */
final class Same {
  private Same() {}

  /** Fails unless {@code actual} is what rows {@code expected} come back as. */
  static void assertSame(List<?> expected, List<?> actual) {
    assertInstanceOf(ArrayList.class, actual);
    boolean large = hasLarge(expected);
    assertEquals(expected.size(), actual.size(), "rows");
    for (int i = 0; i < expected.size(); i++) {
      if (!same(expected.get(i), actual.get(i), large)) {
        fail("row " + i + ": " + text(expected.get(i)) + " became " + text(actual.get(i)));
      }
    }
  }

  private static boolean hasLarge(Object value) {
    if (value instanceof Object[] fields) {
      return hasLarge(Arrays.asList(fields));
    }
    return value instanceof BigInteger
        || value instanceof List<?> elements && elements.stream().anyMatch(Same::hasLarge);
  }

  private static boolean same(Object expected, Object actual, boolean large) {
    if (expected == null || actual == null) {
      return expected == actual;
    }
    if (expected instanceof Object[] fields) {
      return actual.getClass() == Object[].class
          && same(Arrays.asList(fields), Arrays.asList((Object[]) actual), large);
    }
    if (expected instanceof List<?> elements) {
      return actual.getClass() == ArrayList.class && same(elements, (List<?>) actual, large);
    }
    if (expected instanceof Double number) {
      return actual instanceof Double other && sameBits(number, other);
    }
    if (expected instanceof Complex number) {
      return actual instanceof Complex other
          && sameBits(number.real(), other.real())
          && sameBits(number.imaginary(), other.imaginary());
    }
    if (RowWriter.isI64(expected)) {
      long number = ((Number) expected).longValue();
      return actual.equals(number) || large && actual.equals(BigInteger.valueOf(number));
    }
    if (expected instanceof byte[] bytes) {
      return actual instanceof byte[] other && Arrays.equals(bytes, other);
    }
    if (expected instanceof ByteBuffer buffer) {
      // Equal from position to limit, and from the beginning to the end of an array of its own.
      return actual instanceof ByteBuffer other
          && buffer.equals(other)
          && other.array().length == other.remaining();
    }
    return expected.getClass() == actual.getClass() && expected.equals(actual);
  }

  private static boolean sameBits(double a, double b) {
    return Double.doubleToRawLongBits(a) == Double.doubleToRawLongBits(b);
  }

  private static boolean same(List<?> expected, List<?> actual, boolean large) {
    if (expected.size() != actual.size()) {
      return false;
    }
    for (int i = 0; i < expected.size(); i++) {
      if (!same(expected.get(i), actual.get(i), large)) {
        return false;
      }
    }
    return true;
  }

  private static String text(Object value) {
    String text = Arrays.deepToString(new Object[] {value});
    return text.length() <= 500 ? text : text.substring(0, 500) + "...";
  }
}
