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
    RecordIn in = new RecordIn(bytes, 0, bytes.length);
    try {
      long[] lengths = new long[in.number(MAX_DIMENSIONS + 1)];
      boolean areShort = in.position() == Varint.length(lengths.length);
      for (int i = 0; i < lengths.length && areShort; i++) {
        int begin = in.position();
        lengths[i] = in.varint();
        areShort = lengths[i] >= 0 && in.position() - begin == Varint.length(lengths[i]);
      }
      return areShort ? new ArrayShape(lengths, in.position()) : null;
    } catch (DamagedRecordException e) {
      return null;
    }
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
