package io.github.serow.internal.logical;

import io.github.serow.DecodeException;
import io.github.serow.internal.wire.IntSize;
import io.github.serow.internal.wire.ObjectSizes;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.ValueSource;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;

/** The types of {@link BigInteger} and {@link BigDecimal}, and integers of fewer than 64 bits. */
final class LargeNumbers {
  private static final BigInteger END_OF_U64 = BigInteger.ONE.shiftLeft(Long.SIZE);

  // Kinds of coefficients, in the lowest two bits of the first component; the exponent is above.
  private static final int SMALL = 0;
  private static final int LARGE = 1;
  private static final int NEGATIVE_ZERO = 2;

  /** The range of small coefficients, except the least long, which takes the path of large ones. */
  private static final BigDecimal LEAST = BigDecimal.valueOf(-Long.MAX_VALUE);

  private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

  private LargeNumbers() {}

  /** {@code int}: a {@link BigInteger}. Integers of 64 bits are accepted and converted. */
  static CompositeType ofInt() {
    return new CompositeType.Layout(16, "int", 1, 0, true, 72)
        .of(Object.class, LargeNumbers::writeInt, LargeNumbers::readInt)
        .withTest(LargeNumbers::isInteger);
  }

  /** Of {@code BigInteger} only the class itself: a subclass might add anything. */
  private static boolean isInteger(Object value) {
    return value != null && value.getClass() == BigInteger.class || Integers.isI64(value);
  }

  private static int writeInt(Object value, RecordOut out, int at) {
    return value instanceof BigInteger number
        ? put(number, out, at)
        : out.noBytes(out.i64(Integers.i64(value), at));
  }

  private static Object readInt(ValueSource in, int numbers, int bytes, int row) {
    long small = in.i64(numbers, row);
    int entry = in.bytes(bytes, row);
    Components.checkInt(in, small, bytes, entry);
    return get(small, in, bytes, entry);
  }

  /**
   * {@code i8}, {@code i16}, {@code i32}, {@code u8}, {@code u16} and {@code u32}: a {@link Long},
   * and {@code u64}: a {@link BigInteger}. Each takes any class of integers.
   */
  static CompositeType ofSize(int code, IntSize size) {
    String name = size.name().toLowerCase(Locale.ROOT);
    int memory = size == IntSize.U64 ? 72 : ObjectSizes.NUMBER;
    return new CompositeType.Layout(code, name, 1, 0, false, memory)
        .of(
            Object.class,
            (value, out, at) -> out.sized(size, ((Number) value).longValue(), at),
            (in, numbers, bytes, row) -> sized(size, in.sized(size, numbers, row)))
        .withTest(LargeNumbers::isInteger)
        .withRefusal(value -> isIn(size, value) ? null : value + ", which is beyond " + name);
  }

  private static boolean isIn(IntSize size, Object value) {
    if (value instanceof BigInteger number) {
      return size == IntSize.U64
          ? number.signum() >= 0 && number.compareTo(END_OF_U64) < 0
          : isSmall(number) && size.holds(number.longValue());
    }
    long number = ((Number) value).longValue();
    return size == IntSize.U64 ? number >= 0 : size.holds(number);
  }

  private static Object sized(IntSize size, long number) {
    if (size != IntSize.U64) {
      return number;
    }
    BigInteger signed = BigInteger.valueOf(number);
    return number < 0 ? signed.add(END_OF_U64) : signed;
  }

  /** {@code decimal}: a {@link BigDecimal} with its scale. A subclass might add anything. */
  static CompositeType ofDecimal() {
    return new CompositeType.Layout(25, "decimal", 2, 0, true, 120)
        .of(BigDecimal.class, LargeNumbers::writeDecimal, LargeNumbers::readDecimal)
        .withTest(value -> value != null && value.getClass() == BigDecimal.class);
  }

  private static int writeDecimal(BigDecimal number, RecordOut out, int at) {
    long exponent = -(long) number.scale();
    // The JVM's compiler removes this object, but not the one that unscaledValue() returns.
    BigDecimal whole = number.scaleByPowerOfTen(number.scale());
    if (whole.compareTo(LEAST) >= 0 && whole.compareTo(MOST) <= 0) {
      return out.noBytes(out.i64(whole.longValue(), out.i64(exponent << 2 | SMALL, at)));
    }
    BigInteger coefficient = number.unscaledValue();
    int form = isSmall(coefficient) ? SMALL : LARGE;
    return put(coefficient, out, out.i64(exponent << 2 | form, at));
  }

  private static Object readDecimal(ValueSource in, int numbers, int bytes, int row) {
    long first = in.i64(numbers, row);
    long small = in.i64(numbers + 1, row);
    int entry = in.bytes(bytes, row);
    Components.checkDecimal(in, first, small, bytes, entry);
    int form = (int) first & 3;
    long exponent = first >> 2;
    if (form > LARGE) {
      throw notHeld(form, exponent, small);
    }
    int scale = (int) -exponent;
    if (scale != -exponent) {
      throw CompositeType.cannotHold(
          "a decimal of exponent " + exponent,
          "java.math.BigDecimal has exponents from -2147483647 to 2147483648");
    }
    return form == SMALL
        ? BigDecimal.valueOf(small, scale)
        : new BigDecimal(get(small, in, bytes, entry), scale);
  }

  private static DecodeException notHeld(int form, long exponent, long kind) {
    if (form == NEGATIVE_ZERO) {
      return CompositeType.cannotHold(
          "-0E" + exponent, "java.math.BigDecimal has no negative zero");
    }
    String sign = (kind & 4) != 0 ? "-" : "";
    String name = new String[] {"Infinity", "NaN", "sNaN"}[(int) kind & 3];
    return CompositeType.cannotHold(sign + name, "java.math.BigDecimal has only finite numbers");
  }

  /**
   * Writes an integer of any size as two components: its value if it has 64 bits, otherwise its
   * bytes.
   */
  private static int put(BigInteger number, RecordOut out, int at) {
    if (isSmall(number)) {
      return out.noBytes(out.i64(number.longValue(), at));
    }
    Components.checkDigits(number.bitLength() / Byte.SIZE + 1);
    return out.bytes(reversed(number.toByteArray()), out.i64(0, at));
  }

  private static boolean isSmall(BigInteger number) {
    return number.bitLength() < Long.SIZE;
  }

  /** The integer from these two components. */
  private static BigInteger get(long small, ValueSource in, int bytes, int entry) {
    return in.length(bytes, entry) == 0
        ? BigInteger.valueOf(small)
        : (BigInteger) in.share(bytes, entry, LargeNumbers::ofBytes);
  }

  private static BigInteger ofBytes(byte[] bytes) {
    Components.checkDigits(bytes.length);
    return new BigInteger(reversed(bytes));
  }

  /** Java's order is big-endian, that of the message little-endian. */
  private static byte[] reversed(byte[] bytes) {
    for (int i = 0, j = bytes.length - 1; i < j; i++, j--) {
      byte b = bytes[i];
      bytes[i] = bytes[j];
      bytes[j] = b;
    }
    return bytes;
  }
}
