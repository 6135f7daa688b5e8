package io.github.serow;

import java.time.LocalDateTime;

/** {@code timestamp}: a {@link LocalDateTime}. */
final class TimestampType extends Logical {
  TimestampType() {
    super(22, "timestamp", 2, 0, false);
  }

  @Override
  boolean takes(Object value) {
    return value instanceof LocalDateTime;
  }

  @Override
  String refusal(Object value) {
    return Clock.refusal((LocalDateTime) value);
  }

  @Override
  int write(Object value, FlatRows flat, int slot) throws Misfit {
    if (!(value instanceof LocalDateTime time) || !Clock.isTold(time)) {
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
    return Clock.theOnly(Clock.dateTime(micros, rest), rest);
  }
}
