package io.github.serow.logical;

import io.github.serow.wire.Columns;
import io.github.serow.wire.FlatRows;
import io.github.serow.wire.TypeMismatch;
import java.time.Duration;

/** {@code duration}: a {@link Duration}. */
public final class DurationType extends CompositeType {
  DurationType() {
    super(24, "duration", 2, 0, false);
  }

  @Override
  public boolean takes(Object value) {
    return value instanceof Duration;
  }

  @Override
  public int write(Object value, FlatRows flat, int slot) throws TypeMismatch {
    if (!(value instanceof Duration duration)) {
      throw TypeMismatch.MISMATCH;
    }
    flat.slots[slot] = duration.getSeconds();
    flat.slots[slot + 1] = duration.getNano();
    return slot + 2;
  }

  @Override
  public Object read(Columns columns, int numbers, int bytes, int row) {
    long seconds = columns.part(numbers, row);
    return Duration.ofSeconds(seconds, columns.part(numbers + 1, row));
  }
}
