package io.github.serow.internal.row;

import io.github.serow.LimitException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * A writer or reader that a generated one replaces after enough rows.
 *
 * <p>Generating a class takes about a millisecond, so a message with a million frames of one row,
 * each of another schema, could otherwise take many minutes. The schema of a caller's class is
 * generated at once: there are only as many as there are classes, and the interpreter is slow.
 */
public final class TieredCode<T> {
  /** A row of more bytes counts as several rows. */
  private static final int BYTES_OF_ROW = 128;

  /** Number of rows that the interpreter processes in about the time of generating a class. */
  public static final int WORTH_IT = 2_000;

  private final Supplier<T> generator;
  private volatile T current;

  /** Number of rows so far. Lost updates do no harm. */
  private int rows;

  /** Whether a thread is generating, or has succeeded or failed. */
  private final AtomicBoolean isClaimed = new AtomicBoolean();

  /** Whether generating has succeeded or failed. A stale read does no harm. */
  private boolean isDone;

  /** {@code atOnce} generates the class for the first row. */
  public TieredCode(T interpreter, Supplier<T> generator, boolean atOnce) {
    this.generator = generator;
    current = interpreter;
    rows = atOnce ? WORTH_IT : 0;
  }

  /** The implementation for the next {@code more} rows. */
  public T forRows(int more) {
    if (!isDone) {
      add(more);
      if (rows >= WORTH_IT) {
        generate();
      }
    }
    return current;
  }

  private void add(int more) {
    rows = Math.min(rows, WORTH_IT) + Math.min(more, WORTH_IT);
  }

  /** Counts the bytes of a row, which {@link #forRows} has counted as one. */
  public void count(int bytes) {
    if (!isDone && bytes > BYTES_OF_ROW) {
      add(bytes / BYTES_OF_ROW);
    }
  }

  /**
   * Generates the class once. Other threads use the interpreter meanwhile. They do not wait, which
   * would block the carriers of virtual threads, and they generate no second class, because that
   * would replace one which the JVM may have compiled already.
   */
  private void generate() {
    if (!isClaimed.compareAndSet(false, true)) {
      return;
    }
    try {
      current = generator.get();
      isDone = true;
    } catch (LimitException e) {
      // Too large for a Java class: keep the interpreter.
      isDone = true;
    } finally {
      if (!isDone) {
        isClaimed.set(false);
      }
    }
  }
}
