package io.github.serow.internal.codec;

import io.github.serow.Threads;
import io.github.serow.Times;

/**
 * How rows are read.
 *
 * @param expected the binding of the schema to convert rows to, or null for their own
 * @param times the times of rows of their own schemas; those of {@code expected} are its own
 * @param threads how many threads may read them
 * @param maxMemory the memory in bytes that the rows of a message, or of a frame of a stream, may
 *     take; {@link #NO_LIMIT} for any
 */
public record ReadOptions(Binding expected, Times times, Threads threads, long maxMemory) {
  /** No limit of memory. Native code takes any negative number for this. */
  public static final long NO_LIMIT = -1;

  /** Rows of this binding, or of their own schemas if it is null, read by the calling thread. */
  public static ReadOptions of(Binding expected) {
    return new ReadOptions(expected, Times.EXACT, Threads.one(), NO_LIMIT);
  }

  public ReadOptions withTimes(Times wanted) {
    return new ReadOptions(
        expected == null ? null : expected.with(wanted), wanted, threads, maxMemory);
  }

  public ReadOptions withThreads(Threads wanted) {
    return new ReadOptions(expected, times, wanted, maxMemory);
  }

  /**
   * Limits the memory of rows.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public ReadOptions withMaxMemory(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("maxMemory must be 0 or more bytes, not " + bytes);
    }
    return new ReadOptions(expected, times, threads, bytes);
  }

  public boolean isLimited() {
    return maxMemory >= 0;
  }

  /** The address of the native plan of the expected schema; 0 if there is none. */
  public long plan() {
    return expected == null ? 0 : expected.plan().address();
  }
}
