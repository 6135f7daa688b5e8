package io.github.serow;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Rows without their {@link Optional}s, which are encoded as the values they have, or null. Writers
 * know nothing of them, so that nobody pays for them who has none: where a row does not fit, it is
 * tried once more without them.
 */
final class Optionals {
  /** Rows that are looked at with one that has an optional, as they are likely to have some too. */
  private static final int AHEAD = 1024;

  /** Values that a row may still have; it may hold itself, or one list many times. */
  private int left = 1 << 28;

  private Optionals() {}

  /**
   * Replace row {@code from}, and rows after it, by what they are without optionals. False if the
   * row has none.
   */
  static boolean replace(Object[] rows, int from) {
    Object row = without(rows[from]);
    if (row == rows[from]) {
      return false;
    }
    rows[from] = row;
    for (int i = from + 1; i < rows.length && i < from + AHEAD; i++) {
      rows[i] = without(rows[i]);
    }
    return true;
  }

  /** The same object if it has no optionals. */
  private static Object without(Object row) {
    Optionals optionals = new Optionals();
    Object replaced = optionals.without(row, 0);
    return optionals.left < 0 ? row : replaced;
  }

  private Object without(Object value, int depth) {
    if (value instanceof Optional<?> optional) {
      return depth > RowShapes.MAX_DEPTH ? value : without(optional.orElse(null), depth + 1);
    }
    if (depth > RowShapes.MAX_DEPTH || left < 0) {
      return value;
    }
    if (value instanceof Object[] fields) {
      Object[] replaced = all(fields, depth);
      return replaced == fields ? value : replaced;
    }
    if (value instanceof List<?> list) {
      Object[] elements = list.toArray();
      Object[] replaced = all(elements, depth);
      return replaced == elements ? value : Arrays.asList(replaced);
    }
    if (value instanceof Set<?> set) {
      Object[] elements = set.toArray();
      Object[] replaced = all(elements, depth);
      if (replaced == elements) {
        return value;
      }
      LinkedHashSet<Object> made = new LinkedHashSet<>(Arrays.asList(replaced));
      return value instanceof FrozenSet ? new FrozenSet<>(made) : made;
    }
    if (value instanceof Map<?, ?> map) {
      Object[] entries = RowWriter.entries(map);
      Object[] replaced = all(entries, depth);
      return replaced == entries ? value : map(replaced);
    }
    return withoutInRecord(value, depth);
  }

  private static Map<Object, Object> map(Object[] entries) {
    Map<Object, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < entries.length; i += 2) {
      map.put(entries[i], entries[i + 1]);
    }
    return map;
  }

  /** A record whose components are others is no longer one of its class. */
  private Object withoutInRecord(Object value, int depth) {
    if (value instanceof Row row) {
      Object[] replaced = all(row.sharedValues(), depth);
      return replaced == row.sharedValues() ? value : new Row(row.names(), replaced);
    }
    if (RowWriter.isRecord(value)) {
      RecordClass of = RecordClass.of(value.getClass());
      Object[] fields = of.fields(value);
      Object[] replaced = all(fields, depth);
      return replaced == fields ? value : new Row(of.names(), replaced);
    }
    return value;
  }

  /** The same array if nothing in it is replaced. */
  private Object[] all(Object[] values, int depth) {
    left -= values.length;
    Object[] replaced = values;
    for (int i = 0; i < values.length; i++) {
      Object value = without(values[i], depth + 1);
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
