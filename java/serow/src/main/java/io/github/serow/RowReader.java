package io.github.serow;

import java.util.ArrayList;

/**
 * Makes the rows of one schema from the columns of a frame. {@link RowReaderGenerator} makes a
 * subclass for each schema.
 */
abstract class RowReader {
  /** Append the {@code count} rows that {@code columns} hold. */
  abstract void read(Columns columns, int count, ArrayList<Object> rows);
}
