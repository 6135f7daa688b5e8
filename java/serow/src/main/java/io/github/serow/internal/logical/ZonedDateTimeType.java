package io.github.serow.internal.logical;

import io.github.serow.internal.wire.ValueSink;
import io.github.serow.internal.wire.ValueSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;

/** {@code timestamptz} as a {@link ZonedDateTime}, in a region or at an offset. */
final class ZonedDateTimeType extends MomentType {
  /** Reads both classes. */
  private final TimestampTzType plain;

  ZonedDateTimeType(String constant, Lacking lacking) {
    super(constant, lacking);
    plain = new TimestampTzType(constant, lacking);
  }

  @Override
  public boolean takes(Object value) {
    return value instanceof ZonedDateTime time
        && (time.getZone() instanceof ZoneOffset || TimestampTzType.isInRegion(time));
  }

  @Override
  public String refusal(Object value) {
    return takes(value) ? null : plain.refusal(value);
  }

  @Override
  public int write(Object value, ValueSink out, int at) {
    if (value instanceof ZonedDateTime time && time.getZone() instanceof ZoneOffset) {
      return put(time.toLocalDateTime(), time.getOffset(), out, at);
    }
    return plain.write(value instanceof ZonedDateTime ? value : null, out, at);
  }

  @Override
  Object of(long micros, long rest, long offset, ValueSource in, int bytes, int entry) {
    Object time = plain.of(micros, rest, offset, in, bytes, entry);
    return time instanceof OffsetDateTime fixed ? fixed.toZonedDateTime() : time;
  }
}
