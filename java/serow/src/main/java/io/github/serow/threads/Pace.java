package io.github.serow.threads;

/**
 * The time that work takes for each row or byte. The last measurement counts, whichever thread
 * noted it.
 */
public final class Pace {
  private volatile double nanosPerUnit;

  /** Notes a measured time. */
  public void note(long nanos, long units) {
    nanosPerUnit = (double) nanos / Math.max(1, units);
  }

  /** Whether anything was measured. */
  public boolean isKnown() {
    return nanosPerUnit > 0;
  }

  /** The time for work of this size, in nanoseconds. */
  public double nanos(long units) {
    return nanosPerUnit * units;
  }
}
