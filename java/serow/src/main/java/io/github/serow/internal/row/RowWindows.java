package io.github.serow.internal.row;

import io.github.serow.internal.wire.Columns;
import java.util.Arrays;

/** Makes the rows of a frame, one window of its columns at a time. */
public final class RowWindows {
  private final RowReader reader;
  private final Columns columns;
  private final int count;
  private Object[] rows;

  /** The index of the next window's first row. */
  private int first;

  /** Begins with the first of the {@code count} rows in {@code columns}, which are loaded. */
  public RowWindows(RowReader reader, Columns columns, int count) {
    this.reader = reader;
    this.columns = columns;
    this.count = count;
    rows = new Object[Math.min(count, columns.window)];
  }

  /**
   * Makes the rows of the next window. The next call uses the same array again.
   *
   * @return null if there are no more rows
   * @throws RowReadException if a row can't be converted
   */
  public Object[] next() throws RowReadException {
    if (first == count) {
      return null;
    }
    if (rows.length > count - first) {
      rows = new Object[count - first];
    } else {
      // Null rows show how far the window was read if a row fails.
      Arrays.fill(rows, null);
    }
    columns.window(first, rows.length);
    try {
      reader.readWindow(columns, rows);
    } catch (RuntimeException e) {
      throw new RowReadException(first + Arrays.asList(rows).indexOf(null), e);
    }
    first += rows.length;
    return rows;
  }
}
