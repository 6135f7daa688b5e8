package io.github.serow.internal.evolution;

import io.github.serow.DecodeException;
import io.github.serow.internal.logical.CompositeTypes;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.types.TypeForms;

/** An arm of the writer's union that can't be read. */
final class OtherArm {
  private OtherArm() {}

  /** Refuses values of {@code arm}, which can't be read as {@code reader}. */
  static Conversion conversion(Type arm, Type reader) {
    return (in, out, at) -> {
      throw new DecodeException(isOtherClock(arm, reader) ? ofClock(arm) : ofType(arm, reader));
    };
  }

  private static String ofType(Type arm, Type reader) {
    return "a value of type "
        + TypeForms.brief(arm)
        + " can't be read as "
        + TypeForms.brief(reader)
        + "; add its type to the reader's";
  }

  private static String ofClock(Type arm) {
    boolean hasZone =
        arm.code() == CompositeTypes.TIMETZ.code()
            || arm.code() == CompositeTypes.TIMESTAMPTZ.code();
    return "the value is a "
        + arm
        + ", which has "
        + (hasZone ? "a time zone" : "no time zone")
        + "; read it as "
        + arm
        + ", or as a union of both";
  }

  /**
   * Whether {@code writer} is a time with or without a zone, and the reader's type the other of the
   * two.
   */
  private static boolean isOtherClock(Type writer, Type reader) {
    int code = writer.code();
    int read = reader.required().code();
    return code == CompositeTypes.TIME.code() && read == CompositeTypes.TIMETZ.code()
        || code == CompositeTypes.TIMETZ.code() && read == CompositeTypes.TIME.code()
        || code == CompositeTypes.TIMESTAMP.code() && read == CompositeTypes.TIMESTAMPTZ.code()
        || code == CompositeTypes.TIMESTAMPTZ.code() && read == CompositeTypes.TIMESTAMP.code();
  }
}
