package io.github.serow.logical;

import io.github.serow.Complex;
import io.github.serow.wire.Columns;
import io.github.serow.wire.FlatRows;
import io.github.serow.wire.TypeMismatch;

/** {@code complex}: a {@link Complex}. */
public final class ComplexType extends CompositeType {
  ComplexType() {
    super(27, "complex", 0, 2, false);
  }

  @Override
  public boolean takes(Object value) {
    return value instanceof Complex;
  }

  @Override
  public int write(Object value, FlatRows flat, int slot) throws TypeMismatch {
    if (!(value instanceof Complex number)) {
      throw TypeMismatch.MISMATCH;
    }
    flat.slots[slot] = Double.doubleToRawLongBits(number.real());
    flat.slots[slot + 1] = Double.doubleToRawLongBits(number.imaginary());
    return slot + 2;
  }

  @Override
  public Object read(Columns columns, int numbers, int bytes, int row) {
    double real = columns.floatPart(numbers, row);
    return new Complex(real, columns.floatPart(numbers + 1, row));
  }
}
