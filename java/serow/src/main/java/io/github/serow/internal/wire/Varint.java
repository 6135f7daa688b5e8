package io.github.serow.internal.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Little-endian numbers and varints in byte arrays; {@code docs/wire-format.md} defines them. */
public final class Varint {
  /** The largest number of bytes of a varint. */
  public static final int MOST = 9;

  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private Varint() {}

  static long zigzag(long value) {
    return value << 1 ^ value >> 63;
  }

  static long unzigzag(long code) {
    return code >>> 1 ^ -(code & 1);
  }

  /** The number of bytes of the varint of {@code value}. */
  static int length(long value) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(value | 1);
    // Equals the ceiling of bits / 7, up to 63 bits.
    return Math.min(MOST, bits * 9 + 64 >> 6);
  }

  /** Writes {@code value}, which is unsigned. May overwrite {@link #MOST} bytes. */
  public static int put(byte[] to, int at, long value) {
    if ((value & -0x80) == 0) {
      to[at] = (byte) (value << 1 | 1);
      return at + 1;
    }
    int length = length(value);
    if (length < MOST) {
      LONG.set(to, at, value << length | 1L << length - 1);
    } else {
      to[at] = 0;
      LONG.set(to, at + 1, value);
    }
    return at + length;
  }
}
