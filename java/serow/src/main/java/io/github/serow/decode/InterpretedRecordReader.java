package io.github.serow.decode;

import io.github.serow.schema.Type;
import io.github.serow.wire.RecordIn;

/** A {@link RecordReader} that interprets the schema's types. */
public final class InterpretedRecordReader extends RecordReader {
  private final Type root;

  public InterpretedRecordReader(Type root) {
    this.root = root;
  }

  @Override
  public Object read(RecordIn in) {
    return InterpretedReader.value(root, in, RecordIn.NEXT);
  }
}
