package io.github.serow;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Whether the elements of a set, or the keys of a map, differ as values. Java's sets need not see
 * to that: arrays differ if they are not one object, an {@code Integer} differs from any {@code
 * Long}, and a set may have an order or an equality of its own.
 */
final class Distinct {
  /** Objects of one of these differ as values if {@code equals} says so. */
  private static final Set<Class<?>> PLAIN =
      Set.of(
          Long.class,
          Integer.class,
          String.class,
          Double.class,
          Boolean.class,
          UUID.class,
          LocalDate.class,
          LocalTime.class,
          LocalDateTime.class,
          Duration.class,
          BigInteger.class,
          BigDecimal.class);

  /** The elements of one of these differ by {@code equals}. */
  private static final Set<Class<?>> PLAIN_CONTAINERS =
      Set.of(
          HashSet.class, LinkedHashSet.class, FrozenSet.class, HashMap.class, LinkedHashMap.class);

  private Distinct() {}

  /** True if every {@code step}th of the values in {@code container} differs from the others. */
  static boolean differ(Object container, Object[] values, int step) {
    return PLAIN_CONTAINERS.contains(container.getClass()) && areOfOnePlainClass(values, step)
        || differ(values, step);
  }

  private static boolean areOfOnePlainClass(Object[] values, int step) {
    Class<?> only = null;
    for (int i = 0; i < values.length; i += step) {
      if (values[i] == null || only != null && values[i].getClass() != only) {
        return false;
      }
      only = values[i].getClass();
    }
    return only == null || PLAIN.contains(only);
  }

  /**
   * True if every {@code step}th of the values differs from the others, and they are no larger than
   * a row can be.
   */
  static boolean differ(Object[] values, int step) {
    if (!Extent.areWithin(values, step)) {
      return false;
    }
    Set<Object> seen = new HashSet<>(capacity(values.length / step));
    for (int i = 0; i < values.length; i += step) {
      if (!seen.add(key(values[i]))) {
        return false;
      }
    }
    return true;
  }

  /** An object that is equal to that of another value if the values are. */
  private static Object key(Object value) {
    if (value instanceof BigInteger number) {
      return number.bitLength() < Long.SIZE ? (Object) number.longValue() : number;
    }
    if (RowWriter.isI64(value)) {
      return ((Number) value).longValue();
    }
    if (value instanceof byte[] bytes) {
      return ByteBuffer.wrap(bytes);
    }
    if (value instanceof Object[] fields) {
      return keys(fields);
    }
    if (value instanceof FrozenSet<?> elements) {
      return new HashSet<>(keys(elements.toArray()));
    }
    if (value instanceof Row row) {
      return List.of(row.names(), keys(row.sharedValues()));
    }
    if (RowWriter.isRecord(value)) {
      RecordClass of = RecordClass.of(value.getClass());
      return List.of(of.names(), keys(of.fields(value)));
    }
    if (value instanceof Enum<?> constant) {
      return EnumClass.of(constant).member(constant);
    }
    Object plain = PlainRows.plain(value);
    return plain == value ? value : key(plain);
  }

  private static List<Object> keys(Object[] values) {
    return Arrays.asList(Arrays.stream(values).map(Distinct::key).toArray());
  }

  /** The set of these elements. */
  static LinkedHashSet<Object> set(Object[] elements, boolean hasArrays) {
    LinkedHashSet<Object> set = new LinkedHashSet<>(capacity(elements.length));
    set.addAll(Arrays.asList(elements));
    if (set.size() < elements.length || hasArrays && !differ(elements, 1)) {
      throw new DecodeException("a set holds an element twice");
    }
    return set;
  }

  /** The map of these keys, each of which stands before its value. */
  static LinkedHashMap<Object, Object> map(Object[] entries, boolean hasArrays) {
    LinkedHashMap<Object, Object> map = new LinkedHashMap<>(capacity(entries.length / 2));
    for (int i = 0; i < entries.length; i += 2) {
      map.put(entries[i], entries[i + 1]);
    }
    if (map.size() < entries.length / 2 || hasArrays && !differ(entries, 2)) {
      throw new DecodeException("a map holds a key twice");
    }
    return map;
  }

  /** What a hash table of {@code size} elements is to be made with, so that it does not grow. */
  static int capacity(int size) {
    return (int) Math.min(1 << 30, size * 4L / 3 + 1);
  }
}
