package io.github.serow.logical;

import io.github.serow.wire.TypeMismatch;
import io.github.serow.wire.ValueSink;
import io.github.serow.wire.ValueSource;
import java.time.LocalDateTime;

/** {@code timestamp}: a {@link LocalDateTime}. */
public final class TimestampType extends CompositeType {
  TimestampType() {
    super(22, "timestamp", 2, 0, false);
  }

  @Override
  public boolean takes(Object value) {
    return value instanceof LocalDateTime;
  }

  @Override
  public String refusal(Object value) {
    return TimeParts.refusal((LocalDateTime) value);
  }

  @Override
  public int write(Object value, ValueSink out, int at) throws TypeMismatch {
    if (!(value instanceof LocalDateTime time) || !TimeParts.isTold(time)) {
      throw TypeMismatch.MISMATCH;
    }
    return out.i64(TimeParts.rest(time.getNano()), out.i64(TimeParts.micros(time), at));
  }

  @Override
  public Object read(ValueSource in, int numbers, int bytes, int row) {
    long micros = in.i64(numbers, row);
    long rest = in.i64(numbers + 1, row);
    if (!in.isChecked()) {
      Components.checkTimestamp(rest);
    }
    return TimeParts.theOnly(TimeParts.dateTime(micros, rest), rest);
  }
}
