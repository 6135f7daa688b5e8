package io.github.serow.internal.logical;

import io.github.serow.internal.wire.ValueSink;
import io.github.serow.internal.wire.ValueSource;

/** {@code f32}: a {@link Double} that a {@code float} equals. A {@link Float} is accepted too. */
public final class F32Type extends CompositeType {
  F32Type() {
    super(42, "f32", 0, 1, false);
  }

  @Override
  public int leastBytes() {
    return Float.BYTES;
  }

  @Override
  public boolean takes(Object value) {
    return value instanceof Double || value instanceof Float;
  }

  @Override
  public String refusal(Object value) {
    boolean isFloat = isFloat(((Number) value).doubleValue());
    return isFloat ? null : value + ", which no float equals; round it by (float) first";
  }

  private static boolean isFloat(double number) {
    return (float) number == number || Double.isNaN(number);
  }

  @Override
  public int write(Object value, ValueSink out, int at) {
    if (!takes(value) || !isFloat(((Number) value).doubleValue())) {
      throw mismatch(value);
    }
    return out.f32(Double.doubleToRawLongBits(((Number) value).doubleValue()), at);
  }

  @Override
  public Object read(ValueSource in, int numbers, int bytes, int row) {
    return in.f32(numbers, row);
  }
}
