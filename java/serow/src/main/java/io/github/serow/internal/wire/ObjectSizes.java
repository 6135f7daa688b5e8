package io.github.serow.internal.wire;

import io.github.serow.NdArray;

/**
 * The most memory in bytes that objects take, on a JVM with references of 8 bytes, with what serow
 * needs for a moment to make them. {@code crates/jvm/src/sizes.rs} has the same numbers and their
 * reasons, and a test compares them.
 */
public final class ObjectSizes {
  /** What an error says about rows that would take too much. */
  public static final String TOO_LARGE = "the rows take more memory than max_memory allows";

  /** The place of a row in the list of rows. */
  public static final int PLACE = 24;

  /** A {@code Long} or {@code Double}. */
  public static final int NUMBER = 24;

  private static final int TEXT = 56;
  private static final int ENTRY = 168;

  private ObjectSizes() {}

  /** A string of these bytes, which are generalised UTF-8. */
  static long text(byte[] bytes, int begin, int end) {
    int units = 0;
    boolean isWide = false;
    for (int at = begin; at < end; at++) {
      int code = bytes[at] & 0xff;
      units += ((code & 0xc0) != 0x80 ? 1 : 0) + (code >= 0xf0 ? 1 : 0);
      isWide |= code >= 0xc4;
    }
    return TEXT + (isWide ? 2L * units : units);
  }

  /**
   * What an array takes besides its bytes. Native code only knows how many elements the bytes would
   * be.
   */
  public static long ndArrayPadding(long code, long bytes) {
    NdArray.ElementType[] types = NdArray.ElementType.values();
    int of = (int) code & 15;
    int size = (code & ~31L) == 0 && of < types.length ? types[of].size() : 1;
    return -bytes & size - 1;
  }

  /** A list or tuple of so many items, which count by themselves. */
  public static long list(long items) {
    return 64 + 16 * items;
  }

  /** A set of so many elements, which count by themselves. */
  public static long set(long elements) {
    return 240 + ENTRY * elements;
  }

  /** A map or dict of so many entries; keys and values count by themselves, but not fixed keys. */
  public static long map(long entries) {
    return 160 + ENTRY * entries;
  }

  /** A record of so many fields, whose values count by themselves. */
  public static long record(long fields) {
    return 64 + 8 * fields;
  }
}
