package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.fail;

import io.github.serow.internal.logical.Integers;
import io.github.serow.internal.schema.EnumClass;
import io.github.serow.internal.schema.RecordClass;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Equality in serow's sense: types must be equal too, floats are compared by their bits, and small
 * integers are Long, or BigInteger in a column of those.
 */
public final class Same {
  private Same() {}

  /** Fails unless {@code actual} is the decoded form of rows {@code expected}. */
  public static void assertSame(List<?> expected, List<?> actual) {
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
    if (value instanceof Map<?, ?> map) {
      return map.keySet().stream().anyMatch(Same::hasLarge)
          || map.values().stream().anyMatch(Same::hasLarge);
    }
    if (value instanceof Row row) {
      return hasLarge(row.values());
    }
    return value instanceof BigInteger
        || value instanceof Collection<?> elements && elements.stream().anyMatch(Same::hasLarge);
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
    if (expected instanceof Set<?> elements) {
      Class<?> type = expected instanceof FrozenSet ? FrozenSet.class : LinkedHashSet.class;
      return actual.getClass() == type
          && same(new ArrayList<>(elements), new ArrayList<>((Set<?>) actual), large);
    }
    if (expected instanceof Map<?, ?> map) {
      return actual instanceof LinkedHashMap<?, ?> other && sameMap(map, other, large);
    }
    if (expected instanceof Record record && !(record instanceof Complex)) {
      RecordClass of = RecordClass.of(record.getClass());
      return same(new Row(of.names(), of.fields(record)), actual, large);
    }
    if (expected instanceof Row row) {
      return actual instanceof Row other
          && row.name().equals(other.name())
          && row.fields().equals(other.fields())
          && same(row.values(), other.values(), large);
    }
    if (expected instanceof Enum<?> constant) {
      return EnumClass.of(constant).member(constant).equals(actual);
    }
    if (expected instanceof Double number) {
      return actual instanceof Double other && sameBits(number, other);
    }
    if (expected instanceof Complex number) {
      return actual instanceof Complex other
          && sameBits(number.real(), other.real())
          && sameBits(number.imaginary(), other.imaginary());
    }
    if (Integers.isI64(expected)) {
      long number = ((Number) expected).longValue();
      return actual.equals(number) || large && actual.equals(BigInteger.valueOf(number));
    }
    if (expected instanceof byte[] bytes) {
      return actual instanceof byte[] other && Arrays.equals(bytes, other);
    }
    if (expected instanceof ByteBuffer buffer) {
      // The same content from position to limit, in an array of its own.
      return actual instanceof ByteBuffer other
          && buffer.equals(other)
          && other.array().length == other.remaining();
    }
    return expected.getClass() == actual.getClass() && expected.equals(actual);
  }

  /** The order of keys matters only if they are not names. */
  private static boolean sameMap(Map<?, ?> expected, Map<?, ?> actual, boolean large) {
    if (expected.keySet().stream().allMatch(String.class::isInstance)) {
      return expected.keySet().equals(actual.keySet())
          && expected.keySet().stream()
              .allMatch(key -> same(expected.get(key), actual.get(key), large));
    }
    return same(new ArrayList<>(expected.keySet()), new ArrayList<>(actual.keySet()), large)
        && same(new ArrayList<>(expected.values()), new ArrayList<>(actual.values()), large);
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
