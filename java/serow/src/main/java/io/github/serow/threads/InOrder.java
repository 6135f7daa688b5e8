package io.github.serow.threads;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Work on several threads, whose results are taken in order. The threads live for one call, so
 * nothing is left that would keep serow's class loader reachable.
 */
public final class InOrder {
  private InOrder() {}

  /**
   * Jobs and their results.
   *
   * @param <J> a job
   * @param <R> a result
   * @param <E> what {@link #next} and {@link #take} throw
   */
  public interface Jobs<J, R, E extends Exception> {
    /** The next job, or null if there is none. Called by the calling thread. */
    J next() throws E;

    /** Does a job, on any thread. */
    R work(J job);

    /**
     * Takes the result of the next job. Returns false if no more are wanted. Called by the calling
     * thread.
     */
    boolean take(R result) throws E;

    /** Frees a result that nobody takes. */
    default void drop(R result) {}
  }

  /**
   * Does jobs on up to {@code threads} threads, the calling thread among them. An exception of a
   * job is thrown when its result would be taken. At most {@code threads + 1} jobs are begun and
   * not taken. When this returns or throws, no job is running.
   */
  public static <J, R, E extends Exception> void run(int threads, Jobs<J, R, E> jobs) throws E {
    int helpers = ThreadCount.take(threads - 1);
    try {
      if (helpers == 0) {
        runAlone(jobs);
      } else {
        new OrderedPool<>(jobs, helpers).run();
      }
    } finally {
      ThreadCount.giveBack(helpers);
    }
  }

  private static <J, R, E extends Exception> void runAlone(Jobs<J, R, E> jobs) throws E {
    boolean wantsMore = true;
    while (wantsMore) {
      J job = jobs.next();
      wantsMore = job != null && jobs.take(jobs.work(job));
    }
  }

  /** A job, and what became of it. */
  private static final class Begun<J, R> {
    final J job;
    R result;
    Throwable failure;
    boolean isDone;

    Begun(J job) {
      this.job = job;
    }
  }

  /** The threads of one call, which do jobs at once and give their results in order. */
  private static final class OrderedPool<J, R, E extends Exception> {
    private final Jobs<J, R, E> jobs;
    private final List<Thread> helpers = new ArrayList<>();
    private final int most;

    /** The jobs that are not taken, in order. Only the calling thread uses it. */
    private final Deque<Begun<J, R>> begun = new ArrayDeque<>();

    private final Lock lock = new ReentrantLock();
    private final Condition added = lock.newCondition();
    private final Condition finished = lock.newCondition();

    /** The jobs that nobody works on yet. Used with the lock, as {@link Begun#isDone} is. */
    private final Deque<Begun<J, R>> waiting = new ArrayDeque<>();

    private boolean isClosed;

    OrderedPool(Jobs<J, R, E> jobs, int most) {
      this.jobs = jobs;
      this.most = most;
    }

    void run() throws E {
      try {
        start();
        loop();
      } finally {
        close();
      }
    }

    private void start() {
      for (int i = 0; i < most; i++) {
        Thread helper = new Thread(this::help, "serow");
        helper.setDaemon(true);
        try {
          helper.start();
        } catch (OutOfMemoryError e) {
          // The system has no memory for another thread: the others do the work.
          return;
        }
        helpers.add(helper);
      }
    }

    private void loop() throws E {
      boolean hasMore = true;
      while (hasMore || !begun.isEmpty()) {
        Begun<J, R> first = begun.peek();
        if (first != null && isDone(first)) {
          begun.remove();
          rethrow(first.failure);
          if (!jobs.take(first.result)) {
            return;
          }
        } else if (hasMore && begun.size() < most + 2) {
          J job = jobs.next();
          hasMore = job != null;
          if (hasMore) {
            add(new Begun<>(job));
          }
        } else {
          workOrWait(first);
        }
      }
    }

    private static void rethrow(Throwable failure) {
      if (failure instanceof RuntimeException e) {
        throw e;
      }
      if (failure instanceof Error e) {
        throw e;
      }
    }

    private boolean isDone(Begun<J, R> job) {
      lock.lock();
      try {
        return job.isDone;
      } finally {
        lock.unlock();
      }
    }

    private void add(Begun<J, R> job) {
      begun.add(job);
      lock.lock();
      try {
        waiting.add(job);
        added.signal();
      } finally {
        lock.unlock();
      }
    }

    /** Does a job that nobody works on, or waits until {@code first} is done. */
    private void workOrWait(Begun<J, R> first) {
      Begun<J, R> own;
      lock.lock();
      try {
        own = waiting.poll();
        while (own == null && !first.isDone) {
          finished.awaitUninterruptibly();
        }
      } finally {
        lock.unlock();
      }
      if (own != null) {
        work(own);
      }
    }

    private void work(Begun<J, R> job) {
      R result = null;
      Throwable failure = null;
      try {
        result = jobs.work(job.job);
      } catch (RuntimeException | Error e) {
        failure = e;
      }
      lock.lock();
      try {
        job.result = result;
        job.failure = failure;
        job.isDone = true;
        finished.signal();
      } finally {
        lock.unlock();
      }
    }

    /** What the other threads do. */
    private void help() {
      for (Begun<J, R> job; (job = nextToHelp()) != null; ) {
        work(job);
      }
    }

    private Begun<J, R> nextToHelp() {
      lock.lock();
      try {
        while (waiting.isEmpty() && !isClosed) {
          added.awaitUninterruptibly();
        }
        return isClosed ? null : waiting.poll();
      } finally {
        lock.unlock();
      }
    }

    /** Ends the other threads. */
    private void close() {
      lock.lock();
      try {
        isClosed = true;
        added.signalAll();
      } finally {
        lock.unlock();
      }
      boolean wasInterrupted = false;
      for (Thread helper : helpers) {
        while (helper.isAlive()) {
          try {
            helper.join();
          } catch (InterruptedException e) {
            wasInterrupted = true;
          }
        }
      }
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
      for (Begun<J, R> job : begun) {
        if (job.result != null) {
          jobs.drop(job.result);
        }
      }
    }
  }
}
