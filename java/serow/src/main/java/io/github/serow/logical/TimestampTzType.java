package io.github.serow.logical;

import io.github.serow.wire.TypeMismatch;
import io.github.serow.wire.ValueSink;
import io.github.serow.wire.ValueSource;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;

/**
 * {@code timestamptz}: an {@link OffsetDateTime}, or a {@link ZonedDateTime} in a region. A {@code
 * ZonedDateTime} with a fixed offset is refused, because it would decode to an {@code
 * OffsetDateTime}.
 */
public final class TimestampTzType extends CompositeType {
  TimestampTzType() {
    super(23, "timestamptz", 3, 0, true);
  }

  @Override
  public boolean takes(Object value) {
    return value instanceof OffsetDateTime || value instanceof ZonedDateTime;
  }

  @Override
  public String refusal(Object value) {
    if (value instanceof OffsetDateTime time) {
      return TimeParts.refusal(time.toLocalDateTime());
    }
    ZonedDateTime time = (ZonedDateTime) value;
    return isInRegion(time)
        ? TimeParts.refusal(time.toLocalDateTime())
        : time + ", whose zone is not a region; use toOffsetDateTime()";
  }

  private static boolean isInRegion(ZonedDateTime time) {
    return !(time.getZone() instanceof ZoneOffset) && TimeParts.isKey(time.getZone().getId());
  }

  @Override
  public int write(Object value, ValueSink out, int at) throws TypeMismatch {
    if (value instanceof OffsetDateTime time) {
      return put(time.toLocalDateTime(), time.getOffset(), 0, null, out, at);
    }
    if (!(value instanceof ZonedDateTime time) || !isInRegion(time)) {
      throw TypeMismatch.MISMATCH;
    }
    LocalDateTime clock = time.toLocalDateTime();
    List<ZoneOffset> offsets = time.getZone().getRules().getValidOffsets(clock);
    int fold = offsets.size() == 2 && offsets.get(1).equals(time.getOffset()) ? 1 : 0;
    return put(clock, time.getOffset(), fold, time.getZone().getId(), out, at);
  }

  /** {@code key} is the key of the region, or null. */
  private static int put(
      LocalDateTime clock, ZoneOffset offset, int fold, String key, ValueSink out, int at)
      throws TypeMismatch {
    if (!TimeParts.isTold(clock)) {
      throw TypeMismatch.MISMATCH;
    }
    int next = out.i64(TimeParts.micros(clock), at);
    next = out.i64(TimeParts.rest(clock.getNano()) + fold, next);
    next = out.i64(TimeParts.offset(offset), next);
    return key == null ? out.noBytes(next) : out.ascii(key, next);
  }

  @Override
  public Object read(ValueSource in, int numbers, int bytes, int row) {
    long micros = in.i64(numbers, row);
    long rest = in.i64(numbers + 1, row);
    long offset = in.i64(numbers + 2, row);
    int entry = in.bytes(bytes, row);
    if (!in.isChecked()) {
      Components.checkTimestampTz(rest, offset, Components.bytes(in, bytes, entry));
    }
    LocalDateTime clock = TimeParts.dateTime(micros, rest);
    if (in.length(bytes, entry) == 0) {
      return TimeParts.theOnly(OffsetDateTime.of(clock, TimeParts.offset(offset, clock)), rest);
    }
    ZoneId zone = (ZoneId) in.share(bytes, entry, TimeParts::zone);
    return inRegion(clock, TimeParts.offset(offset, clock), zone, TimeParts.isSecond(rest));
  }

  /** A time in a region. The rules of this Java must agree with those of the writer. */
  private static ZonedDateTime inRegion(
      LocalDateTime clock, ZoneOffset offset, ZoneId zone, boolean second) {
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(clock);
    int nth = second ? 1 : 0;
    if (nth < offsets.size() && offsets.get(nth).equals(offset)) {
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
