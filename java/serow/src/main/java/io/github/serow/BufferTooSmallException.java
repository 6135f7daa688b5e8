package io.github.serow;

import org.jspecify.annotations.NullMarked;

/**
 * The buffer given to {@link Codec#encodeInto} or {@link Codec#encodeInto} is too small. Its
 * position stays, but the bytes from there on may be others than before, so that nobody takes an
 * older message in the buffer for this one. {@link #needed} is the required number of bytes.
 */
@NullMarked
public class BufferTooSmallException extends SerowException {
  private static final long serialVersionUID = 1L;

  private final long needed;

  /**
   * Creates an error.
   *
   * @param message what went wrong, where, and what to do
   * @param needed the size of the message in bytes
   */
  public BufferTooSmallException(String message, long needed) {
    super(message);
    this.needed = needed;
  }

  /**
   * The size of the message in bytes.
   *
   * @return a number that is larger than the space that was left in the buffer
   */
  public long needed() {
    return needed;
  }
}
