package io.github.serow.codegen;

import io.github.serow.LimitException;
import java.util.function.Supplier;

/**
 * A writer or reader that is replaced by a generated one once it has had enough rows to be worth
 * it.
 *
 * <p>A class takes about a millisecond to make, so a message could otherwise take hours by holding
 * a million frames of a row each, all of different schemas. Where the schema is that of a class of
 * the caller's, there are only as many as there are classes, and the interpreter is slow.
 */
public final class Generated<T> {
  /**
   * The interpreter takes about as long for this number of rows as it takes to generate a class.
   */
  public static final int WORTH_IT = 2_000;

  private final Supplier<T> generator;
  private volatile T current;

  /** Rows so far. Lost updates do no harm. */
  private int rows;

  /** Whether there is nothing more to generate. It is set with the lock, and seen soon enough. */
  private boolean isDone;

  /** {@code atOnce}: it is generated for the first row. */
  public Generated(T interpreter, Supplier<T> generator, boolean atOnce) {
    this.generator = generator;
    current = interpreter;
    rows = atOnce ? WORTH_IT : 0;
  }

  /** What to use for {@code more} rows. */
  public T forRows(int more) {
    if (!isDone) {
      int sum = Math.min(rows, WORTH_IT) + Math.min(more, WORTH_IT);
      rows = sum;
      if (sum >= WORTH_IT) {
        generate();
      }
    }
    return current;
  }

  private synchronized void generate() {
    if (isDone) {
      return;
    }
    try {
      current = generator.get();
    } catch (LimitException e) {
      // Too much for one Java class. The interpreter stays.
    }
    isDone = true;
  }
}
