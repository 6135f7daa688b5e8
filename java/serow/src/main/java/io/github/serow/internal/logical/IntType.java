package io.github.serow.internal.logical;

import io.github.serow.internal.wire.ValueSink;
import io.github.serow.internal.wire.ValueSource;
import java.math.BigInteger;

/** {@code int}: a {@link BigInteger}. Integers of 64 bits are accepted and converted. */
public final class IntType extends CompositeType {
  IntType() {
    super(16, "int", 1, 0, true);
  }

  @Override
  public boolean takes(Object value) {
    return isBigInteger(value) || Integers.isI64(value);
  }

  @Override
  public int write(Object value, ValueSink out, int at) {
    if (isBigInteger(value)) {
      return put((BigInteger) value, out, at);
    }
    return out.noBytes(out.i64(Integers.i64(value), at));
  }

  @Override
  public Object read(ValueSource in, int numbers, int bytes, int row) {
    long small = in.i64(numbers, row);
    int entry = in.bytes(bytes, row);
    if (!in.isChecked()) {
      Components.checkInt(small, Components.bytes(in, bytes, entry));
    }
    return get(small, in, bytes, entry);
  }

  @Override
  public void checkSize(Object value) {
    if (value instanceof BigInteger number) {
      checkDigits(number);
    }
  }

  static void checkDigits(BigInteger number) {
    Components.checkDigits(number.bitLength() / Byte.SIZE + 1);
  }

  /** Exact class only: a subclass might add anything. */
  private static boolean isBigInteger(Object value) {
    return value != null && value.getClass() == BigInteger.class;
  }

  /**
   * Writes an integer of any size as two components: its value if it has 64 bits, otherwise its
   * bytes.
   */
  static int put(BigInteger number, ValueSink out, int at) {
    if (isSmall(number)) {
      return out.noBytes(out.i64(number.longValue(), at));
    }
    checkDigits(number);
    return out.bytes(reversed(number.toByteArray()), out.i64(0, at));
  }

  static boolean isSmall(BigInteger number) {
    return number.bitLength() < Long.SIZE;
  }

  /** The integer from these two components. */
  static BigInteger get(long small, ValueSource in, int bytes, int entry) {
    return in.length(bytes, entry) == 0
        ? BigInteger.valueOf(small)
        : (BigInteger) in.share(bytes, entry, IntType::ofBytes);
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
