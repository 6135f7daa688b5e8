package io.github.serow.internal.row;

import io.github.serow.internal.wire.Columns;

/** Reads rows of columns. */
public abstract class RowReader {
  /**
   * Sets {@code rows} to the rows of the columns' window. Those before a row that fails are set.
   */
  public abstract void readWindow(Columns columns, Object[] rows);

  /** A reader that walks the nodes. */
  public static RowReader interpreted(Node root) {
    return new RowReader() {
      @Override
      public void readWindow(Columns columns, Object[] rows) {
        for (int row = 0; row < rows.length; row++) {
          rows[row] = root.read(columns, row);
        }
      }
    };
  }

  /** A generated reader. */
  public static RowReader generated(Node root) {
    ClassEmitter hidden = new ClassEmitter("RowReaderOfSchema", RowReader.class, root);
    new ReaderEmitter(hidden, Columns.class).emitWindowEntry(root);
    return hidden.instantiate(RowReader.class);
  }
}
