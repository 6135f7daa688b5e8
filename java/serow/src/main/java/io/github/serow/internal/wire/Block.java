package io.github.serow.internal.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/** Native memory with the columns of a frame, as bytes and as numbers. */
public final class Block {
  /** The 64-bit words for each column in the table at the begin. */
  static final int WORDS = 4;

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
}
