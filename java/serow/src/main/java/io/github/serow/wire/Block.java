package io.github.serow.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/** Native memory for the columns of a frame, as bytes and as numbers. */
public final class Block {
  final ByteBuffer bytes;
  final LongBuffer longs;
  final IntBuffer ints;

  public Block(ByteBuffer memory) {
    bytes = memory.order(ByteOrder.LITTLE_ENDIAN);
    longs = bytes.asLongBuffer();
    ints = bytes.asIntBuffer();
  }
}
