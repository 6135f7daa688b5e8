package io.github.serow.internal.evolution;

import io.github.serow.internal.wire.RecordIn;
import io.github.serow.internal.wire.RecordOut;

/**
 * Converts the bytes of a value of a writer's type, in a record of the row wire, to those of the
 * same value of a reader's type. The reader's own code then reads these.
 *
 * <p>It checks only what the reader's code can't see any more: which values can be converted, and
 * what is dropped.
 */
public interface Conversion {
  /**
   * Reads the value at the position of {@code in}, and writes the other one at {@code at}.
   *
   * @return the position after it
   */
  int convert(RecordIn in, RecordOut out, int at);
}
