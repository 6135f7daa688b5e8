package io.github.serow.spark.rdd;

/**
 * The header of a block. A stream is a sequence of blocks with nothing before, between or behind
 * them, so the blocks of streams can be concatenated in any order.
 *
 * <pre>
 * byte 0   kind and flags
 * varint   length of the body in bytes
 * varint   number of rows, or of objects that begin in the body; absent if {@link #ONE} is set
 * body
 * </pre>
 *
 * <p>The body of a block of {@link #ROWS}:
 *
 * <pre>
 * varint   length of the layout
 * layout   the classes in the rows: the bytes of an {@link io.github.serow.spark.exact.ExactLayout}
 * 2 bytes  the low bits of the fingerprint of the rows' schema
 * rows     the values of records of the row wire, one after another
 * </pre>
 *
 * <p>A block of {@link #FRAMES} has a message of the frame wire instead of the values.
 *
 * <p>A block of {@link #ARRAY} begins an array of objects with {@code count} elements. Its body is
 * that of a block of one row, which is an empty array of the same class. The elements are the rows
 * of the blocks that follow. If a block of Kryo is among them, it has the whole array, and the rows
 * before it do not count.
 *
 * <p>Varints are those of serow's messages: the number of trailing zero bits in the first byte is
 * the number of bytes that follow.
 */
final class BlockHeader {
  /** The bits of the first byte that hold the kind. */
  static final int KIND = 0b111;

  /** The kind of a block of rows, each of which is an object, or a key and its value. */
  static final int ROWS = 0;

  /** The kind of a block of rows in frames. */
  static final int FRAMES = 2;

  /** The kind of a block of objects that Kryo wrote with {@code writeClassAndObject}. */
  static final int KRYO = 4;

  /** The kind of a block that begins an array. */
  static final int ARRAY = 5;

  /** Flag: exactly one object begins in this block, or there is exactly one row. */
  static final int ONE = 1 << 3;

  /** Flag, only of Kryo's blocks: the last object goes on in the next block. */
  static final int GOES_ON = 1 << 5;

  /** Flag, only of Kryo's blocks: the block begins inside an object. */
  static final int INSIDE = 1 << 6;

  /** The room that a writer leaves before the body for the longest header: 1 + 5 + 5 bytes. */
  static final int ROOM = 11;

  private BlockHeader() {}

  /** Whether there are blocks that begin with this byte. */
  static boolean isKnown(int first) {
    int flags = first & ~KIND;
    return switch (first & KIND) {
      case ROWS, FRAMES, ARRAY -> (flags & ~ONE) == 0;
      case KRYO -> (flags & ~(ONE | GOES_ON | INSIDE)) == 0;
      default -> false;
    };
  }

  /**
   * Writes a header that ends at {@link #ROOM}, where the body begins.
   *
   * @return where the header begins
   */
  static int put(byte[] block, int flags, int length, int count) {
    int at = ROOM;
    if (count == 1) {
      flags |= ONE;
    } else {
      at = putVarint(block, at, count);
    }
    at = putVarint(block, at, length);
    block[--at] = (byte) flags;
    return at;
  }

  /** Writes a varint that ends at {@code end}. Returns where it begins. */
  private static int putVarint(byte[] bytes, int end, int value) {
    int size = value < 1 << 7 ? 1 : (38 - Integer.numberOfLeadingZeros(value)) / 7;
    long code = (long) value << size | 1L << size - 1;
    int begin = end - size;
    for (int at = begin; at < end; at++) {
      bytes[at] = (byte) code;
      code >>>= Byte.SIZE;
    }
    return begin;
  }
}
