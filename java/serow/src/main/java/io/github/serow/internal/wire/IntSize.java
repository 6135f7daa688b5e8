package io.github.serow.internal.wire;

/** The sizes of integers other than 64 bits with a sign. */
public enum IntSize {
  I8(Byte.MIN_VALUE, Byte.MAX_VALUE),
  I16(Short.MIN_VALUE, Short.MAX_VALUE),
  I32(Integer.MIN_VALUE, Integer.MAX_VALUE),
  U8(0, (1 << Byte.SIZE) - 1),
  U16(0, (1 << Short.SIZE) - 1),
  U32(0, (1L << Integer.SIZE) - 1),
  /** Its numbers from 2^63 on are the negative ones with the same 64 bits. */
  U64(Long.MIN_VALUE, Long.MAX_VALUE);

  private final long least;
  private final long largest;

  IntSize(long least, long largest) {
    this.least = least;
    this.largest = largest;
  }

  public boolean holds(long number) {
    return least <= number && number <= largest;
  }
}
