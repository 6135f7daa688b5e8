package io.github.serow.spark.exact;

/**
 * A row has no layout: it contains an object of a class that is not permitted or that serow can't
 * keep exactly, a mutable object twice, or too much. The message says why.
 */
public final class MisfitException extends Exception {
  private static final long serialVersionUID = 1L;

  MisfitException(String message) {
    this(message, null);
  }

  MisfitException(String message, Throwable cause) {
    super(message, cause, false, false);
  }
}
