package io.github.serow.internal.logical;

import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.internal.wire.ValueSink;
import io.github.serow.internal.wire.ValueSource;

/** {@code bytes}: a {@code byte[]}. Each decoded value is a new array. */
public final class BytesType extends CompositeType {
  BytesType() {
    super(17, "bytes", 0, 0, true);
  }

  @Override
  public boolean takes(Object value) {
    return value instanceof byte[];
  }

  @Override
  public int write(Object value, ValueSink out, int at) {
    if (!(value instanceof byte[] bytes)) {
      throw new TypeMismatch(value);
    }
    return out.bytes(bytes, at);
  }

  @Override
  public Object read(ValueSource in, int numbers, int bytes, int row) {
    return in.get(bytes, in.bytes(bytes, row));
  }
}
