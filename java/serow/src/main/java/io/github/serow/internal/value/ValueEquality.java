package io.github.serow.internal.value;

import io.github.serow.DecodeException;
import io.github.serow.FrozenSet;
import io.github.serow.internal.schema.EnumClass;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;

/**
 * Checks that the elements of a set, or the keys of a map, differ as values. Java's sets do not
 * guarantee this: arrays are compared by identity, an {@code Integer} never equals a {@code Long},
 * and a set may have its own order or equality.
 */
public final class ValueEquality {
  /** Classes whose {@code equals} compares values. */
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

  /** Containers that compare their elements by {@code equals}. */
  private static final Set<Class<?>> PLAIN_CONTAINERS =
      Set.of(
          HashSet.class, LinkedHashSet.class, FrozenSet.class, HashMap.class, LinkedHashMap.class);

  /** The most elements with one hash code, if Java can't order them. */
  private static final int MOST_OF_ONE_HASH = 1 << 10;

  private ValueEquality() {}

  /** Whether every {@code step}th value in {@code container} differs from the others. */
  public static boolean differ(Object container, Object[] values, int step) {
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
   * Whether every {@code step}th value differs from the others, and they do not exceed the size of
   * a row.
   */
  public static boolean differ(Object[] values, int step) {
    if (!SizeGuard.areWithin(values, step)) {
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

  /** An object that equals the key of another value if the values are equal. */
  private static Object key(Object value) {
    switch (ValueKind.of(value)) {
      case I64:
        return ((Number) value).longValue();
      case TUPLE:
        return new ValueKey(keys(value));
      case FROZENSET:
        return new ValueKey(new HashSet<>(Arrays.asList(keys(value))));
      case RECORD:
        return new ValueKey(new Object[] {ValueKind.names(value), new ValueKey(keys(value))});
      case ENUM:
        return value instanceof Enum<?> constant ? EnumClass.of(constant).member(constant) : value;
      case COMPOSITE:
        return compositeKey(value);
      case OTHER:
        Object plain = ValueNormalizer.plain(value);
        return plain == value ? new ValueKey(value) : key(plain);
      default:
        return value;
    }
  }

  /** Small integers have one key for all their classes. */
  private static Object compositeKey(Object value) {
    if (value instanceof BigInteger number) {
      return number.bitLength() < Long.SIZE ? (Object) number.longValue() : number;
    }
    return new ValueKey(value);
  }

  private static Object[] keys(Object container) {
    return Arrays.stream(ValueKind.parts(container)).map(ValueEquality::key).toArray();
  }

  public static LinkedHashSet<Object> set(Object[] elements, boolean hasArrays) {
    checkHashes(elements, 1);
    LinkedHashSet<Object> set = new LinkedHashSet<>(capacity(elements.length));
    set.addAll(Arrays.asList(elements));
    if (set.size() < elements.length || hasArrays && !differ(elements, 1)) {
      throw new DecodeException("a set holds an element twice");
    }
    return set;
  }

  /** The map of these entries; each key precedes its value. */
  public static LinkedHashMap<Object, Object> map(Object[] entries, boolean hasArrays) {
    checkHashes(entries, 2);
    LinkedHashMap<Object, Object> map = new LinkedHashMap<>(capacity(entries.length / 2));
    for (int i = 0; i < entries.length; i += 2) {
      map.put(entries[i], entries[i + 1]);
    }
    if (map.size() < entries.length / 2 || hasArrays && !differ(entries, 2)) {
      throw new DecodeException("a map holds a key twice");
    }
    return map;
  }

  /**
   * Refuses elements that were chosen to collide in Java's hash tables: many of one hash code, and
   * of a class that Java can't order. Values of serow's own classes don't collide, and the callers'
   * classes are their own.
   */
  private static void checkHashes(Object[] values, int step) {
    if (values.length / step <= MOST_OF_ONE_HASH) {
      return;
    }
    int[] hashes = new int[values.length / step];
    int count = 0;
    for (int i = 0; i < values.length; i += step) {
      if (isUnordered(values[i])) {
        hashes[count++] = values[i].hashCode();
      }
    }
    Arrays.sort(hashes, 0, count);
    for (int i = MOST_OF_ONE_HASH; i < count; i++) {
      if (hashes[i] == hashes[i - MOST_OF_ONE_HASH]) {
        throw new DecodeException(
            "more than 1,024 elements of a set, or keys of a map, have the same hash code in Java");
      }
    }
  }

  private static boolean isUnordered(Object value) {
    return value instanceof FrozenSet
        || value instanceof LocalDateTime
        || value instanceof ZonedDateTime
        || value instanceof LocalDate;
  }

  /** The initial capacity of a hash table for {@code size} elements, so that it does not grow. */
  public static int capacity(int size) {
    return (int) Math.min(1 << 30, size * 4L / 3 + 1);
  }
}
