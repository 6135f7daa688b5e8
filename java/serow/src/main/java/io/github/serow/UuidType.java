package io.github.serow;

import java.util.UUID;

/** {@code uuid}: a {@link UUID}. */
final class UuidType extends Logical {
  UuidType() {
    super(26, "uuid", 2, 0, false);
  }

  @Override
  boolean takes(Object value) {
    return value instanceof UUID;
  }

  @Override
  int write(Object value, FlatRows flat, int slot) throws Misfit {
    if (!(value instanceof UUID uuid)) {
      throw Misfit.MISFIT;
    }
    flat.slots[slot] = uuid.getMostSignificantBits();
    flat.slots[slot + 1] = uuid.getLeastSignificantBits();
    return slot + 2;
  }

  @Override
  Object read(Columns columns, int numbers, int bytes, int row) {
    long first = columns.part(numbers, row);
    return new UUID(first, columns.part(numbers + 1, row));
  }
}
