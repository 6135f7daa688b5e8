package io.github.serow;

import org.jspecify.annotations.NullMarked;

/** What becomes of the parts of times and durations that the classes of some languages lack. */
@NullMarked
public enum Times {
  /**
   * They are kept. A part that the reader's class can't hold is an error, unless the reader has
   * declared the class.
   */
  EXACT,
  /**
   * Times are those that the classes of every language hold, when they are written and when they
   * are read: nanoseconds of times and durations are rounded down to microseconds, an offset has no
   * name, and of two equal clock times without the rules of a zone nobody says which it is. In
   * elements of sets and keys of maps nothing is rounded, because two might become equal.
   */
  PORTABLE
}
