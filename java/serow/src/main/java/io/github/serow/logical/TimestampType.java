package io.github.serow.logical;

import io.github.serow.wire.Columns;
import io.github.serow.wire.FlatRows;
import io.github.serow.wire.TypeMismatch;
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
  public int write(Object value, FlatRows flat, int slot) throws TypeMismatch {
    if (!(value instanceof LocalDateTime time) || !TimeParts.isTold(time)) {
      throw TypeMismatch.MISMATCH;
    }
    flat.slots[slot] = TimeParts.micros(time);
    flat.slots[slot + 1] = TimeParts.rest(time.getNano());
    return slot + 2;
  }

  @Override
  public Object read(Columns columns, int numbers, int bytes, int row) {
    long micros = columns.part(numbers, row);
    long rest = columns.part(numbers + 1, row);
    return TimeParts.theOnly(TimeParts.dateTime(micros, rest), rest);
  }
}
