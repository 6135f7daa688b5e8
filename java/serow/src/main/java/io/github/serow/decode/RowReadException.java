package io.github.serow.decode;

import io.github.serow.SerowException;
import io.github.serow.schema.ConstructionException;

/** A row could not be read from columns. {@link DecodeDiagnostics} turns this into an error. */
public final class RowReadException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int row;

  /** {@code row} is the row's index in its frame, or an earlier row if rows may be null. */
  RowReadException(int row, RuntimeException cause) {
    super(null, cause, false, false);
    this.row = row;
  }

  /**
   * Rethrows exceptions of the caller's code, except those of a constructor or setter, which {@link
   * DecodeDiagnostics} describes.
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
