package io.github.serow.internal.logical;

import io.github.serow.DecodeException;
import io.github.serow.LimitException;
import io.github.serow.internal.wire.GeneralizedUtf8;
import io.github.serow.internal.wire.Limits;
import io.github.serow.internal.wire.NdArrays;
import io.github.serow.internal.wire.ValueSource;

/**
 * Checks components as native code does ({@code Logical::check}), unless it has checked those of
 * the source.
 */
public final class Components {
  private static final long MICROS_PER_DAY = 86_400L * 1_000_000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final long NO_OFFSET = Long.MIN_VALUE;

  /** The end of the range of the rest: twice the nanoseconds of a microsecond. */
  private static final int REST_END = 2_000;

  private static final long REST_MASK = 2_047;

  private static final byte[] EMPTY = {};

  private Components() {}

  private static void require(boolean isRight, String what) {
    if (!isRight) {
      throw new DecodeException("its components are not a valid value: " + what);
    }
  }

  /** The bytes of a component, to be checked. Most are empty. */
  static byte[] bytes(ValueSource in, int bytes, int entry) {
    return in.length(bytes, entry) == 0 ? EMPTY : in.get(bytes, entry);
  }

  private static boolean isRest(long rest) {
    return rest >= 0 && rest < REST_END;
  }

  /** The higher bits are those of the microseconds that 64 bits don't hold. */
  private static boolean isRestOfMoment(long rest) {
    return isRest(rest & REST_MASK);
  }

  private static boolean isInDay(long micros) {
    return micros >= 0 && micros < MICROS_PER_DAY;
  }

  private static boolean isZone(long offset, byte[] zone) {
    boolean isOfDay = -MICROS_PER_DAY < offset && offset < MICROS_PER_DAY;
    return (isOfDay || offset == NO_OFFSET) && GeneralizedUtf8.isValid(zone);
  }

  /**
   * Whether the bytes are an integer in two's complement, little-endian, that needs more than 64
   * bits, in as few bytes as possible.
   */
  private static boolean isLarge(byte[] bytes) {
    if (bytes.length <= Long.BYTES) {
      return false;
    }
    byte last = bytes[bytes.length - 1];
    boolean isNegative = bytes[bytes.length - 2] < 0;
    return last != (isNegative ? -1 : 0);
  }

  /** Checks that an int or decimal with so many bytes has no more digits than it may. */
  static void checkDigits(int bytes) {
    if (bytes > Limits.MAX_INTEGER_BYTES) {
      throw new LimitException(
          "an int or decimal may have 1,000,000 digits, and this one has more");
    }
  }

  static void checkInt(ValueSource in, long small, int bytes, int entry) {
    byte[] large = in.isChecked() ? EMPTY : bytes(in, bytes, entry);
    checkDigits(large.length);
    require(
        large.length == 0 || small == 0 && isLarge(large), "an int has more bytes than it needs");
  }

  static void checkTime(ValueSource in, long micros, long rest) {
    require(in.isChecked() || isInDay(micros) && isRest(rest), "a time is not within a day");
  }

  static void checkTimeTz(ValueSource in, long micros, long rest, long offset, byte[] zone) {
    require(
        in.isChecked() || isInDay(micros) && isRest(rest) && isZone(offset, zone),
        "a time is not within a day, or its zone is invalid");
  }

  static void checkTimestamp(ValueSource in, long rest) {
    require(in.isChecked() || isRestOfMoment(rest), "a timestamp has more than 999 nanoseconds");
  }

  static void checkTimestampTz(ValueSource in, long rest, long offset, int bytes, int entry) {
    require(
        in.isChecked()
            || isRestOfMoment(rest)
                && offset != NO_OFFSET
                && isZone(offset, bytes(in, bytes, entry)),
        "a timestamp has more than 999 nanoseconds, or its zone is invalid");
  }

  static void checkDuration(ValueSource in, long nanos) {
    require(
        in.isChecked() || nanos >= 0 && nanos < NANOS_PER_SECOND,
        "a duration has more nanoseconds than a second");
  }

  static void checkDecimal(ValueSource in, long first, long second, int bytes, int entry) {
    if (in.isChecked()) {
      return;
    }
    byte[] large = bytes(in, bytes, entry);
    checkDigits(large.length);
    boolean isRight =
        switch ((int) first & 3) {
          case 0 -> large.length == 0;
          case 1 -> second == 0 && isLarge(large);
          case 2 -> second == 0 && large.length == 0;
          default -> first >> 2 == 0 && isNotFinite(second, large);
        };
    require(isRight, "a decimal has components of no number");
  }

  static void checkNdArray(ValueSource in, long code, byte[] bytes) {
    require(
        in.isChecked() || NdArrays.areComponents(code, bytes),
        "an array has no such shape, or other elements than its shape");
  }

  private static boolean isNotFinite(long number, byte[] payload) {
    boolean isKind = number >= 0 && number < 8 && (number & 3) < 3;
    boolean isNan = (number & 3) > 0;
    return isKind && isDigits(payload) && (isNan || payload.length == 0);
  }

  private static boolean isDigits(byte[] text) {
    for (byte digit : text) {
      if (digit < '0' || digit > '9') {
        return false;
      }
    }
    return text.length == 0 || text[0] != '0';
  }
}
