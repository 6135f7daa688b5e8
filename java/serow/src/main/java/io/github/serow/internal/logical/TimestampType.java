package io.github.serow.internal.logical;

import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.internal.wire.ValueSink;
import io.github.serow.internal.wire.ValueSource;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** {@code timestamp}: a {@link LocalDateTime}. */
public final class TimestampType extends CompositeType {
  private final Lacking lacking;

  TimestampType(String constant, Lacking lacking) {
    super(constant, 22, "timestamp", 2, 0, false);
    this.lacking = lacking;
  }

  @Override
  public boolean takes(Object value) {
    return value instanceof LocalDateTime;
  }

  @Override
  public int write(Object value, ValueSink out, int at) {
    if (!(value instanceof LocalDateTime time)) {
      throw new TypeMismatch(value);
    }
    long seconds = time.toEpochSecond(ZoneOffset.UTC);
    int next = out.i64(TimeParts.micros(seconds, time.getNano()), at);
    return out.i64(lacking.rest(TimeParts.rest(seconds, time.getNano())), next);
  }

  @Override
  public Object read(ValueSource in, int numbers, int bytes, int row) {
    long micros = in.i64(numbers, row);
    long rest = in.i64(numbers + 1, row);
    if (!in.isChecked()) {
      Components.checkTimestamp(rest);
    }
    return TimeParts.theOnly(TimeParts.dateTime(micros, lacking.rest(rest)), rest, lacking);
  }
}
