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

  /** Make the rows that are in the windows of {@code columns}, as many as there is place for. */
  abstract void readWindow(Columns columns, Object[] rows);
}
