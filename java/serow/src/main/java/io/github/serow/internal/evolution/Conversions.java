package io.github.serow.internal.evolution;

import io.github.serow.DecodeException;
import io.github.serow.LimitException;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.types.TypeForms;
import io.github.serow.internal.wire.ObjectSizes;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.ValueSource;

/** The conversions that need little code. */
final class Conversions {
  /** A null that becomes a value that may be null. */
  static final Conversion ABSENT = ofNull((in, out, at) -> bit(false, out, at));

  /** A value of a type without values. */
  static final Conversion NEVER =
      (in, out, at) -> {
        in.never();
        return at;
      };

  private Conversions() {}

  private static int bit(boolean bit, RecordOut out, int at) {
    out.reserve(at);
    return out.bit(bit ? 1 : 0, at);
  }

  /** A value that becomes one that may be null, or may be missing. */
  static Conversion present(Conversion value) {
    return (in, out, at) -> value.convert(in, out, bit(true, out, at));
  }

  /** A value that may be null, or may be missing, for both. */
  static Conversion optional(Conversion value) {
    return (in, out, at) -> {
      boolean isPresent = in.bit();
      int next = bit(isPresent, out, at);
      return isPresent ? value.convert(in, out, next) : next;
    };
  }

  /** A null for which the reader has something else. */
  static Conversion ofNull(Conversion otherwise) {
    return (in, out, at) -> {
      in.nothing();
      return otherwise.convert(in, out, at);
    };
  }

  /** A value that may be null, or missing, for which the reader has something else then. */
  static Conversion orElse(Conversion value, Conversion otherwise) {
    return (in, out, at) -> (in.bit() ? value : otherwise).convert(in, out, at);
  }

  /** A value that becomes an arm of a union. */
  static Conversion toArm(int arm, Conversion value) {
    return (in, out, at) -> {
      out.reserve(at);
      return value.convert(in, out, out.arm(arm, at));
    };
  }

  /** An arm of a union. */
  static Conversion ofArm(Conversion... arms) {
    return (in, out, at) -> arms[in.arm(arms.length)].convert(in, out, at);
  }

  /** What the reader has in each row. */
  static Conversion constant(byte[] bytes) {
    return (in, out, at) -> {
      int end = Math.addExact(at, bytes.length);
      // Values take at least half as much memory as the most bytes that they have in a record.
      if (end / 2 > in.memoryLeft()) {
        throw new LimitException(ObjectSizes.TOO_LARGE);
      }
      out.ensure(at, bytes.length);
      System.arraycopy(bytes, 0, out.bytes, at, bytes.length);
      return end;
    };
  }

  /**
   * A field that the reader drops. It is read so that its bytes are checked. Its memory is free
   * after that.
   */
  static Conversion dropped(Type type, boolean isMaybe) {
    Node node = DroppedType.node(type);
    return (in, out, at) -> {
      if (!isMaybe || in.bit()) {
        long memory = in.memoryLeft();
        node.read(in, ValueSource.NEXT);
        in.restoreMemory(memory);
      }
      return at;
    };
  }

  /**
   * A member of an enum.
   *
   * @param places the reader's index of each member; -1 for one that the reader lacks
   */
  static Conversion member(Type writer, int[] places) {
    return (in, out, at) -> {
      int member = in.member(places.length);
      if (places[member] < 0) {
        throw new DecodeException(
            TypeForms.word(writer.names().get(member))
                + " is not a member of the reader's enum "
                + TypeForms.word(writer.name()));
      }
      out.reserve(at);
      return out.member(places[member], at);
    };
  }
}
