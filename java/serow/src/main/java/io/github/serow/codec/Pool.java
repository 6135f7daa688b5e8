package io.github.serow.codec;

import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Pool of idle objects, at most one for each processor.
 *
 * <p>The object that was returned last is available without a lock, so a program with one busy
 * thread takes no lock.
 */
public final class Pool<T extends Pool.Kept> {
  /** A pooled object. It is closed if the pool is full. */
  interface Kept {
    /** Frees the object's memory. It is not used afterwards. */
    void close();
  }

  private static final List<Pool<?>> POOLS = new CopyOnWriteArrayList<>();

  private final AtomicReference<T> last = new AtomicReference<>();
  private final ArrayBlockingQueue<T> others =
      new ArrayBlockingQueue<>(Math.max(2, Runtime.getRuntime().availableProcessors()));

  Pool() {
    POOLS.add(this);
  }

  /** Closes the idle objects of all pools. */
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

  /** Returns an idle object, or null. The caller owns it until it gives it back. */
  T lend() {
    T object = last.getAndSet(null);
    return object != null ? object : others.poll();
  }

  /** Returns the object to the pool, or closes it. */
  void giveBack(T object) {
    T other = last.getAndSet(object);
    if (other != null && !others.offer(other)) {
      other.close();
    }
  }
}
