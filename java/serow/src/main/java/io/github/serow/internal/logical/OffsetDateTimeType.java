package io.github.serow.internal.logical;

import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.internal.wire.ValueSink;
import io.github.serow.internal.wire.ValueSource;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;

/** {@code timestamptz} as an {@link OffsetDateTime}: the clock and its offset, without a region. */
final class OffsetDateTimeType extends MomentType {
  OffsetDateTimeType(String constant, Lacking lacking) {
    super(constant, lacking);
  }

  @Override
  public boolean takes(Object value) {
    return value instanceof OffsetDateTime;
  }

  @Override
  public int write(Object value, ValueSink out, int at) {
    if (!(value instanceof OffsetDateTime time)) {
      throw new TypeMismatch(value);
    }
    return put(time.toLocalDateTime(), time.getOffset(), out, at);
  }

  @Override
  Object of(long micros, long rest, long offset, ValueSource in, int bytes, int entry) {
    LocalDateTime clock = TimeParts.dateTime(micros, rest);
    return OffsetDateTime.of(clock, TimeParts.offset(offset, clock));
  }
}
