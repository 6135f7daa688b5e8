package io.github.serow.sparkbench;

/** Pseudo-random numbers by their place, so that all contestants and partitions agree on them. */
public final class Mixed {
  private Mixed() {}

  /** Returns the number of a row and a column: SplitMix64's finalizer over both. */
  public static long at(long row, long column) {
    long z = (row + 1) * 0x9E3779B97F4A7C15L + column * 0xD1B54A32D192ED03L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Returns a number from 0 to one less than {@code bound}. */
  public static int below(int bound, long row, long column) {
    return (int) Long.remainderUnsigned(at(row, column), bound);
  }
}
