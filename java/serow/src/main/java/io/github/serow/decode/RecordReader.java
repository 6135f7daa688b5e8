package io.github.serow.decode;

import io.github.serow.DecodeException;
import io.github.serow.wire.RecordIn;

/**
 * Reads records of the row wire as rows of one schema. {@code RowReaderGenerator} generates a
 * subclass for each schema; {@link RowReader} has their common code.
 */
public abstract class RecordReader {
  /**
   * Reads the value of a record.
   *
   * @throws DecodeException if it is invalid or Java can't represent it; the message says why, but
   *     not where
   */
  public abstract Object read(RecordIn in);
}
