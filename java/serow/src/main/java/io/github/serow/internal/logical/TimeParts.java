package io.github.serow.internal.logical;

import io.github.serow.DecodeException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.Temporal;
import java.time.zone.ZoneRulesProvider;

/**
 * The components that types of times share: the microseconds of a clock; the <em>rest</em>, which
 * is twice the nanoseconds beyond them, plus one for the second of two equal times, plus 2048 times
 * what the microseconds exceed 64 bits by; the offset of the clock in microseconds; and the zone.
 */
public final class TimeParts {
  private static final long NANOS = 1_000;
  private static final long MICROS = 1_000_000;
  private static final long NO_OFFSET = Long.MIN_VALUE;

  /** The bits of the rest below the microseconds beyond 64 bits. */
  private static final int REST_BITS = 11;

  private static final long REST_MASK = (1 << REST_BITS) - 1;

  private TimeParts() {}

  /** The lowest 64 bits of the microseconds since 1970. */
  static long micros(long seconds, int nanos) {
    return seconds * MICROS + nanos / NANOS;
  }

  /** The rest of a timestamp at these seconds since 1970, for the first of two equal times. */
  static long rest(long seconds, int nanos) {
    long low = seconds * MICROS;
    long sum = low + nanos / NANOS;
    long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
    // The component is a signed number: if it is negative, it counts for 2^64 less.
    long high = Math.multiplyHigh(seconds, MICROS) + carry - (sum >> (Long.SIZE - 1));
    return rest(nanos) + (high << REST_BITS);
  }

  static long micros(LocalTime time) {
    return time.toNanoOfDay() / NANOS;
  }

  static long rest(int nanos) {
    return 2 * (nanos % NANOS);
  }

  static long offset(ZoneOffset offset) {
    return offset.getTotalSeconds() * MICROS;
  }

  /** The clock time of a timestamp's components. */
  static LocalDateTime dateTime(long micros, long rest) {
    long seconds = seconds(micros, rest);
    try {
      return LocalDateTime.ofEpochSecond(seconds, nanos(micros, rest), ZoneOffset.UTC);
    } catch (DateTimeException e) {
      throw tooFar(seconds + " seconds");
    }
  }

  /** The point in time of the components of a timestamp with an offset. */
  static Instant instant(long micros, long rest, long offset) {
    long seconds = seconds(micros, rest);
    try {
      return Instant.ofEpochSecond(
          Math.subtractExact(seconds, Math.floorDiv(offset, MICROS)),
          nanos(micros, rest) - Math.floorMod(offset, MICROS) * NANOS);
    } catch (DateTimeException | ArithmeticException e) {
      throw tooFar(seconds + " seconds");
    }
  }

  private static long seconds(long micros, long rest) {
    if (rest >> REST_BITS == 0) {
      return Math.floorDiv(micros, MICROS);
    }
    BigInteger all = all(micros, rest);
    BigInteger[] parts = all.divideAndRemainder(BigInteger.valueOf(MICROS));
    try {
      return parts[0].longValueExact() - (parts[1].signum() < 0 ? 1 : 0);
    } catch (ArithmeticException e) {
      throw tooFar(all + " microseconds");
    }
  }

  private static int nanos(long micros, long rest) {
    long ofSecond =
        rest >> REST_BITS == 0
            ? Math.floorMod(micros, MICROS)
            : all(micros, rest).mod(BigInteger.valueOf(MICROS)).longValue();
    return (int) (ofSecond * NANOS + (rest & REST_MASK) / 2);
  }

  /** The microseconds since 1970, which may take more than 64 bits. */
  private static BigInteger all(long micros, long rest) {
    BigInteger high = BigInteger.valueOf(rest >> REST_BITS).shiftLeft(Long.SIZE);
    return high.add(BigInteger.valueOf(micros));
  }

  private static DecodeException tooFar(String distance) {
    return CompositeType.cannotHold(
        "a time " + distance + " from 1970",
        "a LocalDateTime has years from -999999999 to 999999999");
  }

  static LocalTime time(long micros, long rest) {
    return LocalTime.ofNanoOfDay(micros * NANOS + rest / 2);
  }

  /** Whether it is the second of two equal times. */
  static boolean isSecond(long rest) {
    return (rest & 1) != 0;
  }

  /** The rest without nanoseconds beyond the microseconds. */
  static long withoutNanos(long rest) {
    return rest & (~REST_MASK | 1);
  }

  /**
   * Gives {@code time}, whose class has no second time.
   *
   * @throws DecodeException if it is the second of two equal times, and that may not be dropped
   */
  static <T extends Temporal> T theOnly(T time, long rest, Lacking lacking) {
    if (lacking == Lacking.REFUSED && isSecond(rest)) {
      throw CompositeType.lacks(time + " with fold 1", time.getClass().getName() + " has no fold");
    }
    return time;
  }

  /** The offset of these microseconds; {@code time} is for the error. */
  static ZoneOffset offset(long micros, Temporal time) {
    if (micros == NO_OFFSET) {
      throw CompositeType.cannotHold(time + " without an offset", "java.time.OffsetTime has one");
    }
    try {
      if (micros % MICROS == 0) {
        return ZoneOffset.ofTotalSeconds(Math.toIntExact(micros / MICROS));
      }
    } catch (DateTimeException e) {
      // Reported below.
    }
    throw CompositeType.cannotHold(
        time + " at an offset of " + micros + " microseconds",
        "java.time.ZoneOffset has whole seconds and up to 18 hours");
  }

  /** Whether the bytes of a zone, which are not empty, are the name of an offset and no key. */
  static boolean isName(byte[] zone) {
    return zone[0] == '=';
  }

  /**
   * Checks the name of an offset, which Java lacks.
   *
   * @throws DecodeException if it says more than the offset, and may not be dropped
   */
  static void checkName(byte[] zone, ZoneOffset offset, Lacking lacking) {
    if (lacking != Lacking.REFUSED) {
      return;
    }
    String name = new String(zone, 1, zone.length - 1, StandardCharsets.UTF_8);
    // The names that Python itself gives to offsets.
    String own = offset.getTotalSeconds() == 0 ? "UTC" : "UTC" + offset;
    if (!name.equals(own)) {
      throw CompositeType.lacks(
          "a time at " + offset + " called " + shortened(name), "java.time.ZoneOffset has no name");
    }
  }

  /** The zone of a key, which is not empty. */
  static ZoneId zone(byte[] bytes) {
    String key = new String(bytes, StandardCharsets.UTF_8);
    if (isKey(key)) {
      // Skip other spellings of offsets, such as GMT+0, which Java would normalize.
      ZoneId zone = ZoneId.of(key);
      if (zone.getId().equals(key)) {
        return zone;
      }
    }
    throw CompositeType.cannotHold(
        "a time of the zone " + shortened(key), "this Java's time zone database lacks it");
  }

  /** Whether Java has rules for this name. Then it is the key of a region and not an offset. */
  static boolean isKey(String key) {
    try {
      ZoneRulesProvider.getRules(key, false);
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }

  private static String shortened(String text) {
    return text.length() <= 100 ? text : text.substring(0, 97) + "...";
  }
}
