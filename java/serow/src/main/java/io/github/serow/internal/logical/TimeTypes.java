package io.github.serow.internal.logical;

import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.ValueSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.function.Function;

/** The types of times, for what becomes of the parts that their Java classes lack. */
final class TimeTypes {
  private TimeTypes() {}

  /** {@code time}: a {@link LocalTime}. */
  static CompositeType time(Lacking lacking) {
    return new CompositeType.Layout(20, "time", 2, 0, false, 24)
        .of(
            LocalTime.class,
            (time, out, at) -> {
              long rest = lacking.rest(TimeParts.rest(time.getNano()));
              return out.i64(rest, out.i64(TimeParts.micros(time), at));
            },
            (in, numbers, bytes, row) -> {
              long micros = in.i64(numbers, row);
              long rest = in.i64(numbers + 1, row);
              Components.checkTime(in, micros, rest);
              return TimeParts.theOnly(TimeParts.time(micros, lacking.rest(rest)), rest, lacking);
            })
        .withTimes(TimeTypes::time);
  }

  /** {@code timetz}: an {@link OffsetTime}. Java has no class for times of day in a region. */
  static CompositeType timeTz(Lacking lacking) {
    return new CompositeType.Layout(21, "timetz", 3, 0, true, 160)
        .of(
            OffsetTime.class,
            (time, out, at) -> {
              int next = out.i64(TimeParts.micros(time.toLocalTime()), at);
              next = out.i64(lacking.rest(TimeParts.rest(time.getNano())), next);
              return out.noBytes(out.i64(TimeParts.offset(time.getOffset()), next));
            },
            (in, numbers, bytes, row) -> readTimeTz(lacking, in, numbers, bytes, row))
        .withTimes(TimeTypes::timeTz);
  }

  private static OffsetTime readTimeTz(
      Lacking lacking, ValueSource in, int numbers, int bytes, int row) {
    long micros = in.i64(numbers, row);
    long rest = in.i64(numbers + 1, row);
    long offset = in.i64(numbers + 2, row);
    byte[] zone = Components.bytes(in, bytes, in.bytes(bytes, row));
    Components.checkTimeTz(in, micros, rest, offset, zone);
    LocalTime time = TimeParts.time(micros, lacking.rest(rest));
    boolean isNamed = zone.length > 0 && TimeParts.isName(zone);
    if (zone.length > 0 && !isNamed && lacking != Lacking.DROPPED) {
      String key = new String(zone, StandardCharsets.UTF_8);
      throw CompositeType.cannotHold(
          time + " in " + key, "java.time.OffsetTime has only an offset");
    }
    ZoneOffset ahead = TimeParts.offset(offset, time);
    if (isNamed) {
      TimeParts.checkName(zone, ahead, lacking);
    }
    return TimeParts.theOnly(OffsetTime.of(time, ahead), rest, lacking);
  }

  /** {@code timestamp}: a {@link LocalDateTime}. */
  static CompositeType timestamp(Lacking lacking) {
    return new CompositeType.Layout(22, "timestamp", 2, 0, false, 80)
        .of(
            LocalDateTime.class,
            (time, out, at) -> {
              long seconds = time.toEpochSecond(ZoneOffset.UTC);
              int next = out.i64(TimeParts.micros(seconds, time.getNano()), at);
              return out.i64(lacking.rest(TimeParts.rest(seconds, time.getNano())), next);
            },
            (in, numbers, bytes, row) -> {
              long micros = in.i64(numbers, row);
              long rest = in.i64(numbers + 1, row);
              Components.checkTimestamp(in, rest);
              LocalDateTime time = TimeParts.dateTime(micros, lacking.rest(rest));
              return TimeParts.theOnly(time, rest, lacking);
            })
        .withTimes(TimeTypes::timestamp);
  }

  /** {@code duration}: a {@link Duration}. */
  static CompositeType duration(Lacking lacking) {
    return new CompositeType.Layout(24, "duration", 2, 0, false, 24)
        .of(
            Duration.class,
            (time, out, at) ->
                out.i64(lacking.nanos(time.getNano()), out.i64(time.getSeconds(), at)),
            (in, numbers, bytes, row) -> {
              long seconds = in.i64(numbers, row);
              long nanos = in.i64(numbers + 1, row);
              Components.checkDuration(in, nanos);
              return Duration.ofSeconds(seconds, lacking.nanos(nanos));
            })
        .withTimes(TimeTypes::duration);
  }

  /** Makes an object of checked components, whose zone is an entry of the column {@code bytes}. */
  private interface Moment {
    Object of(long micros, long rest, long offset, ValueSource in, int bytes, int entry);
  }

  /** {@code timestamptz}, as a class of Java that is a date and time with an offset. */
  private static <T> CompositeType moment(
      Class<T> type,
      Lacking lacking,
      Function<Lacking, CompositeType> times,
      CompositeType.Writer<T> writer,
      Moment moment) {
    CompositeType.Reader reader =
        (in, numbers, bytes, row) -> {
          long micros = in.i64(numbers, row);
          long rest = in.i64(numbers + 1, row);
          long offset = in.i64(numbers + 2, row);
          int entry = in.bytes(bytes, row);
          Components.checkTimestampTz(in, rest, offset, bytes, entry);
          return moment.of(micros, lacking.rest(rest), offset, in, bytes, entry);
        };
    return new CompositeType.Layout(23, "timestamptz", 3, 0, true, 216)
        .of(type, writer, reader)
        .withTimes(times);
  }

  /** {@code timestamptz} as an {@link Instant}: the point in time, whatever the zone. */
  static CompositeType instant(Lacking lacking) {
    return moment(
        Instant.class,
        lacking,
        TimeTypes::instant,
        (time, out, at) ->
            out.noBytes(put(time.getEpochSecond(), time.getNano(), 0, 0, lacking, out, at)),
        (micros, rest, offset, in, bytes, entry) -> TimeParts.instant(micros, rest, offset));
  }

  /**
   * {@code timestamptz} as an {@link OffsetDateTime}: the clock and its offset, without a region.
   */
  static CompositeType offsetDateTime(Lacking lacking) {
    return moment(
        OffsetDateTime.class,
        lacking,
        TimeTypes::offsetDateTime,
        (time, out, at) ->
            out.noBytes(put(time.toLocalDateTime(), time.getOffset(), 0, lacking, out, at)),
        (micros, rest, offset, in, bytes, entry) -> {
          LocalDateTime clock = TimeParts.dateTime(micros, rest);
          return OffsetDateTime.of(clock, TimeParts.offset(offset, clock));
        });
  }

  /** {@code timestamptz} as a {@link ZonedDateTime}, in a region or at an offset. */
  static CompositeType zonedDateTime(Lacking lacking) {
    return moment(
            ZonedDateTime.class,
            lacking,
            TimeTypes::zonedDateTime,
            (time, out, at) -> putZoned(time, lacking, out, at),
            (micros, rest, offset, in, bytes, entry) -> {
              Object time = ofEither(micros, rest, offset, lacking, in, bytes, entry);
              return time instanceof OffsetDateTime fixed ? fixed.toZonedDateTime() : time;
            })
        .withRefusal(time -> isFixed(time) ? null : refusal(time));
  }

  /**
   * {@code timestamptz}, for rows without a declared class: an {@link OffsetDateTime}, or a {@link
   * ZonedDateTime} in a region. A {@code ZonedDateTime} with a fixed offset is refused, because it
   * would decode to an {@code OffsetDateTime}.
   */
  static CompositeType timestampTz(Lacking lacking) {
    return moment(
            Object.class,
            lacking,
            TimeTypes::timestampTz,
            (time, out, at) ->
                time instanceof OffsetDateTime fixed
                    ? out.noBytes(
                        put(fixed.toLocalDateTime(), fixed.getOffset(), 0, lacking, out, at))
                    : putZoned((ZonedDateTime) time, lacking, out, at),
            (micros, rest, offset, in, bytes, entry) ->
                ofEither(micros, rest, offset, lacking, in, bytes, entry))
        .withTest(time -> time instanceof OffsetDateTime || time instanceof ZonedDateTime)
        .withRefusal(TimeTypes::refusal);
  }

  private static boolean isFixed(Object time) {
    return ((ZonedDateTime) time).getZone() instanceof ZoneOffset;
  }

  private static String refusal(Object time) {
    return time instanceof ZonedDateTime zoned
            && (isFixed(zoned) || !TimeParts.isKey(zoned.getZone().getId()))
        ? time + ", whose zone is not a region; use toOffsetDateTime()"
        : null;
  }

  private static int putZoned(ZonedDateTime time, Lacking lacking, RecordOut out, int at) {
    LocalDateTime clock = time.toLocalDateTime();
    if (isFixed(time)) {
      return out.noBytes(put(clock, time.getOffset(), 0, lacking, out, at));
    }
    List<ZoneOffset> offsets = time.getZone().getRules().getValidOffsets(clock);
    int fold = offsets.size() == 2 && offsets.get(1).equals(time.getOffset()) ? 1 : 0;
    return out.ascii(time.getZone().getId(), put(clock, time.getOffset(), fold, lacking, out, at));
  }

  /** Writes the integers of a time; {@code fold} is 1 for the second of two equal times. */
  private static int put(
      LocalDateTime clock, ZoneOffset offset, int fold, Lacking lacking, RecordOut out, int at) {
    long seconds = clock.toEpochSecond(ZoneOffset.UTC);
    return put(seconds, clock.getNano(), fold, TimeParts.offset(offset), lacking, out, at);
  }

  /** Writes the integers of a time at these seconds of its clock since 1970. */
  private static int put(
      long seconds, int nanos, int fold, long offset, Lacking lacking, RecordOut out, int at) {
    int next = out.i64(TimeParts.micros(seconds, nanos), at);
    next = out.i64(lacking.rest(TimeParts.rest(seconds, nanos)) + fold, next);
    return out.i64(offset, next);
  }

  /** An {@link OffsetDateTime}, or a {@link ZonedDateTime} if the zone is a region. */
  private static Object ofEither(
      long micros, long rest, long offset, Lacking lacking, ValueSource in, int bytes, int entry) {
    LocalDateTime clock = TimeParts.dateTime(micros, rest);
    ZoneOffset ahead = TimeParts.offset(offset, clock);
    if (in.length(bytes, entry) > 0) {
      Object zone = in.share(bytes, entry, TimeTypes::zone);
      if (zone instanceof ZoneId region) {
        return inRegion(clock, ahead, region, TimeParts.isSecond(rest), lacking);
      }
      TimeParts.checkName((byte[]) zone, ahead, lacking);
    }
    return TimeParts.theOnly(OffsetDateTime.of(clock, ahead), rest, lacking);
  }

  /** The region of a key, or the bytes of the name of an offset. */
  private static Object zone(byte[] bytes) {
    return TimeParts.isName(bytes) ? bytes : TimeParts.zone(bytes);
  }

  /** A time in a region. The rules of this Java must agree with those of the writer. */
  private static ZonedDateTime inRegion(
      LocalDateTime clock, ZoneOffset offset, ZoneId zone, boolean second, Lacking lacking) {
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(clock);
    int nth = second ? 1 : 0;
    boolean isSame = nth < offsets.size() && offsets.get(nth).equals(offset);
    if (isSame || lacking != Lacking.REFUSED && offsets.contains(offset)) {
      return ZonedDateTime.ofLocal(clock, zone, offset);
    }
    String time = clock.toString() + offset + "[" + zone + "] with fold " + nth;
    if (offsets.isEmpty()) {
      throw CompositeType.cannotHold(
          time, "clocks skip this time there, so java.time.ZonedDateTime lacks it");
    }
    throw CompositeType.cannotHold(
        time,
        "this Java's rules for the zone give "
            + offsets
            + ", and fold 1 needs a second of these: the time zone databases differ, or fold was set"
            + " without need, which java.time.ZonedDateTime can't represent");
  }
}
