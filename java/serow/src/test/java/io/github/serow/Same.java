package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Equality as serow means it: of types too, floats by their bits, small integers as Long. */
final class Same {
  private Same() {}

  /** Fails unless {@code actual} is what rows {@code expected} come back as. */
  static void assertSame(List<?> expected, List<?> actual) {
    assertInstanceOf(ArrayList.class, actual);
    assertEquals(expected.size(), actual.size(), "rows");
    for (int i = 0; i < expected.size(); i++) {
      if (!same(expected.get(i), actual.get(i))) {
        fail("row " + i + ": " + text(expected.get(i)) + " became " + text(actual.get(i)));
      }
    }
  }

  private static boolean same(Object expected, Object actual) {
    if (expected == null || actual == null) {
      return expected == actual;
    }
    if (expected instanceof Object[] fields) {
      return actual.getClass() == Object[].class
          && same(Arrays.asList(fields), Arrays.asList((Object[]) actual));
    }
    if (expected instanceof List<?> elements) {
      return actual.getClass() == ArrayList.class && same(elements, (List<?>) actual);
    }
    if (expected instanceof Double number) {
      return actual instanceof Double other
          && Double.doubleToRawLongBits(number) == Double.doubleToRawLongBits(other);
    }
    if (expected instanceof Integer || expected instanceof Short || expected instanceof Byte) {
      return actual.equals(((Number) expected).longValue());
    }
    return expected.equals(actual);
  }

  private static boolean same(List<?> expected, List<?> actual) {
    if (expected.size() != actual.size()) {
      return false;
    }
    for (int i = 0; i < expected.size(); i++) {
      if (!same(expected.get(i), actual.get(i))) {
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
