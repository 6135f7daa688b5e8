package io.github.serow;

import java.time.Duration;

/** {@code duration}: a {@link Duration}. */
final class DurationType extends Logical {
  DurationType() {
    super(24, "duration", 2, 0, false);
  }

  @Override
  boolean takes(Object value) {
    return value instanceof Duration;
  }

  @Override
  int write(Object value, FlatRows flat, int slot) throws Misfit {
    if (!(value instanceof Duration duration)) {
      throw Misfit.MISFIT;
    }
    flat.slots[slot] = duration.getSeconds();
    flat.slots[slot + 1] = duration.getNano();
    return slot + 2;
  }

  @Override
  Object read(Columns columns, int numbers, int bytes, int row) {
    long seconds = columns.part(numbers, row);
    return Duration.ofSeconds(seconds, columns.part(numbers + 1, row));
  }
}
