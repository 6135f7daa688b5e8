package io.github.serow;

/**
 * How many threads a call may use. The bytes, the rows and the errors do not depend on it.
 *
 * <pre>{@code
 * Codec<Part> codec = Codec.of(Part.class).withThreads(Threads.auto());
 * }</pre>
 *
 * <p>Threads share out the frames of a message or stream: up to 65,536 rows and about 16 MiB each.
 * So one frame uses one thread. The threads read the caller's rows and make them: getters and
 * constructors run on several threads at once, each for other rows.
 *
 * <p>The threads of a call end with it. The environment variable {@code SEROW_THREADS} limits the
 * threads of a call, and all calls together start one less; without it, the number of processors
 * does. A call that may start no thread does the work itself. Only native code uses threads.
 */
public final class Threads {
  private static final Threads ONE = new Threads(1, false);
  private static final Threads AUTO = new Threads(Integer.MAX_VALUE, true);

  private final int most;
  private final boolean isAuto;

  private Threads(int most, boolean isAuto) {
    this.most = most;
    this.isAuto = isAuto;
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
   * At most {@code count} threads, the calling thread among them.
   *
   * @param count the number of threads, 1 or more
   * @return the threads
   * @throws IllegalArgumentException if there is no such number
   */
  public static Threads of(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("threads must be 1 or more, not " + count);
    }
    return count == 1 ? ONE : new Threads(count, false);
  }

  /**
   * As many threads as probably make the call fastest, as far as measured times tell. A small
   * message uses one.
   *
   * @return the threads
   */
  public static Threads auto() {
    return AUTO;
  }

  /**
   * The greatest number of threads.
   *
   * @return the number; {@link Integer#MAX_VALUE} for {@link #auto}
   */
  public int most() {
    return most;
  }

  /**
   * Whether the number is chosen in each call.
   *
   * @return whether this is {@link #auto}
   */
  public boolean isAuto() {
    return isAuto;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Threads it && it.most == most && it.isAuto == isAuto;
  }

  @Override
  public int hashCode() {
    return isAuto ? -1 : most;
  }

  /** The number, or {@code auto}. */
  @Override
  public String toString() {
    return isAuto ? "auto" : Integer.toString(most);
  }
}
