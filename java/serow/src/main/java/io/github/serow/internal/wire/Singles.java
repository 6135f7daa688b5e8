package io.github.serow.internal.wire;

/**
 * The bits of floats of 32 bits as those of 64 bits and back, with all bits. A cast would make a
 * quiet NaN of a signalling one. {@code crates/core/src/number.rs} does the same.
 */
final class Singles {
  private static final int LOST_BITS = 29;
  private static final int FRACTION = 0x7F_FFFF;
  private static final int EXPONENT = 0xFF << 23;
  private static final long WIDE_EXPONENT = 0x7FFL << 52;

  private Singles() {}

  static long widened(int bits) {
    if ((bits & EXPONENT) != EXPONENT) {
      return Double.doubleToRawLongBits(Float.intBitsToFloat(bits));
    }
    return (long) (bits >>> 31) << 63 | WIDE_EXPONENT | (long) (bits & FRACTION) << LOST_BITS;
  }

  /** Of a NaN the first bits of its payload. */
  static int narrowed(long bits) {
    double number = Double.longBitsToDouble(bits);
    if (!Double.isNaN(number)) {
      return Float.floatToRawIntBits((float) number);
    }
    int payload = (int) (bits >>> LOST_BITS) & FRACTION;
    // A NaN whose first bits are zero must not become an infinity.
    return (int) (bits >>> 63) << 31 | EXPONENT | (payload == 0 ? 1 << 22 : payload);
  }
}
