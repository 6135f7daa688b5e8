package io.github.serow;

/** {@code bytes}: a {@code byte[]}, each of its own. */
final class BytesType extends Logical {
  BytesType() {
    super(17, "bytes", 0, 0, true);
  }

  @Override
  boolean takes(Object value) {
    return value instanceof byte[];
  }

  @Override
  int write(Object value, FlatRows flat, int slot) throws Misfit {
    if (!(value instanceof byte[] bytes)) {
      throw Misfit.MISFIT;
    }
    flat.slots[slot] = flat.bytes(bytes);
    return slot + 1;
  }

  @Override
  Object read(Columns columns, int numbers, int bytes, int row) {
    BytesColumn column = columns.bytes(bytes);
    return column.get(column.entry(row));
  }
}
