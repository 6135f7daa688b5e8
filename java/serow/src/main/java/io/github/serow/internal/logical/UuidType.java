package io.github.serow.internal.logical;

import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.internal.wire.ValueSink;
import io.github.serow.internal.wire.ValueSource;
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
  public int write(Object value, ValueSink out, int at) {
    if (!(value instanceof UUID uuid)) {
      throw new TypeMismatch(value);
    }
    int next = out.i64(uuid.getMostSignificantBits(), at);
    return out.i64(uuid.getLeastSignificantBits(), next);
  }

  @Override
  public Object read(ValueSource in, int numbers, int bytes, int row) {
    long first = in.i64(numbers, row);
    return new UUID(first, in.i64(numbers + 1, row));
  }
}
