package io.github.serow.internal.types;

import io.github.serow.internal.logical.CompositeType;
import io.github.serow.internal.logical.CompositeTypes;
import java.util.List;

/** The types of numbers. {@code crates/core/src/number.rs} has the same rules. */
public final class NumberTypes {
  /**
   * A type, the least and the largest of its integers as powers of two, and whether it is one of
   * floats.
   */
  private record NumberType(int code, boolean isSigned, int bits, boolean isFloat) {
    boolean includes(NumberType other) {
      return isFloat == other.isFloat
          && (isSigned == other.isSigned ? bits >= other.bits : isSigned && bits > other.bits);
    }
  }

  /** All, each after those that it includes. */
  private static final List<NumberType> ALL =
      List.of(
          integer(CompositeTypes.U8, false, Byte.SIZE),
          integer(CompositeTypes.I8, true, Byte.SIZE),
          integer(CompositeTypes.U16, false, Short.SIZE),
          integer(CompositeTypes.I16, true, Short.SIZE),
          integer(CompositeTypes.U32, false, Integer.SIZE),
          integer(CompositeTypes.I32, true, Integer.SIZE),
          new NumberType(TypeCodes.I64, true, Long.SIZE, false),
          integer(CompositeTypes.U64, false, Long.SIZE),
          integer(CompositeTypes.INT, true, Integer.MAX_VALUE),
          new NumberType(CompositeTypes.F32.code(), true, Float.SIZE, true),
          new NumberType(TypeCodes.F64, true, Double.SIZE, true));

  /** The set of their codes. */
  private static final long CODES =
      ALL.stream().mapToLong(type -> 1L << type.code).reduce(0, (a, b) -> a | b);

  private NumberTypes() {}

  private static NumberType integer(CompositeType type, boolean isSigned, int bits) {
    return new NumberType(type.code(), isSigned, bits, false);
  }

  private static NumberType of(int code) {
    return ALL.stream().filter(type -> type.code == code).findFirst().orElse(null);
  }

  /** Whether a code is that of a type of numbers. */
  public static boolean isNumber(int code) {
    return of(code) != null;
  }

  /** Whether a code is that of a type of floats. */
  public static boolean isFloat(int code) {
    return kind(code) == TypeCodes.F64;
  }

  /**
   * The code that stands for all types of numbers of one class in every language; the same for
   * other types. Only {@code int} and {@code u64} have integers of more than 63 bits.
   */
  public static int classOf(int code) {
    boolean isLarge = code == CompositeTypes.INT.code() || code == CompositeTypes.U64.code();
    return isLarge ? CompositeTypes.INT.code() : kind(code);
  }

  /** The code that stands for all types of integers, or of floats; the same for other types. */
  static int kind(int code) {
    NumberType type = of(code);
    return type == null ? code : type.isFloat ? TypeCodes.F64 : TypeCodes.I64;
  }

  /** The smallest type that includes both, which are both of integers or both of floats. */
  static int joined(int a, int b) {
    NumberType first = of(a);
    NumberType second = of(b);
    for (NumberType type : ALL) {
      if (type.includes(first) && type.includes(second)) {
        return type.code;
      }
    }
    throw new IllegalArgumentException(a + " and " + b);
  }

  /** The set of codes where the types of integers are joined to one, and those of floats to one. */
  static long joined(long codes) {
    long others = codes & ~CODES;
    int[] joined = {0, 0};
    for (NumberType type : ALL) {
      if ((codes >> type.code & 1) != 0) {
        int at = type.isFloat ? 1 : 0;
        joined[at] = joined[at] == 0 ? type.code : joined(joined[at], type.code);
      }
    }
    for (int code : joined) {
      others |= code == 0 ? 0 : 1L << code;
    }
    return others;
  }
}
