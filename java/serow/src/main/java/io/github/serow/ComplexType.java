package io.github.serow;

/** {@code complex}: a {@link Complex}. */
final class ComplexType extends Logical {
  ComplexType() {
    super(27, "complex", 0, 2, false);
  }

  @Override
  boolean takes(Object value) {
    return value instanceof Complex;
  }

  @Override
  int write(Object value, FlatRows flat, int slot) throws Misfit {
    if (!(value instanceof Complex number)) {
      throw Misfit.MISFIT;
    }
    flat.slots[slot] = Double.doubleToRawLongBits(number.real());
    flat.slots[slot + 1] = Double.doubleToRawLongBits(number.imaginary());
    return slot + 2;
  }

  @Override
  Object read(Columns columns, int numbers, int bytes, int row) {
    double real = columns.floatPart(numbers, row);
    return new Complex(real, columns.floatPart(numbers + 1, row));
  }
}
