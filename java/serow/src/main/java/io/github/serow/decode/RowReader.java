package io.github.serow.decode;

import io.github.serow.encode.Uniqueness;
import io.github.serow.schema.Enumeration;
import io.github.serow.schema.Names;
import io.github.serow.schema.PublicTypes;
import io.github.serow.wire.Columns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Makes the rows of one schema from the columns of a frame. {@code RowReaderGenerator} makes a
 * subclass for each schema.
 */
public abstract class RowReader {
  /**
   * Append the {@code count} rows that {@code columns} hold.
   *
   * @throws RowReadException if a row can't be made
   */
  public final void read(Columns columns, int count, ArrayList<Object> rows)
      throws RowReadException {
    Object[] some = new Object[Math.min(count, columns.window)];
    for (int row = 0; row < count; row += some.length) {
      if (some.length > count - row) {
        some = new Object[count - row];
      }
      columns.window(row, some.length);
      try {
        readWindow(columns, some);
      } catch (RuntimeException e) {
        throw new RowReadException(row + Arrays.asList(some).indexOf(null), e);
      }
      rows.addAll(Arrays.asList(some));
      // So that it shows how far the next rows come.
      Arrays.fill(some, null);
    }
  }

  /** The set of these elements. */
  public static Object set(Object[] elements, boolean hasArrays) {
    return Uniqueness.set(elements, hasArrays);
  }

  /** The frozenset of these elements. */
  public static Object frozenSet(Object[] elements, boolean hasArrays) {
    return PublicTypes.frozenSet(Uniqueness.set(elements, hasArrays));
  }

  /** The map of these entries: each key before its value. */
  public static Object map(Object[] entries, boolean hasArrays) {
    return Uniqueness.map(entries, hasArrays);
  }

  /** The dict of these values. */
  public static Object dict(Object[] values, Names names) {
    Map<String, Object> dict = new LinkedHashMap<>(Uniqueness.capacity(values.length));
    for (int i = 0; i < values.length; i++) {
      if (values[i] != Names.MISSING) {
        dict.put(names.fields.get(i), values[i]);
      }
    }
    return dict;
  }

  /** The record of these values. */
  public static Object record(Object[] values, Names names) {
    return PublicTypes.row(names, values);
  }

  /** The member of an enum. */
  public static Object member(int index, Enumeration of) {
    return of.members.get(index);
  }

  /** Make the rows that are in the windows of {@code columns}, as many as there is place for. */
  public abstract void readWindow(Columns columns, Object[] rows);
}
