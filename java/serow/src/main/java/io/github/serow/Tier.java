package io.github.serow;

import org.jspecify.annotations.NullMarked;

/** What encodes the rows of a codec. */
@NullMarked
public enum Tier {
  /** Native code interprets the plan of the schema. */
  INTERPRETER,

  /** Native code that is compiled for the schema. */
  JIT,

  /** Java: the row wire, or whatever works where the native library is not loaded. */
  JAVA
}
