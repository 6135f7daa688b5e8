package io.github.serow.threads;

import io.github.serow.Threads;
import java.util.concurrent.atomic.AtomicInteger;

/** How many threads a call uses, and all calls together. */
public final class ThreadCount {
  /** The most threads of a call. */
  private static final int LIMIT = limit();

  /** How many threads the calls may still start. */
  private static final AtomicInteger LEFT = new AtomicInteger(LIMIT - 1);

  private ThreadCount() {}

  private static int limit() {
    String named = System.getenv("SEROW_THREADS");
    if (named != null) {
      try {
        int count = Integer.parseInt(named.strip());
        if (count > 0) {
          return count;
        }
      } catch (NumberFormatException e) {
        // As if there were none, like native code does it.
      }
    }
    return Runtime.getRuntime().availableProcessors();
  }

  /** The time to start a thread and to wait for its end, in nanoseconds. */
  private static final class StartTime {
    static final double NANOS = measure();

    private static double measure() {
      double least = Double.MAX_VALUE;
      for (int i = 0; i < 5; i++) {
        long begin = System.nanoTime();
        // It must run no code of this class, whose initialization would make it wait.
        Thread thread = new Thread();
        thread.start();
        try {
          thread.join();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        least = Math.min(least, System.nanoTime() - begin);
      }
      return Math.max(least, 1000);
    }
  }

  /**
   * How many threads to use for {@code jobs} jobs.
   *
   * @param nanos the time that a job takes on one thread, in nanoseconds
   */
  public static int choose(Threads threads, long jobs, double nanos) {
    int most = (int) Math.min(jobs, Math.min(threads.most(), LIMIT));
    if (!threads.isAuto() || most <= 1) {
      return Math.max(most, 1);
    }
    // On n threads the jobs take T/n, and starting the threads takes n times H. The sum is least
    // for n = sqrt(T/H).
    int best = (int) Math.sqrt(nanos * jobs / StartTime.NANOS);
    return Math.max(1, Math.min(most, best));
  }

  /** Permits a call to start up to {@code most} threads. Returns how many. */
  static int take(int most) {
    int left = LEFT.getAndUpdate(now -> now - Math.min(now, most));
    return Math.min(left, most);
  }

  /** Gives permits back. */
  static void giveBack(int count) {
    LEFT.addAndGet(count);
  }
}
