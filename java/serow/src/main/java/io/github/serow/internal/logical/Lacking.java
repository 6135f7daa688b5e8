package io.github.serow.internal.logical;

/** What becomes of the parts of a time that its Java class lacks. */
enum Lacking {
  /** They are errors: nobody has declared a class, and so nobody has chosen to lose them. */
  REFUSED,
  /** They are dropped: the reader has declared the class. */
  DROPPED,
  /**
   * They are dropped, and nanoseconds are rounded down to microseconds, on both sides; see {@link
   * io.github.serow.Times#PORTABLE}.
   */
  PORTABLE;

  /** The component <em>rest</em>, without what is dropped. */
  long rest(long rest) {
    return this == PORTABLE ? TimeParts.withoutNanos(rest) : rest;
  }

  /** The nanoseconds of a duration, without what is dropped. */
  long nanos(long nanos) {
    return this == PORTABLE ? nanos - nanos % 1_000 : nanos;
  }
}
