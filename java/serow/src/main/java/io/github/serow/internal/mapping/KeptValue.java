package io.github.serow.internal.mapping;

import io.github.serow.DecodeException;
import io.github.serow.internal.schema.ConstructionException;
import java.lang.reflect.Array;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/**
 * Compares a property of a new object with the value that its constructor or builder got. So a
 * class may bring values into a form that its objects already have, but change none.
 *
 * <p>Generated code calls the methods {@code check}. They are small, so that the JIT compiler
 * inlines them, and removes them where it sees that the object keeps the value.
 */
public final class KeptValue {
  private KeptValue() {}

  /** Throws unless the value that was read equals the one that was given, or that is null. */
  public static void check(Object read, Object given, ObjectMapping of, int property) {
    if (read != given) {
      compare(read, given, of, property);
    }
  }

  /** The same for integers. */
  public static void check(long read, long given, ObjectMapping of, int property) {
    if (read != given) {
      throw changed(of, property);
    }
  }

  /** The same for floats, by their bits. */
  public static void check(double read, double given, ObjectMapping of, int property) {
    if (Double.doubleToRawLongBits(read) != Double.doubleToRawLongBits(given)) {
      compare(read, given, of, property);
    }
  }

  /** The same for booleans. */
  public static void check(boolean read, boolean given, ObjectMapping of, int property) {
    if (read != given) {
      throw changed(of, property);
    }
  }

  private static void compare(Object read, Object given, ObjectMapping of, int property) {
    // A null may be a field that the message lacks.
    if (given != null && !isSame(given, read)) {
      throw changed(of, property);
    }
  }

  private static ConstructionException changed(ObjectMapping of, int property) {
    return new ConstructionException(
        new DecodeException(
            ("%s changes the value of %s that it gets, so that it would not come back;"
                    + " let it keep the value, or register a converter with"
                    + " Mappings.standard().withConverter")
                .formatted(of.javaClass.getSimpleName(), of.properties.get(property).name())));
  }

  /** Whether two values of one property are equal, also arrays inside them. */
  private static boolean isSame(Object given, Object read) {
    if (given == read || given == null || read == null) {
      return given == read;
    }
    if (given instanceof Number number && read instanceof Number other) {
      // A getter gives the widest class of primitive numbers.
      return number.equals(other)
          || other instanceof Long && isWhole(number) && number.longValue() == other.longValue()
          || other instanceof Double
              && number instanceof Float
              && other.equals(number.doubleValue());
    }
    if (given instanceof Collection<?> elements && read instanceof Collection<?> others) {
      return elements.size() == others.size() && areSame(elements, others);
    }
    if (given instanceof Map<?, ?> entries && read instanceof Map<?, ?> others) {
      return entries.size() == others.size()
          && entries.keySet().stream().allMatch(key -> isSame(entries.get(key), others.get(key)));
    }
    if (!given.getClass().isArray() || !read.getClass().isArray()) {
      return given.equals(read);
    }
    boolean isSame = Array.getLength(given) == Array.getLength(read);
    for (int i = 0; isSame && i < Array.getLength(given); i++) {
      isSame = isSame(Array.get(given, i), Array.get(read, i));
    }
    return isSame;
  }

  private static boolean isWhole(Number number) {
    return number instanceof Integer || number instanceof Short || number instanceof Byte;
  }

  /** Compares collections of one size, also of classes that compare identities. */
  private static boolean areSame(Collection<?> given, Collection<?> read) {
    if (given instanceof Set || read instanceof Set) {
      return new HashSet<>(given).equals(new HashSet<>(read));
    }
    Iterator<?> others = read.iterator();
    for (Object element : given) {
      if (!others.hasNext() || !isSame(element, others.next())) {
        return false;
      }
    }
    return true;
  }
}
