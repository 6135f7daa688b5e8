package io.github.serow.internal.encode;

import io.github.serow.EncodeException;
import io.github.serow.LimitException;
import io.github.serow.Schema;
import io.github.serow.internal.schema.SharedSecrets;
import io.github.serow.internal.types.Shape;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.types.TypeForms;
import io.github.serow.internal.wire.Limits;

/**
 * Infers the schema of rows. The state accumulates, so the order of rows does not affect the
 * schema. {@code crates/core/src/encode/inference.rs} inspects the same rows.
 */
public final class Inference {
  /** Half the number of rows in the first sample. */
  private static final int HALF_SAMPLE = 32;

  /** After this many widenings in a message, rows ahead are inspected too. */
  private static final int FEW_WIDENINGS = 2;

  private final ShapeInspector shapes = new ShapeInspector();
  private Shape shape = Shape.NEVER;
  private int widened;

  /** The row that made the last schema, counted over the whole message or stream. */
  private long last;

  /** Returns an inference with the same rows that has counted no widenings. */
  public Inference copy() {
    Inference copy = new Inference();
    copy.shape = shape;
    return copy;
  }

  /** The schema of all rows. */
  public static Schema ofAll(Object[] rows) {
    Inference inference = new Inference();
    for (int row = 0; row < rows.length; row++) {
      inference.add(row, rows[row], null);
    }
    return inference.schema(0);
  }

  /**
   * The schema for a message's first frame, from a sample: half of it the first rows, half spread
   * over the rest. Rows without a type are skipped, because the encoder reports an error for the
   * first wrong row.
   */
  public Schema sample(Object[] rows) {
    int first = Math.min(HALF_SAMPLE, rows.length);
    for (int row = 0; row < first; row++) {
      tryToAdd(row, rows[row]);
    }
    int step = Math.max(1, rows.length / HALF_SAMPLE);
    for (long row = first; row < rows.length; row += step) {
      tryToAdd((int) row, rows[(int) row]);
    }
    return schema(0);
  }

  private void tryToAdd(long row, Object value) {
    try {
      add(row, value, null);
    } catch (EncodeException | LimitException e) {
      // The encoder reports it when it reaches this row.
    }
  }

  /**
   * The schema of the rows so far and of row {@code row}, which does not fit {@code type}. If this
   * has happened often, it includes rows after it.
   *
   * @param before the number of rows before those in {@code rows}, which errors count too
   */
  public Schema widen(Type type, Object[] rows, int row, long before) {
    int end = row + inspected(rows.length - row);
    add(before + row, rows[row], type);
    for (int ahead = row + 1; ahead < end; ahead++) {
      tryToAdd(before + ahead, rows[ahead]);
    }
    return schema(before + row);
  }

  /**
   * Counts a widening. Returns how many of the next {@code left} rows to inspect; the first of them
   * is the one that does not fit.
   *
   * <p>Every widening costs a frame. If rows keep differing, more rows ahead are inspected each
   * time, so there are few widenings whatever the rows are.
   */
  private int inspected(int left) {
    widened++;
    int doublings = Math.min(32, widened - FEW_WIDENINGS);
    return doublings <= 0 ? 1 : (int) Math.min(left, 2L * HALF_SAMPLE << doublings);
  }

  private void add(long row, Object value, Type expected) {
    shape = shape.join(shapes.of(row, value, expected));
  }

  /** The schema of the rows so far, of which the last is row {@code row}. */
  private Schema schema(long row) {
    shape = shape.settle(row - last <= Limits.FEW_ROWS_OF_SCHEMA);
    last = row;
    return SharedSecrets.schema(TypeForms.ofTree(shape.type()));
  }
}
