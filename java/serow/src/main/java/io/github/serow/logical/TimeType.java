package io.github.serow.logical;

import io.github.serow.wire.Columns;
import io.github.serow.wire.FlatRows;
import io.github.serow.wire.TypeMismatch;
import java.time.LocalTime;

/** {@code time}: a {@link LocalTime}. */
public final class TimeType extends CompositeType {
  TimeType() {
    super(20, "time", 2, 0, false);
  }

  @Override
  public boolean takes(Object value) {
    return value instanceof LocalTime;
  }

  @Override
  public int write(Object value, FlatRows flat, int slot) throws TypeMismatch {
    if (!(value instanceof LocalTime time)) {
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
    return TimeParts.theOnly(TimeParts.time(micros, rest), rest);
  }
}
