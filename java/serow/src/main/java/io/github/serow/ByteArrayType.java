package io.github.serow;

import java.nio.ByteBuffer;

/**
 * {@code bytearray}: a {@link ByteBuffer} of any kind, from its position to its limit, neither of
 * which is moved. What is made is a buffer on the heap, each of its own.
 */
final class ByteArrayType extends Logical {
  ByteArrayType() {
    super(18, "bytearray", 0, 0, true);
  }

  @Override
  boolean takes(Object value) {
    return value instanceof ByteBuffer;
  }

  @Override
  int write(Object value, FlatRows flat, int slot) throws Misfit {
    if (!(value instanceof ByteBuffer buffer)) {
      throw Misfit.MISFIT;
    }
    flat.slots[slot] = flat.bytes(buffer);
    return slot + 1;
  }

  @Override
  Object read(Columns columns, int numbers, int bytes, int row) {
    BytesColumn column = columns.bytes(bytes);
    return ByteBuffer.wrap(column.get(column.entry(row)));
  }
}
