package io.github.serow.codec;

import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Idle objects that are worth keeping, as many as there are processors.
 *
 * <p>The one that was given back last is at hand without a lock, which is what a program with one
 * busy thread pays for.
 */
public final class Pool<T extends Pool.Kept> {
  /** What is kept in a pool, and closed where that has no room. */
  interface Kept {
    /** Free what it holds. It is not used again. */
    void close();
  }

  private static final List<Pool<?>> POOLS = new CopyOnWriteArrayList<>();

  private final AtomicReference<T> last = new AtomicReference<>();
  private final ArrayBlockingQueue<T> others =
      new ArrayBlockingQueue<>(Math.max(2, Runtime.getRuntime().availableProcessors()));

  Pool() {
    POOLS.add(this);
  }

  /** Close the idle objects of all pools. */
  static void closeIdle() {
    for (Pool<?> pool : POOLS) {
      pool.closeAll();
    }
  }

  private void closeAll() {
    for (T object; (object = lend()) != null; ) {
      object.close();
    }
  }

  /** An idle object, or null. It belongs to the caller until it is given back. */
  T lend() {
    T object = last.getAndSet(null);
    return object != null ? object : others.poll();
  }

  /** Keep the object, or close it. */
  void giveBack(T object) {
    T other = last.getAndSet(object);
    if (other != null && !others.offer(other)) {
      other.close();
    }
  }
}
