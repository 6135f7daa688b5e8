package io.github.serow.encode;

import io.github.serow.wire.RecordOut;
import io.github.serow.wire.TypeMismatch;

/**
 * Writes rows of one schema as records of the row wire. {@code RowWriterGenerator} generates a
 * subclass for each schema; {@link RowWriter} has their common code.
 */
public abstract class RecordWriter {
  /**
   * Writes the value of a record at {@code at}. Returns the position after it.
   *
   * @throws TypeMismatch if the row does not fit
   */
  public abstract int write(Object row, RecordOut out, int at) throws TypeMismatch;
}
