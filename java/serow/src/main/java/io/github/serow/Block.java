package io.github.serow;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/** Native memory for the columns of a frame, as bytes and as numbers. */
final class Block {
  final ByteBuffer bytes;
  final LongBuffer longs;
  final IntBuffer ints;

  Block(ByteBuffer memory) {
    bytes = memory.order(ByteOrder.LITTLE_ENDIAN);
    longs = bytes.asLongBuffer();
    ints = bytes.asIntBuffer();
  }
}
