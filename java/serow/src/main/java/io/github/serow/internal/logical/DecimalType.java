package io.github.serow.internal.logical;

import io.github.serow.DecodeException;
import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.internal.wire.ValueSink;
import io.github.serow.internal.wire.ValueSource;
import java.math.BigDecimal;
import java.math.BigInteger;

/** {@code decimal}: a {@link BigDecimal} with its scale. */
public final class DecimalType extends CompositeType {
  // Kinds of coefficients, in the lowest two bits of the first component; the exponent is above.
  private static final int SMALL = 0;
  private static final int LARGE = 1;
  private static final int NEGATIVE_ZERO = 2;

  /** The range of small coefficients, except the least long, which takes the path of large ones. */
  private static final BigDecimal LEAST = BigDecimal.valueOf(-Long.MAX_VALUE);

  private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

  DecimalType() {
    super(25, "decimal", 2, 0, true);
  }

  /** Exact class only: a subclass might add anything. */
  @Override
  public boolean takes(Object value) {
    return value != null && value.getClass() == BigDecimal.class;
  }

  @Override
  public int write(Object value, ValueSink out, int at) {
    if (!takes(value)) {
      throw new TypeMismatch(value);
    }
    BigDecimal number = (BigDecimal) value;
    long exponent = -(long) number.scale();
    // The JVM's compiler removes this object, but not the one that unscaledValue() returns.
    BigDecimal whole = number.scaleByPowerOfTen(number.scale());
    if (whole.compareTo(LEAST) >= 0 && whole.compareTo(MOST) <= 0) {
      return out.noBytes(out.i64(whole.longValue(), out.i64(exponent << 2 | SMALL, at)));
    }
    BigInteger coefficient = number.unscaledValue();
    int form = IntType.isSmall(coefficient) ? SMALL : LARGE;
    return IntType.put(coefficient, out, out.i64(exponent << 2 | form, at));
  }

  @Override
  public void checkSize(Object value) {
    IntType.checkDigits(((BigDecimal) value).unscaledValue());
  }

  @Override
  public Object read(ValueSource in, int numbers, int bytes, int row) {
    long first = in.i64(numbers, row);
    long small = in.i64(numbers + 1, row);
    int entry = in.bytes(bytes, row);
    if (!in.isChecked()) {
      Components.checkDecimal(first, small, Components.bytes(in, bytes, entry));
    }
    int form = (int) first & 3;
    long exponent = first >> 2;
    if (form > LARGE) {
      throw notHeld(form, exponent, small);
    }
    int scale = (int) -exponent;
    if (scale != -exponent) {
      throw cannotHold(
          "a decimal of exponent " + exponent,
          "java.math.BigDecimal has exponents from -2147483647 to 2147483648");
    }
    return form == SMALL
        ? BigDecimal.valueOf(small, scale)
        : new BigDecimal(IntType.get(small, in, bytes, entry), scale);
  }

  private static DecodeException notHeld(int form, long exponent, long kind) {
    if (form == NEGATIVE_ZERO) {
      return cannotHold("-0E" + exponent, "java.math.BigDecimal has no negative zero");
    }
    String sign = (kind & 4) != 0 ? "-" : "";
    String name = new String[] {"Infinity", "NaN", "sNaN"}[(int) kind & 3];
    return cannotHold(sign + name, "java.math.BigDecimal has only finite numbers");
  }
}
