package io.github.serow;

import java.time.LocalTime;

/** {@code time}: a {@link LocalTime}. */
final class TimeType extends Logical {
  TimeType() {
    super(20, "time", 2, 0, false);
  }

  @Override
  boolean takes(Object value) {
    return value instanceof LocalTime;
  }

  @Override
  int write(Object value, FlatRows flat, int slot) throws Misfit {
    if (!(value instanceof LocalTime time)) {
      throw Misfit.MISFIT;
    }
    flat.slots[slot] = Clock.micros(time);
    flat.slots[slot + 1] = Clock.rest(time.getNano());
    return slot + 2;
  }

  @Override
  Object read(Columns columns, int numbers, int bytes, int row) {
    long micros = columns.part(numbers, row);
    long rest = columns.part(numbers + 1, row);
    return Clock.theOnly(Clock.time(micros, rest), rest);
  }
}
