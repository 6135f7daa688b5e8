package io.github.serow.internal.codec;

import io.github.serow.internal.jni.NativeHandle;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Encoders, decoders or buffers that wait for the next call, with their memory.
 *
 * <p>A thread's number selects a place, so that threads seldom meet there and each finds its own
 * memory in its core's cache. A thread that finds nothing at its place looks at the others, and
 * otherwise makes an object, so no call waits for another one. The pool closes an object that is
 * returned while all places are full. So it never keeps more than {@link #PLACES}, even with a
 * million virtual threads.
 *
 * <p>Objects that are idle for some seconds are closed, and old ones when they are returned. There
 * is no thread for it, because a thread would keep serow's classes and their class loader
 * reachable. The calls that return an object do it, at most once a second, for all pools.
 */
public final class Pool<T extends Pool.Kept> {
  /** A pooled object. */
  public abstract static class Kept {
    /** When its first use ended, by the group's last look at the clock. */
    private long born;

    /** When its last use ended. */
    private long since;

    private int uses;

    /** Frees memory that is too large to be kept, and references to the caller's objects. */
    void trim() {}

    /** Frees native memory. The object is not used afterwards. */
    void close() {}
  }

  /** How long an object may be idle before it is closed. */
  static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * How old an object may be when it is returned. Then it is closed, so that memory which only a
   * few large messages needed is not kept by the small ones after them.
   */
  static final long LIFE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** The minimum time between two searches for idle objects. */
  private static final long BETWEEN_SEARCHES = TimeUnit.SECONDS.toNanos(1);

  /**
   * An object is returned this number of times for one look at the clock, which takes a third of
   * the time of a small record.
   */
  static final int USES_PER_LOOK = 32;

  static final int PLACES = Integer.highestOneBit(8 * Runtime.getRuntime().availableProcessors());

  /** References between two places, so that they are in different cache lines. */
  private static final int STEP = 16;

  /** Pools whose idle objects are closed together. */
  static final class Group {
    private final List<Pool<?>> pools = new CopyOnWriteArrayList<>();
    private final AtomicLong lastSearch;

    /** The time in nanoseconds. Tests set it. */
    LongSupplier clock;

    /** The time at the last look at the clock. */
    private volatile long now;

    Group(LongSupplier clock) {
      this.clock = clock;
      now = clock.getAsLong();
      lastSearch = new AtomicLong(now);
    }

    /** Looks at the clock, and at most once a second closes what is idle for too long. */
    private void look() {
      NativeHandle.freeUnreachable();
      now = clock.getAsLong();
      long last = lastSearch.get();
      if (now - last > BETWEEN_SEARCHES && lastSearch.compareAndSet(last, now)) {
        closeIdleSince(now - IDLE_NANOS);
      }
    }

    /** Closes the objects that are idle since {@code time} or longer. */
    private void closeIdleSince(long time) {
      for (Pool<?> pool : pools) {
        pool.close(time);
      }
    }

    /** Closes the idle objects. */
    void closeIdle() {
      closeIdleSince(clock.getAsLong());
    }
  }

  /** The pools of serow. */
  static final Group ALL = new Group(System::nanoTime);

  private final Group group;
  private final Supplier<T> maker;

  private final AtomicReferenceArray<T> places = new AtomicReferenceArray<>(PLACES * STEP);

  Pool(Supplier<T> maker) {
    this(ALL, maker);
  }

  Pool(Group group, Supplier<T> maker) {
    this.group = group;
    this.maker = maker;
    group.pools.add(this);
  }

  /** Frees all memory that no call uses now. */
  public static void freeIdle() {
    NativeHandle.freeUnreachable();
    ALL.closeIdle();
  }

  private static int home() {
    return (int) Thread.currentThread().getId() & PLACES - 1;
  }

  /** The index of the place that is {@code i} places behind {@code home}. */
  private static int index(int home, int i) {
    return (home + i & PLACES - 1) * STEP;
  }

  /** Returns an idle object, or a new one. The caller owns it until it gives it back. */
  T lend() {
    int home = home();
    T object = places.getAndSet(index(home, 0), null);
    for (int i = 1; object == null && i < PLACES; i++) {
      int other = index(home, i);
      if (places.get(other) != null) {
        object = places.getAndSet(other, null);
      }
    }
    return object != null ? object : maker.get();
  }

  /**
   * Lends an object to {@code call}. After an error it is closed, because it may be in any state.
   */
  <R> R use(Function<T, R> call) {
    T object = lend();
    R result;
    try {
      result = call.apply(object);
    } catch (Throwable e) {
      object.close();
      throw e;
    }
    object.trim();
    giveBack(object);
    return result;
  }

  /** Returns the object to the pool, or closes it if it is old or the pool is full. */
  void giveBack(T object) {
    Kept kept = object;
    boolean looks = ++kept.uses % USES_PER_LOOK == 0;
    if (looks) {
      group.look();
    }
    kept.since = group.now;
    if (kept.uses == 1) {
      kept.born = kept.since;
    }
    if (looks && kept.since - kept.born >= LIFE_NANOS || !isPut(object)) {
      object.close();
    }
  }

  private boolean isPut(T object) {
    int home = home();
    for (int i = 0; i < PLACES; i++) {
      if (places.compareAndSet(index(home, i), null, object)) {
        return true;
      }
    }
    return false;
  }

  private void close(long time) {
    for (int i = 0; i < PLACES; i++) {
      T object = places.get(i * STEP);
      Kept kept = object;
      // A stale time does no harm.
      if (object != null
          && kept.since - time <= 0
          && places.compareAndSet(i * STEP, object, null)) {
        object.close();
      }
    }
  }
}
