package io.github.serow;

import org.jspecify.annotations.NullMarked;

/**
 * Something exceeds a limit of serow: lists that nest more than 64 deep (also because a list
 * contains itself), a schema of more than 65,536 codes, a message of more than 2 GiB.
 */
@NullMarked
public class LimitException extends SerowException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an error.
   *
   * @param message what went wrong, where, and what to do
   */
  public LimitException(String message) {
    super(message);
  }
}
