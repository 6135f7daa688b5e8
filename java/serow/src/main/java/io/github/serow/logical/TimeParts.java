package io.github.serow.logical;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.Temporal;
import java.time.zone.ZoneRulesProvider;

/**
 * The components that types of times share: the microseconds of a clock; the <em>rest</em>, which
 * is twice the nanoseconds beyond them plus one for the second of two equal times; the offset of
 * the clock in microseconds; and the zone.
 */
public final class TimeParts {
  private static final long NANOS = 1_000;
  private static final long MICROS = 1_000_000;
  private static final long NO_OFFSET = Long.MIN_VALUE;

  private static final LocalDateTime FIRST = dateTime(Long.MIN_VALUE, 0);
  private static final LocalDateTime LAST = dateTime(Long.MAX_VALUE, 2 * (NANOS - 1));

  private TimeParts() {}

  /** Why {@code time} can't be expressed in microseconds since 1970; null if it can. */
  static String refusal(LocalDateTime time) {
    return isTold(time)
        ? null
        : time + ", which is not in the range of 64-bit microseconds, " + FIRST + " to " + LAST;
  }

  static boolean isTold(LocalDateTime time) {
    return !time.isBefore(FIRST) && !time.isAfter(LAST);
  }

  /** The microseconds since 1970 of a time in range. */
  static long micros(LocalDateTime time) {
    // Seconds before 1970 are rounded down, so the multiplication may overflow; the addition then
    // overflows back to the right sum.
    return time.toEpochSecond(ZoneOffset.UTC) * MICROS + time.getNano() / NANOS;
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

  static LocalDateTime dateTime(long micros, long rest) {
    int nanos = (int) (Math.floorMod(micros, MICROS) * NANOS + rest / 2);
    return LocalDateTime.ofEpochSecond(Math.floorDiv(micros, MICROS), nanos, ZoneOffset.UTC);
  }

  static LocalTime time(long micros, long rest) {
    return LocalTime.ofNanoOfDay(micros * NANOS + rest / 2);
  }

  /** Whether it is the second of two equal times. */
  static boolean isSecond(long rest) {
    return (rest & 1) != 0;
  }

  /** Throws if {@code time}, whose class has no second time, is the second of two equal times. */
  static <T extends Temporal> T theOnly(T time, long rest) {
    if (isSecond(rest)) {
      throw CompositeType.cannotHold(
          time + " with fold 1", time.getClass().getName() + " has no fold");
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

  /** The zone of a key, which is not empty. */
  static ZoneId zone(byte[] bytes) {
    String key = new String(bytes, StandardCharsets.UTF_8);
    if (key.startsWith("=")) {
      throw CompositeType.cannotHold(
          "an offset called " + shortened(key.substring(1)), "java.time.ZoneOffset has no name");
    }
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
