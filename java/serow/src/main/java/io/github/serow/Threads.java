package io.github.serow;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.NullMarked;

/**
 * Which threads a call may use. The bytes, the rows and the errors do not depend on it.
 *
 * <pre>{@code
 * Codec<Part> codec = Codec.of(Part.class).withThreads(Threads.of(4));
 * }</pre>
 *
 * <p>Threads share out the frames of a message or stream: up to 65,536 rows and about 16 MiB each.
 * So one frame uses one thread. The threads read the caller's rows and make them: getters and
 * constructors run on several threads at once, each for other rows. They must not wait for a lock
 * that the calling thread holds.
 *
 * <p>serow starts no threads. The calling thread works, and an executor runs tasks that help it.
 * Where it runs none, because it is busy or refuses them, the calling thread does all the work. So
 * a task of the executor may itself make such a call. Only native code uses threads.
 */
@NullMarked
public final class Threads {
  private static final Threads ONE = new Threads(1, Runnable::run);

  private final int most;
  private final Executor executor;

  private Threads(int most, Executor executor) {
    this.most = most;
    this.executor = executor;
  }

  /**
   * The calling thread only.
   *
   * @return one thread
   */
  public static Threads one() {
    return ONE;
  }

  /**
   * At most {@code count} threads: the calling thread, and those of the common pool of the JVM
   * ({@link ForkJoinPool#commonPool}), which has as many as there are processors, less one.
   *
   * @param count the number of threads, 1 or more
   * @return the threads
   * @throws IllegalArgumentException if there is no such number
   */
  public static Threads of(int count) {
    // More would only hold more frames.
    int useful = Math.min(count, ForkJoinPool.getCommonPoolParallelism() + 1);
    return of(useful, ForkJoinPool.commonPool());
  }

  /**
   * At most {@code count} threads: the calling thread, and those of an executor. Besides what it
   * makes, a call holds a frame for each thread, and one more.
   *
   * @param count the number of threads, 1 or more
   * @param executor runs the tasks of the other threads
   * @return the threads
   * @throws IllegalArgumentException if there is no such number
   */
  public static Threads of(int count, Executor executor) {
    Objects.requireNonNull(executor, "executor");
    if (count < 1) {
      throw new IllegalArgumentException("threads must be 1 or more, not " + count);
    }
    return count == 1 ? ONE : new Threads(count, executor);
  }

  /**
   * The greatest number of threads.
   *
   * @return the number
   */
  public int most() {
    return most;
  }

  /**
   * Runs the tasks of the threads that are not the calling one.
   *
   * @return the executor
   */
  public Executor executor() {
    return executor;
  }

  /** The number. */
  @Override
  public String toString() {
    return Integer.toString(most);
  }
}
