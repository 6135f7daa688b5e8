package io.github.serow.internal.wire;

/**
 * The shape of an array: the lengths of its dimensions, outermost first. It precedes the elements
 * in the bytes of an {@code ndarray}; {@code docs/wire-format.md} defines them.
 *
 * @param lengths the lengths, none of them negative
 * @param end the end of the shape in the bytes
 */
public record ArrayShape(long[] lengths, int end) {
  /** The most dimensions of an array. */
  public static final int MAX_DIMENSIONS = Limits.MAX_DEPTH;

  /**
   * Reads the shape at the beginning of the bytes of an array.
   *
   * @return null if they begin with no shape, or not in as few bytes as possible
   */
  public static ArrayShape read(byte[] bytes) {
    if (bytes.length == 0) {
      return null;
    }
    int length = lengthAt(bytes, 0);
    long dimensions = length == 1 ? valueAt(bytes, 0, length) : -1;
    if (dimensions < 0 || dimensions > MAX_DIMENSIONS) {
      return null;
    }
    long[] lengths = new long[(int) dimensions];
    int at = length;
    for (int i = 0; i < lengths.length; i++) {
      if (at >= bytes.length) {
        return null;
      }
      length = lengthAt(bytes, at);
      if (length > bytes.length - at) {
        return null;
      }
      lengths[i] = valueAt(bytes, at, length);
      if (lengths[i] < 0 || Varint.length(lengths[i]) != length) {
        return null;
      }
      at += length;
    }
    return new ArrayShape(lengths, at);
  }

  private static int lengthAt(byte[] bytes, int at) {
    return Integer.numberOfTrailingZeros(bytes[at] | 0x100) + 1;
  }

  /** The varint of {@code length} bytes. */
  private static long valueAt(byte[] bytes, int at, int length) {
    int first = length == Varint.MOST ? 1 : 0;
    long word = 0;
    for (int i = length - 1; i >= first; i--) {
      word = word << Byte.SIZE | bytes[at + i] & 0xff;
    }
    return first == 1 ? word : word >>> length;
  }

  /** The number of bytes of a shape with these lengths. */
  public static int size(long[] lengths) {
    int size = Varint.length(lengths.length);
    for (long length : lengths) {
      size += Varint.length(length);
    }
    return size;
  }

  /** Writes a shape at the beginning of {@code bytes}. */
  public static void put(long[] lengths, byte[] bytes) {
    byte[] shape = new byte[(lengths.length + 1) * Varint.MOST];
    int at = Varint.put(shape, 0, lengths.length);
    for (long length : lengths) {
      at = Varint.put(shape, at, length);
    }
    System.arraycopy(shape, 0, bytes, 0, at);
  }

  /**
   * The number of elements of an array with these lengths.
   *
   * @param size the number of bytes of an element
   * @return -1 if no array has these lengths: as in NumPy, not even one without elements
   */
  public static long elements(long[] lengths, int size) {
    long bytes = size;
    long elements = 1;
    for (long length : lengths) {
      if (length < 0 || Math.max(length, 1) > Long.MAX_VALUE / bytes) {
        return -1;
      }
      bytes *= Math.max(length, 1);
      elements *= length;
    }
    return elements;
  }
}
