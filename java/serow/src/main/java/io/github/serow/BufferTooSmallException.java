package io.github.serow;

/**
 * The buffer given to {@link Codec#encodeInto} cannot hold the message. Nothing was written to it;
 * the exception's message says how many bytes are needed.
 */
public class BufferTooSmallException extends SerowException {
  private static final long serialVersionUID = 1L;

  /**
   * An error that says {@code message}.
   *
   * @param message what went wrong, where, and what to do
   */
  public BufferTooSmallException(String message) {
    super(message);
  }
}
