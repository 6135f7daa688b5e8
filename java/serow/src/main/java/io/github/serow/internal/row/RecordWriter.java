package io.github.serow.internal.row;

import io.github.serow.internal.wire.RecordOut;

/** Writes rows as records of the row wire. */
public abstract class RecordWriter {
  /** Writes a row at {@code at}. Returns the end of its record. */
  public abstract int write(Object row, RecordOut out, int at);

  /** A writer that walks the nodes. */
  public static RecordWriter interpreted(Node root) {
    int components = root.components();
    return new RecordWriter() {
      @Override
      public int write(Object row, RecordOut out, int at) {
        out.begin(at, components);
        return root.write(row, out, at);
      }
    };
  }

  /** A generated writer. */
  public static RecordWriter generated(Node root) {
    ClassEmitter hidden = new ClassEmitter("RecordWriterOfSchema", RecordWriter.class, root);
    new WriterEmitter(hidden).emitEntry(root);
    return hidden.instantiate(RecordWriter.class);
  }
}
