package io.github.serow;

/**
 * The buffer given to {@link Codec#encodeInto} cannot hold the message. Nothing was written to it;
 * {@link #needed} says how many bytes it must have.
 */
public class BufferTooSmallException extends SerowException {
  private static final long serialVersionUID = 1L;

  private final long needed;

  /**
   * An error that says {@code message}.
   *
   * @param message what went wrong, where, and what to do
   * @param needed how many bytes the message takes
   */
  public BufferTooSmallException(String message, long needed) {
    super(message);
    this.needed = needed;
  }

  /**
   * How many bytes the message takes.
   *
   * @return a number that is larger than the space that was left in the buffer
   */
  public long needed() {
    return needed;
  }
}
