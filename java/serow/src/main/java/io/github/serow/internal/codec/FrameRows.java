package io.github.serow.internal.codec;

import io.github.serow.DecodeException;
import io.github.serow.internal.row.ReadErrors;
import io.github.serow.internal.row.RowReadException;
import io.github.serow.internal.row.RowWindows;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.wire.Block;
import io.github.serow.internal.wire.Columns;

/** The rows of a frame that is unpacked. */
final class FrameRows {
  /**
   * Where a frame is.
   *
   * @param index its number in the message; negative if it is in none
   * @param offset its offset in the message in bytes
   * @param firstRow the number of rows before it
   * @param rows the number of its rows
   */
  record Place(int index, long offset, long firstRow, int rows) {
    private String name(int row) {
      return index < 0 ? "row " + (firstRow + row) : "frame " + index + ", row " + row;
    }
  }

  /**
   * A frame in memory.
   *
   * @param hasWrongParts whether some components form no value
   */
  record Unpacked(Block block, Place place, boolean hasWrongParts) {}

  private final Type type;
  private final Unpacked frame;
  private final RowWindows windows;

  /** Begins with the first row. {@code columns} are used until the last. */
  FrameRows(Binding binding, Columns columns, Unpacked frame) {
    type = binding.type();
    this.frame = frame;
    columns.load(frame.block, !frame.hasWrongParts);
    int count = frame.place.rows;
    windows = new RowWindows(binding.reader(count), columns, count);
  }

  /** The next rows, in an array that the next call uses again; null if there are no more. */
  Object[] next() {
    Place place = frame.place;
    try {
      Object[] rows = windows.next();
      if (rows == null && frame.hasWrongParts) {
        throw new DecodeException(
            place.name(0) + ": its components are not a valid value",
            null,
            place.firstRow,
            null,
            place.offset);
      }
      return rows;
    } catch (RowReadException e) {
      throw ReadErrors.of(
          type, place.name(e.row()), place.firstRow + e.row(), place.offset, e.failure());
    }
  }
}
