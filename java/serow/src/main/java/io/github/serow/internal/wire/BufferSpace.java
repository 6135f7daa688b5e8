package io.github.serow.internal.wire;

import io.github.serow.BufferTooSmallException;

/** The space in a caller's buffer. */
public final class BufferSpace {
  private BufferSpace() {}

  /**
   * Checks that {@code length} bytes fit into {@code space}.
   *
   * @param what what the bytes are, for the error
   * @throws BufferTooSmallException if they do not fit
   */
  public static void check(String what, long length, int space) {
    if (length > space) {
      throw new BufferTooSmallException(
          "the %s takes %s bytes and the buffer has %s; use a larger one"
              .formatted(what, length, space),
          length);
    }
  }
}
