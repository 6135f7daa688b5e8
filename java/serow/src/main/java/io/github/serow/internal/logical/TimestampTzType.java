package io.github.serow.internal.logical;

import io.github.serow.internal.wire.ValueSink;
import io.github.serow.internal.wire.ValueSource;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;

/**
 * {@code timestamptz}, for rows without a declared class: an {@link OffsetDateTime}, or a {@link
 * ZonedDateTime} in a region. A {@code ZonedDateTime} with a fixed offset is refused, because it
 * would decode to an {@code OffsetDateTime}.
 */
public final class TimestampTzType extends MomentType {
  TimestampTzType(String constant, Lacking lacking) {
    super(constant, lacking);
  }

  @Override
  public boolean takes(Object value) {
    return value instanceof OffsetDateTime || value instanceof ZonedDateTime;
  }

  @Override
  public String refusal(Object value) {
    return value instanceof ZonedDateTime time && !isInRegion(time)
        ? time + ", whose zone is not a region; use toOffsetDateTime()"
        : null;
  }

  static boolean isInRegion(ZonedDateTime time) {
    return !(time.getZone() instanceof ZoneOffset) && TimeParts.isKey(time.getZone().getId());
  }

  @Override
  public int write(Object value, ValueSink out, int at) {
    if (value instanceof OffsetDateTime time) {
      return put(time.toLocalDateTime(), time.getOffset(), out, at);
    }
    if (!(value instanceof ZonedDateTime time) || !isInRegion(time)) {
      throw mismatch(value);
    }
    LocalDateTime clock = time.toLocalDateTime();
    List<ZoneOffset> offsets = time.getZone().getRules().getValidOffsets(clock);
    int fold = offsets.size() == 2 && offsets.get(1).equals(time.getOffset()) ? 1 : 0;
    return put(clock, time.getOffset(), fold, time.getZone().getId(), out, at);
  }

  @Override
  Object of(long micros, long rest, long offset, ValueSource in, int bytes, int entry) {
    LocalDateTime clock = TimeParts.dateTime(micros, rest);
    ZoneOffset ahead = TimeParts.offset(offset, clock);
    if (in.length(bytes, entry) > 0) {
      Object zone = in.share(bytes, entry, TimestampTzType::zone);
      if (zone instanceof ZoneId region) {
        return inRegion(clock, ahead, region, TimeParts.isSecond(rest));
      }
      TimeParts.checkName((byte[]) zone, ahead, lacking());
    }
    return TimeParts.theOnly(OffsetDateTime.of(clock, ahead), rest, lacking());
  }

  /** The region of a key, or the bytes of the name of an offset. */
  private static Object zone(byte[] bytes) {
    return TimeParts.isName(bytes) ? bytes : TimeParts.zone(bytes);
  }

  /** A time in a region. The rules of this Java must agree with those of the writer. */
  private ZonedDateTime inRegion(
      LocalDateTime clock, ZoneOffset offset, ZoneId zone, boolean second) {
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(clock);
    int nth = second ? 1 : 0;
    boolean isSame = nth < offsets.size() && offsets.get(nth).equals(offset);
    if (isSame || lacking() != Lacking.REFUSED && offsets.contains(offset)) {
      return ZonedDateTime.ofLocal(clock, zone, offset);
    }
    String time = clock.toString() + offset + "[" + zone + "] with fold " + nth;
    if (offsets.isEmpty()) {
      throw cannotHold(time, "clocks skip this time there, so java.time.ZonedDateTime lacks it");
    }
    throw cannotHold(
        time,
        "this Java's rules for the zone give "
            + offsets
            + ", and fold 1 needs a second of these: the time zone databases differ, or fold was set"
            + " without need, which java.time.ZonedDateTime can't represent");
  }
}
