package io.github.serow.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/**
 * Memory with the columns of a frame, as bytes and as numbers: native memory, or a copy on the
 * heap.
 */
public final class Block {
  /** The 64-bit words for each column in the table at the begin. */
  static final int WORDS = 4;

  /** A copy that replaces a smaller one has room for an eighth more, so that copies seldom grow. */
  private static final int MORE = 8;

  final ByteBuffer bytes;
  final LongBuffer longs;
  final IntBuffer ints;

  public Block(ByteBuffer memory) {
    bytes = memory.order(ByteOrder.LITTLE_ENDIAN);
    longs = bytes.asLongBuffer();
    ints = bytes.asIntBuffer();
  }

  /** A word of the table as an int. A block never exceeds 2 GiB. */
  int word(int at) {
    return Math.toIntExact(bytes.getLong(at));
  }

  /**
   * A copy on the heap of what is used by a frame with this layout.
   *
   * @param reused an earlier copy, which no reader may use now, or null. If it is large enough, its
   *     memory holds the new copy.
   */
  public Block copy(ColumnLayout layout, Block reused) {
    int used = used(layout);
    Block copy = reused;
    if (copy == null || copy.bytes.capacity() < used) {
      long room = reused == null ? used : (long) used + used / MORE;
      copy = new Block(ByteBuffer.allocate((int) Math.min(room, Integer.MAX_VALUE - 8)));
    }
    bytes.get(0, copy.bytes.array(), 0, used);
    return copy;
  }

  /** Where the data of the last column end. Columns follow each other in the order of the table. */
  private int used(ColumnLayout layout) {
    int columns = layout.columns();
    if (columns == 0) {
      return 0;
    }
    int at = Long.BYTES * WORDS * (columns - 1);
    int values = word(at);
    int data = word(at + 8);
    if (layout.bits > 0) {
      return data + values;
    }
    if (layout.strs > 0) {
      boolean dictionary = (word(at + 24) & 1) != 0;
      return StringColumn.end(bytes, values, data, word(at + 16), dictionary);
    }
    return data + Long.BYTES * values;
  }
}
