package io.github.serow.internal.evolution;

import io.github.serow.internal.logical.CompositeTypes;
import io.github.serow.internal.types.Type;

/** Times with and without a zone. */
final class Clocks {
  private Clocks() {}

  static boolean hasZone(Type time) {
    return time.code() == CompositeTypes.TIMETZ.code()
        || time.code() == CompositeTypes.TIMESTAMPTZ.code();
  }

  /**
   * Whether {@code writer} is a time with or without a zone, and the reader's type the other of the
   * two. A union of both is what Python's {@code datetime} and {@code time} are; each value decides
   * whether it can be read.
   */
  static boolean isOther(Type writer, Type reader) {
    int code = writer.code();
    int read = reader.required().code();
    return code == CompositeTypes.TIME.code() && read == CompositeTypes.TIMETZ.code()
        || code == CompositeTypes.TIMETZ.code() && read == CompositeTypes.TIME.code()
        || code == CompositeTypes.TIMESTAMP.code() && read == CompositeTypes.TIMESTAMPTZ.code()
        || code == CompositeTypes.TIMESTAMPTZ.code() && read == CompositeTypes.TIMESTAMP.code();
  }
}
