package io.github.serow.encode;

import io.github.serow.EncodeException;
import io.github.serow.LimitException;
import io.github.serow.Schema;
import io.github.serow.jni.Native;
import io.github.serow.schema.PublicTypes;
import io.github.serow.schema.Type;

/**
 * Infers the schema of rows. Java describes the rows, and native code joins their types. The state
 * accumulates, so the order of rows does not affect the schema.
 */
public final class Inference implements AutoCloseable {
  /** Number of rows to describe in one call. */
  private static final int BATCH = 1024;

  /** Half the number of rows in the first sample. */
  private static final int HALF_SAMPLE = 32;

  private final RowShapes shapes = new RowShapes();
  private final long inference = Native.inferenceOpen();
  private int described;

  public static Schema ofAll(Object[] rows) {
    try (Inference inference = new Inference()) {
      for (int row = 0; row < rows.length; row++) {
        inference.describe(row, rows[row], null);
      }
      return inference.schema();
    }
  }

  /**
   * The schema for a message's first frame, from a sample: half of it the first rows, half spread
   * over the rest. Rows without a type are skipped, because the encoder reports an error for the
   * first wrong row.
   */
  public Schema sample(Object[] rows) {
    int first = Math.min(HALF_SAMPLE, rows.length);
    for (int row = 0; row < first; row++) {
      tryToDescribe(row, rows[row]);
    }
    int step = Math.max(1, rows.length / HALF_SAMPLE);
    for (long row = first; row < rows.length; row += step) {
      tryToDescribe((int) row, rows[(int) row]);
    }
    return schema();
  }

  private void tryToDescribe(int row, Object value) {
    try {
      describe(row, value, null);
    } catch (EncodeException | LimitException e) {
      // The encoder reports it when it reaches this row.
    }
  }

  /**
   * The schema of the rows so far and of row {@code row}, which does not fit {@code type}. If this
   * has happened often, it includes rows after it.
   */
  public Schema widen(Type type, Object[] rows, int row) {
    int end = row + Native.inferenceWiden(inference, rows.length - row);
    describe(row, rows[row], type);
    for (int ahead = row + 1; ahead < end; ahead++) {
      tryToDescribe(ahead, rows[ahead]);
    }
    return schema();
  }

  private void describe(int row, Object value, Type expected) {
    shapes.add(row, value, expected);
    if (++described == BATCH) {
      join();
    }
  }

  private void join() {
    byte[] names = shapes.names();
    Native.inferenceAdd(inference, shapes.bytes(), shapes.length(), described, names, names.length);
    shapes.clear();
    described = 0;
  }

  private Schema schema() {
    join();
    return PublicTypes.schema(Native.inferenceSchema(inference));
  }

  @Override
  public void close() {
    Native.inferenceClose(inference);
  }
}
