package io.github.serow;

/**
 * Bytes are not a message: they are cut, damaged, of another version, or say something impossible.
 */
public class DecodeException extends SerowException {
  private static final long serialVersionUID = 1L;

  /**
   * An error that says {@code message}.
   *
   * @param message what went wrong, where, and what to do
   */
  public DecodeException(String message) {
    super(message);
  }
}
