package io.github.serow.internal.row;

import io.github.serow.internal.wire.RecordIn;
import io.github.serow.internal.wire.ValueSource;

/** Reads rows of records of the row wire. */
public abstract class RecordReader {
  /** Reads the row of the record that {@code in} has begun. */
  public abstract Object read(RecordIn in);

  /** A reader that walks the nodes. */
  public static RecordReader interpreted(Node root) {
    return new RecordReader() {
      @Override
      public Object read(RecordIn in) {
        return root.read(in, ValueSource.NEXT);
      }
    };
  }

  /** A generated reader. */
  public static RecordReader generated(Node root) {
    ClassEmitter hidden = new ClassEmitter("RecordReaderOfSchema", RecordReader.class, root);
    new ReaderEmitter(hidden, RecordIn.class).emitRecordEntry(root);
    return hidden.instantiate(RecordReader.class);
  }
}
