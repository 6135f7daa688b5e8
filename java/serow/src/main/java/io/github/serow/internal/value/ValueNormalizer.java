package io.github.serow.internal.value;

import io.github.serow.FrozenSet;
import io.github.serow.internal.scala.ScalaClass;
import io.github.serow.internal.schema.ArrayMap;
import io.github.serow.internal.schema.ArraySet;
import io.github.serow.internal.schema.SharedSecrets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Replaces values that stand for plain ones: an {@link Optional} by its value or null, a {@code
 * Float} by a {@code Double}, any collection by a list, and Scala's values as {@link ScalaClass}
 * says. Writers don't know these classes, so rows without them pay nothing: only a row that does
 * not fit is normalized and tried again.
 */
public final class ValueNormalizer {
  /** Number of following rows to replace together with a row, because they are probably similar. */
  private static final int AHEAD = 1024;

  private ValueNormalizer() {}

  /**
   * The plain value of {@code value}, or {@code value} if it is plain. Values inside it are not
   * replaced.
   */
  public static Object plain(Object value) {
    if (isSingle(value)) {
      return value;
    }
    Object plain = value;
    while (true) {
      Object inner = content(plain);
      if (inner == plain) {
        inner = plainOfJava(plain);
      }
      if (inner == plain) {
        inner = ScalaClass.plain(plain);
      }
      if (inner == plain) {
        return plain;
      }
      plain = inner;
    }
  }

  /** The content of one of Java's optionals, or null; otherwise the value itself. */
  public static Object content(Object object) {
    if (object instanceof Optional<?> optional) {
      return optional.orElse(null);
    }
    if (object instanceof OptionalInt optional) {
      return optional.isPresent() ? (Object) (long) optional.getAsInt() : null;
    }
    if (object instanceof OptionalLong optional) {
      return optional.isPresent() ? (Object) optional.getAsLong() : null;
    }
    if (object instanceof OptionalDouble optional) {
      return optional.isPresent() ? (Object) optional.getAsDouble() : null;
    }
    return object;
  }

  /**
   * The plain value that an object of Java's equals: a float is a double, and a collection that is
   * neither a list nor a set is the list of its elements, in the order in which it gives them. A
   * queue of priorities gives them in no order.
   */
  private static Object plainOfJava(Object value) {
    if (value instanceof Float number) {
      return (double) number;
    }
    if (value instanceof float[] numbers) {
      Double[] wide = new Double[numbers.length];
      Arrays.setAll(wide, i -> (double) numbers[i]);
      return Arrays.asList(wide);
    }
    if (value instanceof Collection<?> elements
        && !(value instanceof List || value instanceof Set)
        && !KeptCollections.isQueueOfPriority(value.getClass())) {
      KeptCollections.checkFields(elements);
      return Arrays.asList(elements.toArray());
    }
    return value;
  }

  /**
   * Whether it is one of the most common plain values. This test is fast; checking that a class
   * implements none of some interfaces is slow.
   */
  private static boolean isSingle(Object value) {
    return value == null
        || value instanceof String
        || value instanceof Long
        || value instanceof Double
        || value instanceof Integer
        || value instanceof Boolean;
  }

  /**
   * Replaces row {@code from}, and rows after it up to row {@code to}, by plain rows. Returns false
   * if the row is plain.
   */
  public static boolean replace(Object[] rows, int from, int to) {
    Object row = replacedRow(rows[from]);
    if (row == rows[from]) {
      return false;
    }
    rows[from] = row;
    for (int i = from + 1; i < to && i < from + AHEAD; i++) {
      try {
        rows[i] = replacedRow(rows[i]);
      } catch (RuntimeException e) {
        // The same error occurs again when it is this row's turn.
        return true;
      }
    }
    return true;
  }

  /** The plain row, or the same object if it is plain or exceeds the size of a row. */
  private static Object replacedRow(Object row) {
    return isSingle(row) || !SizeGuard.isWithin(row) ? row : replaced(row);
  }

  private static Object replaced(Object value) {
    if (isSingle(value)) {
      return value;
    }
    Object plain = plain(value);
    if (isSingle(plain)) {
      return plain;
    }
    boolean isContainer = plain instanceof Collection || plain instanceof Map;
    Object[] parts =
        isContainer && KeptCollections.addsFields(plain)
            // The writer refuses it, and names the field.
            ? null
            : ValueKind.parts(plain);
    Object[] replaced = parts == null ? null : all(parts);
    if (replaced == parts) {
      return plain;
    }
    return switch (ValueKind.of(plain)) {
      case TUPLE -> replaced;
      case LIST -> Arrays.asList(replaced);
      case SET -> new ArraySet(replaced);
      case FROZENSET -> frozen(plain, replaced);
      case MAP -> new ArrayMap(replaced);
      // With other components it can't be an instance of the same record class.
      default -> SharedSecrets.row(ValueKind.names(plain), replaced);
    };
  }

  /** The frozenset of these elements, or {@code set} if two of them are equal. */
  private static Object frozen(Object set, Object[] elements) {
    FrozenSet<Object> made = FrozenSet.copyOf(Arrays.asList(elements));
    return made.size() == elements.length ? made : set;
  }

  /** The plain values, or the same array if all are plain. */
  private static Object[] all(Object[] values) {
    Object[] replaced = values;
    for (int i = 0; i < values.length; i++) {
      Object value = replaced(values[i]);
      if (value != values[i]) {
        if (replaced == values) {
          replaced = Arrays.copyOf(values, values.length, Object[].class);
        }
        replaced[i] = value;
      }
    }
    return replaced;
  }
}
