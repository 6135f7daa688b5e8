package io.github.serow.logical;

import io.github.serow.wire.Columns;
import io.github.serow.wire.FlatRows;
import io.github.serow.wire.TypeMismatch;
import java.util.UUID;

/** {@code uuid}: a {@link UUID}. */
public final class UuidType extends CompositeType {
  UuidType() {
    super(26, "uuid", 2, 0, false);
  }

  @Override
  public boolean takes(Object value) {
    return value instanceof UUID;
  }

  @Override
  public int write(Object value, FlatRows flat, int slot) throws TypeMismatch {
    if (!(value instanceof UUID uuid)) {
      throw TypeMismatch.MISMATCH;
    }
    flat.slots[slot] = uuid.getMostSignificantBits();
    flat.slots[slot + 1] = uuid.getLeastSignificantBits();
    return slot + 2;
  }

  @Override
  public Object read(Columns columns, int numbers, int bytes, int row) {
    long first = columns.part(numbers, row);
    return new UUID(first, columns.part(numbers + 1, row));
  }
}
