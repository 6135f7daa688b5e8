package io.github.serow;

import org.jspecify.annotations.NullMarked;

/** Receives the progress of a {@link StreamWriter} or {@link StreamReader}. */
@NullMarked
@FunctionalInterface
public interface Progress {
  /**
   * Is called after some frames were written, or after each frame that was read. What it throws is
   * passed on to the caller of the {@link StreamWriter} or {@link StreamReader}, which can go on
   * afterwards.
   *
   * @param rows the number of rows so far
   * @param bytes the number of bytes so far
   */
  void report(long rows, long bytes);
}
