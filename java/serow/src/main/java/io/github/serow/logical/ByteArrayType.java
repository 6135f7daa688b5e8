package io.github.serow.logical;

import io.github.serow.wire.BytesColumn;
import io.github.serow.wire.Columns;
import io.github.serow.wire.FlatRows;
import io.github.serow.wire.TypeMismatch;
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
  public int write(Object value, FlatRows flat, int slot) throws TypeMismatch {
    if (!(value instanceof ByteBuffer buffer)) {
      throw TypeMismatch.MISMATCH;
    }
    flat.slots[slot] = flat.bytes(buffer);
    return slot + 1;
  }

  @Override
  public Object read(Columns columns, int numbers, int bytes, int row) {
    BytesColumn column = columns.bytes(bytes);
    return ByteBuffer.wrap(column.get(column.entry(row)));
  }
}
