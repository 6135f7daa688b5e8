package io.github.serow.decode;

import io.github.serow.SerowException;
import io.github.serow.schema.ConstructionException;

/** A row could not be made of columns. {@link DecodeDiagnostics} makes an error of it. */
public final class RowReadException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int row;

  /** {@code row}: the row in its frame, or one before it if rows may be null. */
  RowReadException(int row, RuntimeException cause) {
    super(null, cause, false, false);
    this.row = row;
  }

  /**
   * Throw what the caller's code has thrown, unless it is the constructor or setter of an object.
   */
  public void passOnUnlessDescribed() {
    RuntimeException cause = (RuntimeException) getCause();
    if (!(cause instanceof SerowException || cause instanceof ConstructionException)) {
      throw cause;
    }
  }

  int row() {
    return row;
  }
}
