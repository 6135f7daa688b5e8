package io.github.serow.internal.logical;

import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.internal.wire.ValueSink;
import io.github.serow.internal.wire.ValueSource;
import java.nio.ByteBuffer;

/**
 * {@code bytearray}: any {@link ByteBuffer}, from its position to its limit, which do not move.
 * Each decoded value is a new heap buffer.
 */
public final class ByteArrayType extends CompositeType {
  ByteArrayType() {
    super(18, "bytearray", 0, 0, true);
  }

  @Override
  public boolean takes(Object value) {
    return value instanceof ByteBuffer;
  }

  @Override
  public int write(Object value, ValueSink out, int at) {
    if (!(value instanceof ByteBuffer buffer)) {
      throw new TypeMismatch(value);
    }
    return out.bytes(buffer, at);
  }

  @Override
  public Object read(ValueSource in, int numbers, int bytes, int row) {
    return ByteBuffer.wrap(in.get(bytes, in.bytes(bytes, row)));
  }
}
