package io.github.serow.codec;

import io.github.serow.decode.DecodeDiagnostics;
import io.github.serow.decode.RowReadException;
import io.github.serow.decode.RowWindows;
import io.github.serow.schema.Type;
import io.github.serow.wire.Block;
import io.github.serow.wire.Columns;

/** Makes the rows of an unpacked frame, window by window, and says which row is invalid. */
final class FrameRows {
  /**
   * An unpacked frame.
   *
   * @param block its columns
   * @param place where it is in its message
   * @param hasWrongParts whether some components are not a valid value
   */
  record Unpacked(Block block, DecodeDiagnostics.Frame place, boolean hasWrongParts) {}

  private final Type root;
  private final Columns columns;
  private final Unpacked frame;
  private final RowWindows windows;

  /**
   * Begins with the first row.
   *
   * @param columns columns of the schema, which nothing else uses meanwhile
   */
  FrameRows(Binding binding, Columns columns, Unpacked frame) {
    root = binding.root().type();
    this.columns = columns;
    this.frame = frame;
    columns.load(frame.block);
    if (frame.hasWrongParts) {
      throw DecodeDiagnostics.ofWrongParts(root, columns, frame.place);
    }
    int count = frame.place.rows();
    windows = new RowWindows(binding.reader(count), columns, count);
  }

  /** Makes some more rows, in an array that the next call uses again. Returns null at the end. */
  Object[] next() {
    try {
      return windows.next();
    } catch (RowReadException e) {
      e.passOnUnlessDescribed();
      int[] progress = columns.progress();
      columns.load(frame.block);
      throw DecodeDiagnostics.ofRow(root, columns, frame.place, e, progress);
    }
  }
}
