package io.github.serow.internal.codec;

import io.github.serow.internal.wire.RecordOut;

/**
 * Memory for the records that a call writes, which later calls reuse. A getter that calls serow
 * again gets another one.
 */
public final class RecordBuffer extends Pool.Kept {
  private static final Pool<RecordBuffer> IDLE = new Pool<>(RecordBuffer::new);

  public final RecordOut out = new RecordOut();

  private RecordBuffer() {}

  public static RecordBuffer lend() {
    return IDLE.lend();
  }

  /** Returns it for other calls. */
  public void giveBack() {
    out.trim();
    IDLE.giveBack(this);
  }
}
