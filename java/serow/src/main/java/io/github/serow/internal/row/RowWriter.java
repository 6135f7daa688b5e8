package io.github.serow.internal.row;

import io.github.serow.internal.wire.FlatRows;

/** Writes rows as flat rows. */
public abstract class RowWriter {
  /**
   * Writes rows from index {@code from} to {@code to}, or until {@code flat} is full, behind the
   * rows that are in it. If a row fails, {@link FlatRows#row} is its index, and the rows before it
   * are written.
   *
   * @return the index of the first row that was not written. It may be {@code from} if {@code flat}
   *     had rows before, or had to grow
   */
  public final int write(Object[] rows, int from, int to, FlatRows flat) {
    try {
      return writeRows(rows, from, to, flat);
    } catch (FlatRows.Full e) {
      if (flat.row == from && flat.textLength == 0) {
        flat.growText();
      }
      return flat.row;
    }
  }

  /** As {@link #write}; throws if {@link FlatRows#row} does not fit into the remaining space. */
  protected abstract int writeRows(Object[] rows, int from, int to, FlatRows flat);

  /** A writer that walks the nodes. */
  public static RowWriter interpreted(Node root) {
    int slots = root.slots();
    return new RowWriter() {
      @Override
      protected int writeRows(Object[] rows, int from, int to, FlatRows flat) {
        int slot = flat.slotCount;
        int row = from;
        for (; row < to && flat.begin(row, slot, slots); row++) {
          slot = root.write(rows[row], flat, slot);
        }
        flat.end(row, slot);
        return row;
      }
    };
  }

  /** A generated writer. */
  public static RowWriter generated(Node root) {
    ClassEmitter hidden = new ClassEmitter("RowWriterOfSchema", RowWriter.class, root);
    new WriterEmitter(hidden, FlatRows.class).emitRowsEntry(root);
    return hidden.instantiate(RowWriter.class);
  }
}
