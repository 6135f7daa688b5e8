package io.github.serow.encode;

import io.github.serow.schema.Type;
import io.github.serow.wire.FlatRows;
import io.github.serow.wire.RecordOut;
import io.github.serow.wire.TypeMismatch;

/** A {@link RecordWriter} that interprets the schema's types; see {@link InterpretedWriter}. */
public final class InterpretedRecordWriter extends RecordWriter {
  private final Type root;

  public InterpretedRecordWriter(Type root) {
    this.root = root;
  }

  @Override
  public int write(Object row, RecordOut out, int at) throws TypeMismatch {
    try {
      out.begin(at, 0);
      return InterpretedWriter.value(root, row, out, at);
    } catch (FlatRows.Full e) {
      throw new IllegalStateException("a record has no end of its space", e);
    }
  }
}
