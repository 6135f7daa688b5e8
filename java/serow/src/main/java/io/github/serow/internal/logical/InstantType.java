package io.github.serow.internal.logical;

import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.internal.wire.ValueSink;
import io.github.serow.internal.wire.ValueSource;
import java.time.Instant;

/** {@code timestamptz} as an {@link Instant}: the point in time, whatever the zone. */
final class InstantType extends MomentType {
  InstantType(String constant, Lacking lacking) {
    super(constant, lacking);
  }

  @Override
  public boolean takes(Object value) {
    return value instanceof Instant;
  }

  @Override
  public int write(Object value, ValueSink out, int at) {
    if (!(value instanceof Instant time)) {
      throw new TypeMismatch(value);
    }
    return out.noBytes(put(time.getEpochSecond(), time.getNano(), 0, 0, out, at));
  }

  @Override
  Object of(long micros, long rest, long offset, ValueSource in, int bytes, int entry) {
    return TimeParts.instant(micros, rest, offset);
  }
}
