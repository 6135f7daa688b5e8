package io.github.serow.internal.logical;

import io.github.serow.internal.wire.IntSize;
import io.github.serow.internal.wire.ValueSink;
import io.github.serow.internal.wire.ValueSource;
import java.math.BigInteger;
import java.util.Locale;

/**
 * {@code i8}, {@code i16}, {@code i32}, {@code u8}, {@code u16} and {@code u32}: a {@link Long},
 * and {@code u64}: a {@link BigInteger}. Each takes any class of integers.
 */
public final class SizedIntType extends CompositeType {
  private static final BigInteger END_OF_U64 = BigInteger.ONE.shiftLeft(Long.SIZE);

  private final IntSize size;

  SizedIntType(int code, IntSize size) {
    super(code, size.name().toLowerCase(Locale.ROOT), 1, 0, false);
    this.size = size;
  }

  @Override
  public boolean takes(Object value) {
    return CompositeTypes.INT.takes(value);
  }

  @Override
  public String refusal(Object value) {
    return isIn(value) ? null : value + ", which is beyond " + name();
  }

  private boolean isIn(Object value) {
    if (value instanceof BigInteger number) {
      return size == IntSize.U64
          ? number.signum() >= 0 && number.compareTo(END_OF_U64) < 0
          : IntType.isSmall(number) && size.holds(number.longValue());
    }
    long number = ((Number) value).longValue();
    return size == IntSize.U64 ? number >= 0 : size.holds(number);
  }

  @Override
  public int write(Object value, ValueSink out, int at) {
    if (!takes(value) || !isIn(value)) {
      throw mismatch(value);
    }
    return out.sized(size, ((Number) value).longValue(), at);
  }

  @Override
  public Object read(ValueSource in, int numbers, int bytes, int row) {
    long number = in.sized(size, numbers, row);
    if (size != IntSize.U64) {
      return number;
    }
    BigInteger signed = BigInteger.valueOf(number);
    return number < 0 ? signed.add(END_OF_U64) : signed;
  }
}
