package io.github.serow;

/** Receives the progress of a {@link Writer} or {@link Reader}. */
@FunctionalInterface
public interface Progress {
  /**
   * Is called after some frames were written, or after each frame that was read. What it throws is
   * passed on to the caller of the {@link Writer} or {@link Reader}, which can go on afterwards.
   *
   * @param rows the number of rows so far
   * @param bytes the number of bytes so far
   */
  void report(long rows, long bytes);
}
