package io.github.serow.encode;

import io.github.serow.FrozenSet;
import io.github.serow.scala.ScalaClass;
import io.github.serow.schema.ArrayMap;
import io.github.serow.schema.ArraySet;
import io.github.serow.schema.PublicTypes;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Rows with plain values in place of those that stand for one: an {@link Optional} is the value it
 * has, or null, and Scala's values are what {@link ScalaClass} says. Writers know nothing of them,
 * so that nobody pays for them who has none: where a row does not fit, it is tried once more
 * without them.
 */
public final class ValueNormalizer {
  /** Rows that are looked at with one that is replaced, as they are likely to be like it. */
  private static final int AHEAD = 1024;

  private ValueNormalizer() {}

  /**
   * What {@code value} stands for. The values in it are left as they are. It is {@code value}, if
   * it stands for itself.
   */
  static Object plain(Object value) {
    if (isSingle(value)) {
      return value;
    }
    Object plain = value;
    while (true) {
      Object inner =
          plain instanceof Optional<?> optional ? optional.orElse(null) : ScalaClass.plain(plain);
      if (inner == plain) {
        return plain;
      }
      plain = inner;
    }
  }

  /**
   * True for the most common values, so that they are told from all others at once: it takes time
   * to see that a class has none of some interfaces.
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
   * Replace row {@code from}, and rows after it, by plain ones. False if the row is plain already.
   */
  public static boolean replace(Object[] rows, int from) {
    Object row = replacedRow(rows[from]);
    if (row == rows[from]) {
      return false;
    }
    rows[from] = row;
    for (int i = from + 1; i < rows.length && i < from + AHEAD; i++) {
      try {
        rows[i] = replacedRow(rows[i]);
      } catch (RuntimeException e) {
        // It comes again when it is this row's turn.
        return true;
      }
    }
    return true;
  }

  /** The same object if it is plain, or larger than a row can be. */
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
    return switch (ValueKind.of(plain)) {
      case TUPLE -> all((Object[]) plain);
      case LIST -> plain instanceof List<?> list ? replacedList(list) : plain;
      case SET -> {
        Object[] elements = ((Set<?>) plain).toArray();
        Object[] replaced = all(elements);
        yield replaced == elements ? plain : new ArraySet(replaced);
      }
      case FROZENSET -> {
        Object[] elements = ((Set<?>) plain).toArray();
        Object[] replaced = all(elements);
        yield replaced == elements ? plain : frozen(plain, replaced);
      }
      case MAP -> {
        Object[] entries = RowWriter.entries((Map<?, ?>) plain);
        Object[] replaced = all(entries);
        yield replaced == entries ? plain : new ArrayMap(replaced);
      }
      case RECORD -> {
        // A record whose components are others is not one of its class.
        Object[] fields = ValueKind.fields(plain);
        Object[] replaced = all(fields);
        yield replaced == fields ? plain : PublicTypes.row(ValueKind.names(plain), replaced);
      }
      default -> plain;
    };
  }

  private static Object replacedList(List<?> list) {
    Object[] elements = list.toArray();
    Object[] replaced = all(elements);
    return replaced == elements ? list : Arrays.asList(replaced);
  }

  /** The frozenset of these elements, or {@code set} where two of them are the same. */
  private static Object frozen(Object set, Object[] elements) {
    FrozenSet<Object> made = FrozenSet.copyOf(Arrays.asList(elements));
    return made.size() == elements.length ? made : set;
  }

  /** The same array if nothing in it is replaced. */
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
