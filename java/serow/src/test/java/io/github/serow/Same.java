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

  static void assertSame(List<?> expected, List<?> actual) {
    assertInstanceOf(ArrayList.class, actual);
    assertEquals(expected.size(), actual.size(), "rows");
    for (int i = 0; i < expected.size(); i++) {
      assertSame("row " + i, expected.get(i), actual.get(i));
    }
  }

  private static void assertSame(String where, Object expected, Object actual) {
    if (expected instanceof Object[] tuple) {
      assertEquals(Object[].class, actual == null ? null : actual.getClass(), where);
      assertElements(where, Arrays.asList(tuple), Arrays.asList((Object[]) actual));
    } else if (expected instanceof List<?> list) {
      assertEquals(ArrayList.class, actual == null ? null : actual.getClass(), where);
      assertElements(where, list, (List<?>) actual);
    } else if (expected instanceof Double number) {
      assertInstanceOf(Double.class, actual, where);
      assertEquals(
          Double.doubleToRawLongBits(number), Double.doubleToRawLongBits((Double) actual), where);
    } else if (expected instanceof Integer
        || expected instanceof Short
        || expected instanceof Byte) {
      assertEquals(((Number) expected).longValue(), actual, where);
    } else {
      assertEquals(expected, actual, where);
    }
  }

  private static void assertElements(String where, List<?> expected, List<?> actual) {
    if (expected.size() != actual.size()) {
      fail(where + ": " + expected.size() + " fields became " + actual.size());
    }
    for (int i = 0; i < expected.size(); i++) {
      assertSame(where + "." + i, expected.get(i), actual.get(i));
    }
  }
}
