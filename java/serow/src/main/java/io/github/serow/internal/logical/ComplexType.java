package io.github.serow.internal.logical;

import io.github.serow.Complex;
import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.internal.wire.ValueSink;
import io.github.serow.internal.wire.ValueSource;

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
  public int write(Object value, ValueSink out, int at) {
    if (!(value instanceof Complex number)) {
      throw new TypeMismatch(value);
    }
    int next = out.f64(Double.doubleToRawLongBits(number.real()), at);
    return out.f64(Double.doubleToRawLongBits(number.imaginary()), next);
  }

  @Override
  public Object read(ValueSource in, int numbers, int bytes, int row) {
    double real = in.f64(numbers, row);
    return new Complex(real, in.f64(numbers + 1, row));
  }
}
