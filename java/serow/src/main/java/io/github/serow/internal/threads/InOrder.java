package io.github.serow.internal.threads;

import io.github.serow.Threads;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Jobs that the calling thread and those of an executor do at once, and whose results the calling
 * thread takes in order. One thread at a time may use it.
 *
 * <p>The calling thread does jobs that nobody has begun while it waits for a result. So it needs no
 * other thread: the executor may be busy, refuse tasks or run them in the calling thread, which may
 * itself be one of the executor's. A task of the executor ends when no job waits, so it blocks no
 * thread.
 *
 * @param <R> a result
 * @param <E> what the source of the jobs throws
 */
public final class InOrder<R, E extends Exception> implements AutoCloseable {
  /** Where jobs come from. */
  public interface Source<R, E extends Exception> {
    /**
     * The next job, or null if there is none. The calling thread calls this. An exception is thrown
     * once the results of all jobs before were taken; then the source may go on.
     */
    Supplier<R> next() throws E;
  }

  private final Threads threads;
  private final Source<R, E> source;
  private final Consumer<R> drop;

  /** The most jobs that are begun and not taken. */
  private final int most;

  private final Deque<FutureTask<R>> begun = new ArrayDeque<>();

  private final Helpers helpers = new Helpers();

  /** Whether the source has no job now. */
  private boolean isAtEnd;

  /** The exception of the source in place of a job; null if there is none. */
  private Exception failure;

  /**
   * Begins before the first job.
   *
   * @param threads which threads work; at most one more job is begun and not taken
   * @param drop frees a result that nobody takes
   */
  public InOrder(Threads threads, Source<R, E> source, Consumer<R> drop) {
    this.threads = threads;
    this.source = source;
    this.drop = drop;
    most = threads.most() == 1 ? 1 : threads.most() + 1;
  }

  /**
   * The jobs that nobody works on yet, and the tasks that do them. An executor may keep a task, so
   * a task refers to nothing else.
   */
  private static final class Helpers {
    private final Queue<FutureTask<?>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger tasks = new AtomicInteger();

    /** Gives the executor another task, unless it has enough. */
    void ask(Threads threads) {
      if (tasks.get() >= threads.most() - 1) {
        return;
      }
      tasks.incrementAndGet();
      try {
        threads.executor().execute(this::help);
      } catch (RejectedExecutionException | OutOfMemoryError e) {
        // Perhaps there is no memory for another thread. The calling thread does the work.
        tasks.decrementAndGet();
      }
    }

    private void help() {
      while (doNext()) {
        // It has done a job.
      }
      tasks.decrementAndGet();
    }

    /** Does the first job that waits. Returns false if there is none. */
    boolean doNext() {
      FutureTask<?> job = waiting.poll();
      if (job == null) {
        return false;
      }
      job.run();
      return true;
    }
  }

  /**
   * Returns the result of the next job, or null if there is none. Throws what the job, or the
   * source in place of it, has thrown.
   */
  public R next() throws E {
    while (!isAtEnd && begun.size() < most) {
      begin();
    }
    FutureTask<R> first = begun.poll();
    if (first == null) {
      return end();
    }
    while (!first.isDone() && helpers.doNext()) {
      // It has done a job, perhaps this one.
    }
    return result(first);
  }

  /** Returns null, or throws the exception of the source if there is one. */
  private R end() throws E {
    if (failure != null) {
      Exception passed = failure;
      failure = null;
      isAtEnd = false;
      throw InOrder.<E>unchecked(passed);
    }
    return null;
  }

  private void begin() {
    Supplier<R> next;
    try {
      next = source.next();
    } catch (Exception e) {
      failure = e;
      next = null;
    }
    if (next == null) {
      isAtEnd = true;
      return;
    }
    FutureTask<R> job = new FutureTask<>(next::get);
    begun.add(job);
    helpers.waiting.add(job);
    if (begun.size() > 1) {
      helpers.ask(threads);
    }
  }

  /** Waits for a job, also if this thread is interrupted. */
  private R result(FutureTask<R> job) throws E {
    boolean wasInterrupted = false;
    try {
      while (true) {
        try {
          return job.get();
        } catch (InterruptedException e) {
          wasInterrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw InOrder.<E>unchecked(e.getCause());
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Throws anything: what the source has thrown, or what code of the caller's does not declare. */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E unchecked(Throwable thrown) throws E {
    throw (E) thrown;
  }

  /** Frees the results that were not taken. Afterwards no job is running. */
  @Override
  public void close() {
    for (FutureTask<?> job; (job = helpers.waiting.poll()) != null; ) {
      begun.remove(job);
    }
    for (FutureTask<R> job : begun) {
      try {
        drop.accept(result(job));
      } catch (Exception | Error e) {
        // There is no result.
      }
    }
    begun.clear();
  }
}
