package io.github.serow.codec;

import io.github.serow.LimitException;
import io.github.serow.wire.ObjectSizes;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that the rows of frames may take, if several threads read them. Native code counts a
 * frame before rows are made of it.
 */
final class MemoryLimit {
  private final long limit;

  /** What is left for all frames; null if the limit is for each frame. */
  private final AtomicLong left;

  private MemoryLimit(long limit, AtomicLong left) {
    this.limit = limit;
    this.left = left;
  }

  /** The limit for each frame of a stream. */
  static MemoryLimit ofEachFrame(ReadOptions options) {
    return new MemoryLimit(options.maxMemory(), null);
  }

  /** The limit for all frames of a message. */
  static MemoryLimit ofMessage(ReadOptions options) {
    AtomicLong left = options.isLimited() ? new AtomicLong(options.maxMemory()) : null;
    return new MemoryLimit(options.maxMemory(), left);
  }

  /** The bytes that the rows of the next frame may take; negative for any number. */
  long bytes() {
    return left == null ? limit : Math.max(0, left.get());
  }

  /**
   * Counts the rows of a frame, before they are made.
   *
   * @throws LimitException if they and those of other frames would take too much
   */
  void take(long bytes, long frame) {
    if (left != null && left.addAndGet(-bytes) < 0) {
      throw new LimitException("frame " + frame + ": " + ObjectSizes.TOO_LARGE);
    }
  }
}
