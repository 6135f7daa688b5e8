package io.github.serow.logical;

import io.github.serow.wire.BytesColumn;
import io.github.serow.wire.Columns;
import io.github.serow.wire.FlatRows;
import io.github.serow.wire.TypeMismatch;

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
  public int write(Object value, FlatRows flat, int slot) throws TypeMismatch {
    if (!(value instanceof byte[] bytes)) {
      throw TypeMismatch.MISMATCH;
    }
    flat.slots[slot] = flat.bytes(bytes);
    return slot + 1;
  }

  @Override
  public Object read(Columns columns, int numbers, int bytes, int row) {
    BytesColumn column = columns.bytes(bytes);
    return column.get(column.entry(row));
  }
}
