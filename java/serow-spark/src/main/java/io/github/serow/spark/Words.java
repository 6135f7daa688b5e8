package io.github.serow.spark;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Operations on eight bytes at once. */
final class Words {
  /** Reads the {@code long} of eight bytes at an index of a {@code byte[]}. */
  static final VarHandle IN_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  /** The highest bit of each byte. */
  static final long HIGH_BITS = 0x8080_8080_8080_8080L;

  private Words() {}
}
