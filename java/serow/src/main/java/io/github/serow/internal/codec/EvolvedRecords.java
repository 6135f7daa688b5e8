package io.github.serow.internal.codec;

import io.github.serow.internal.evolution.Conversion;
import io.github.serow.internal.wire.RecordIn;

/**
 * Records of another schema than the reader's, which are converted one after another. The reader's
 * own code reads what comes out.
 */
public final class EvolvedRecords implements AutoCloseable {
  private final Conversion conversion;
  private final RecordIn writer;
  private final RecordIn reader;
  private final RecordBuffer lent = RecordBuffer.lend();

  /**
   * Creates the records of a frame.
   *
   * @param writer reads those of the other schema
   * @param reader reads the same frame, and then the records that are made of it
   */
  public EvolvedRecords(Conversion conversion, RecordIn writer, RecordIn reader) {
    this.conversion = conversion;
    this.writer = writer;
    this.reader = reader;
  }

  /** Converts the record between these positions. The reader then reads the result. */
  public void convert(int begin, int end) {
    writer.begin(begin, end);
    convert();
  }

  /** Converts the next record of the frame. The reader then reads the result. */
  public void convertNext() {
    writer.next();
    convert();
  }

  private void convert() {
    int before = writer.left();
    int length = conversion.convert(writer, lent.out, 0);
    writer.end();
    reader.begin(lent.out.bytes, 0, length);
    reader.allow(Math.max(0, length - before));
  }

  @Override
  public void close() {
    lent.giveBack();
  }
}
