package io.github.serow.logical;

import io.github.serow.wire.BytesColumn;
import io.github.serow.wire.Columns;
import io.github.serow.wire.FlatRows;
import io.github.serow.wire.TypeMismatch;
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
  public int write(Object value, FlatRows flat, int slot) throws TypeMismatch {
    if (isBigInteger(value)) {
      return put((BigInteger) value, flat, slot);
    }
    flat.slots[slot] = Integers.i64(value);
    flat.slots[slot + 1] = 0;
    return slot + 2;
  }

  @Override
  public Object read(Columns columns, int numbers, int bytes, int row) {
    long small = columns.part(numbers, row);
    BytesColumn large = columns.bytes(bytes);
    int entry = large.entry(row);
    return get(small, large, entry);
  }

  /** Exact class only: a subclass might add anything. */
  private static boolean isBigInteger(Object value) {
    return value != null && value.getClass() == BigInteger.class;
  }

  /**
   * Writes an integer of any size as two components: its value if it has 64 bits, otherwise its
   * bytes.
   */
  static int put(BigInteger number, FlatRows flat, int slot) {
    boolean isSmall = isSmall(number);
    flat.slots[slot] = isSmall ? number.longValue() : 0;
    flat.slots[slot + 1] = isSmall ? 0 : flat.bytes(reversed(number.toByteArray()));
    return slot + 2;
  }

  static boolean isSmall(BigInteger number) {
    return number.bitLength() < Long.SIZE;
  }

  /** The integer from these two components. */
  static BigInteger get(long small, BytesColumn large, int entry) {
    return large.length(entry) == 0
        ? BigInteger.valueOf(small)
        : (BigInteger) large.share(entry, IntType::ofBytes);
  }

  private static BigInteger ofBytes(byte[] bytes) {
    try {
      return new BigInteger(reversed(bytes));
    } catch (ArithmeticException e) {
      throw cannotHold(
          "an integer of " + bytes.length + " bytes", "java.math.BigInteger has up to 256 MiB");
    }
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
