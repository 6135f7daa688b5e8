package io.github.serow.internal.row;

/** A row of a frame can't be read. */
public final class RowReadException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int row;

  RowReadException(int row, RuntimeException cause) {
    super(null, cause, false, false);
    this.row = row;
  }

  /** The row's index in the frame. */
  public int row() {
    return row;
  }

  /** What its reader threw. */
  public RuntimeException failure() {
    return (RuntimeException) getCause();
  }
}
