package io.github.serow.codec;

import io.github.serow.wire.RecordOut;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Memory for the records that calls write, which later calls reuse.
 *
 * <p>A thread's number selects a place, so that threads seldom meet there. A call takes the object
 * away while it uses it. So a getter that calls serow again, or a thread of the same place, gets
 * another one. The number of places limits the memory, whatever the number of threads.
 */
public final class Scratch {
  private static final int PLACES =
      Integer.highestOneBit(8 * Runtime.getRuntime().availableProcessors());

  /** References between two places, so that they are in different cache lines. */
  private static final int STEP = 16;

  private static final AtomicReferenceArray<RecordOut> IDLE =
      new AtomicReferenceArray<>(PLACES * STEP);

  /** The clock is read once in this number of calls: it costs a third of a small record. */
  private static final int CALLS_PER_TICK = 64;

  /** The number of calls at each place. Lost updates do no harm. */
  private static final int[] CALLS = new int[PLACES * STEP];

  private Scratch() {}

  private static int place() {
    return ((int) Thread.currentThread().getId() & PLACES - 1) * STEP;
  }

  public static RecordOut lend() {
    RecordOut idle = IDLE.getAndSet(place(), null);
    return idle != null ? idle : new RecordOut();
  }

  public static void giveBack(RecordOut out) {
    out.trim();
    int place = place();
    IDLE.setRelease(place, out);
    if (++CALLS[place] % CALLS_PER_TICK == 0) {
      Pool.tick(System.nanoTime());
    }
  }
}
