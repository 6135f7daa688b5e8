package io.github.serow;

import java.util.ArrayList;
import java.util.Arrays;

/**
 * Makes the rows of one schema from the columns of a frame. {@link RowReaderGenerator} makes a
 * subclass for each schema.
 */
abstract class RowReader {
  /** Append the {@code count} rows that {@code columns} hold. */
  final void read(Columns columns, int count, ArrayList<Object> rows) {
    Object[] some = new Object[Math.min(count, columns.window)];
    for (int row = 0; row < count; row += some.length) {
      if (some.length > count - row) {
        some = new Object[count - row];
      }
      columns.window(row, some.length);
      readWindow(columns, some);
      rows.addAll(Arrays.asList(some));
    }
  }

  /** The set of these elements. */
  static Object set(Object[] elements, boolean hasArrays) {
    return Distinct.set(elements, hasArrays);
  }

  /** The frozenset of these elements. */
  static Object frozenSet(Object[] elements, boolean hasArrays) {
    return new FrozenSet<>(Distinct.set(elements, hasArrays));
  }

  /** The map of these keys, each of which stands before its value. */
  static Object map(Object[] entries, boolean hasArrays) {
    return Distinct.map(entries, hasArrays);
  }

  /** The dict of these values. */
  static Object dict(Object[] values, Names names) {
    return names.dict(values);
  }

  /** The record of these values. */
  static Object record(Object[] values, Names names) {
    return new Row(names, values);
  }

  /** The member of an enum. */
  static Object member(int index, Enumeration of) {
    return of.members.get(index);
  }

  /** Make the rows that are in the windows of {@code columns}, as many as there is place for. */
  abstract void readWindow(Columns columns, Object[] rows);
}
