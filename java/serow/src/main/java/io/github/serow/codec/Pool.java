package io.github.serow.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Pool of idle objects.
 *
 * <p>A thread's number selects a place, so that threads seldom meet there and each finds its own
 * memory in its core's cache. A thread that finds nothing at its place looks at the others. If
 * there is none, the caller makes one, so no call waits for another one. The pool closes an object
 * that is returned while all places are full. So it never keeps more than {@link #PLACES}, even
 * with a million virtual threads.
 *
 * <p>Objects that are idle for some seconds are closed, and old ones when they are returned. There
 * is no thread for it, because a thread would keep serow's classes and their class loader
 * reachable. The calls that return an object do it, at most once a second, for all pools.
 */
public final class Pool<T extends Pool.Kept> {
  /** A pooled object. */
  abstract static class Kept {
    final long born;

    /** When its use ended, at the last look at the clock. */
    private long since;

    private int uses;

    Kept() {
      this(System.nanoTime());
    }

    Kept(long born) {
      this.born = born;
      since = born;
    }

    /** Frees the object's memory. It is not used afterwards. */
    abstract void close();
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
   * An object is returned this number of times for one look at the clock, which takes some
   * hundredths of a small message. So an object that is used less than once a second may be closed
   * although it was not idle.
   */
  static final int USES_PER_LOOK = 8;

  static final int PLACES =
      Math.max(8, Integer.highestOneBit(4 * Runtime.getRuntime().availableProcessors() - 1));

  /** Pools whose idle objects are closed together. */
  static final class Group {
    private final List<Pool<?>> pools = new CopyOnWriteArrayList<>();
    private final AtomicLong lastSearch;

    Group(long now) {
      lastSearch = new AtomicLong(now);
    }

    /** Closes objects that are idle for too long, at most once a second. Returns whether it did. */
    boolean tick(long now) {
      long last = lastSearch.get();
      if (now - last <= BETWEEN_SEARCHES || !lastSearch.compareAndSet(last, now)) {
        return false;
      }
      closeIdleSince(now - IDLE_NANOS);
      return true;
    }

    /** Closes the objects that are idle since {@code time} or longer. */
    void closeIdleSince(long time) {
      for (Pool<?> pool : pools) {
        pool.close(time);
      }
    }
  }

  /** The pools that share the budget. Tests make pools that are not among them. */
  private static final Group ALL = new Group(System.nanoTime());

  /** Whether {@link Management} has registered, or never can. */
  private static volatile boolean isManaged;

  /** A place for an idle object, padded so that two places are in different cache lines. */
  @SuppressWarnings("unused")
  private static final class Place<T> extends AtomicReference<T> {
    private static final long serialVersionUID = 1L;

    private long pad0;
    private long pad1;
    private long pad2;
    private long pad3;
    private long pad4;
    private long pad5;
    private long pad6;
  }

  private final List<Place<T>> places = new ArrayList<>();

  private final Group group;

  Pool() {
    this(ALL);
  }

  Pool(Group group) {
    this.group = group;
    for (int i = 0; i < PLACES; i++) {
      places.add(new Place<>());
    }
    group.pools.add(this);
  }

  /** Returns an idle object, or null. The caller owns it until it gives it back. */
  T lend() {
    int home = home();
    T object = places.get(home).getAndSet(null);
    for (int i = 1; object == null && i < PLACES; i++) {
      Place<T> other = places.get(home + i & PLACES - 1);
      if (other.get() != null) {
        object = other.getAndSet(null);
      }
    }
    return object;
  }

  /** Returns the object to the pool, or closes it if it is old or the pool is full. */
  void giveBack(T object) {
    Kept kept = object;
    if (++kept.uses % USES_PER_LOOK == 0) {
      giveBack(object, System.nanoTime());
    } else {
      put(object);
    }
  }

  void giveBack(T object, long now) {
    Kept kept = object;
    kept.since = now;
    if (now - kept.born < LIFE_NANOS) {
      put(object);
    } else {
      object.close();
    }
    if (group.tick(now)) {
      manage();
    }
  }

  private void put(T object) {
    int home = home();
    for (int i = 0; i < PLACES; i++) {
      if (places.get(home + i & PLACES - 1).compareAndSet(null, object)) {
        return;
      }
    }
    object.close();
  }

  /**
   * Closes objects that are idle for too long, at most once a second. Calls that use no pool call
   * this now and then, so that they free what others left.
   */
  static void tick(long now) {
    ALL.tick(now);
  }

  /**
   * Registers the bean for the memory, once there is a platform's MBean server. Pooled objects have
   * native memory, so the native library is loaded.
   */
  private static void manage() {
    if (isManaged) {
      return;
    }
    // No other thread tries meanwhile.
    isManaged = true;
    try {
      isManaged = Management.register();
    } catch (LinkageError e) {
      // The module java.management is missing.
    } catch (RuntimeException e) {
      // The server refuses the bean, and the caller's message is complete without it.
    }
  }

  private static int home() {
    return (int) Thread.currentThread().getId() & PLACES - 1;
  }

  /** The number of idle objects. */
  int idle() {
    return (int) places.stream().filter(place -> place.get() != null).count();
  }

  /** Closes the idle objects of all pools. */
  static void closeIdle() {
    closeIdleSince(System.nanoTime());
  }

  /** Closes the objects of all pools that are idle since {@code time} or longer. */
  static void closeIdleSince(long time) {
    ALL.closeIdleSince(time);
  }

  private static boolean isIdle(Kept object, long time) {
    return object.since - time <= 0;
  }

  private void close(long time) {
    for (Place<T> place : places) {
      T object = place.get();
      // A stale time does no harm.
      if (object != null && isIdle(object, time) && place.compareAndSet(object, null)) {
        object.close();
      }
    }
  }
}
