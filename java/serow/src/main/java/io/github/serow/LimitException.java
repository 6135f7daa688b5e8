package io.github.serow;

/**
 * Something is larger or deeper than serow allows: lists that nest more than 64 deep (which is how
 * a list that holds itself shows), a schema of more than 65,536 codes, a message beyond 2 GiB.
 */
public class LimitException extends SerowException {
  private static final long serialVersionUID = 1L;

  /**
   * An error that says {@code message}.
   *
   * @param message what went wrong, where, and what to do
   */
  public LimitException(String message) {
    super(message);
  }
}
