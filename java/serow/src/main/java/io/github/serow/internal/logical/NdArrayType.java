package io.github.serow.internal.logical;

import io.github.serow.NdArray;
import io.github.serow.internal.wire.NdArrays;
import io.github.serow.internal.wire.ObjectSizes;
import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.internal.wire.ValueSink;
import io.github.serow.internal.wire.ValueSource;

/** {@code ndarray}: an {@link NdArray}, which has the same bytes. */
public final class NdArrayType extends CompositeType {
  NdArrayType() {
    super(41, "ndarray", 1, 0, true);
  }

  @Override
  public boolean takes(Object value) {
    return value instanceof NdArray;
  }

  @Override
  public int write(Object value, ValueSink out, int at) {
    if (!(value instanceof NdArray array)) {
      throw new TypeMismatch(value);
    }
    return out.bytes(NdArrays.bytes(array), out.i64(NdArrays.code(array), at));
  }

  @Override
  public Object read(ValueSource in, int numbers, int bytes, int row) {
    long code = in.i64(numbers, row);
    int length = in.bytes(bytes, row);
    in.take(ObjectSizes.ndArrayPadding(code, length));
    byte[] array = in.get(bytes, length);
    if (!in.isChecked()) {
      Components.checkNdArray(code, array);
    }
    return NdArrays.ofComponents((int) code, array);
  }
}
