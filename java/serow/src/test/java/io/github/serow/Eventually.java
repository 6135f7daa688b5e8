package io.github.serow;

import java.util.concurrent.TimeUnit;

/** Waits for what other threads or the garbage collector do at a time that is not known. */
public final class Eventually {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  private Eventually() {}

  /** A condition that may take time to hold. */
  public interface Condition {
    boolean holds() throws Exception;
  }

  /** Whether the condition holds within a minute, after which only a broken program fails. */
  public static boolean holds(Condition condition) throws Exception {
    long begin = System.nanoTime();
    while (!condition.holds()) {
      if (System.nanoTime() - begin > LIMIT_NANOS) {
        return false;
      }
      Thread.sleep(50);
    }
    return true;
  }

  /** Whether the condition holds after some garbage collections. */
  public static boolean holdsAfterCollections(Condition condition) throws Exception {
    return holds(
        () -> {
          System.gc();
          return condition.holds();
        });
  }
}
