package io.github.serow.spark;

import io.github.serow.exact.RowShape;
import io.github.serow.wire.Varint;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** A stream's open block of rows, all of one shape. */
final class RowBlock {
  private static final int FIRST = 1 << 10;

  /** The most room for what is before the rows, without the bytes of the shape. */
  private static final int INTRO = Varint.MOST + Short.BYTES;

  private final InstanceRows rows;
  private final OutputStream target;
  private byte[] block = new byte[FIRST];

  /** The shape whose bytes are in the block, also when it has no rows. */
  private RowShape shape;

  /** The position of the first row, and the end of the last one. */
  private int begin;

  private int end;
  private int count;

  RowBlock(InstanceRows rows, OutputStream target) {
    this.rows = rows;
    this.target = target;
  }

  /** Appends the row that the instance has written last, and ends the block if it is large. */
  void append() throws IOException {
    if (rows.shape() != shape) {
      end();
      begin(rows.shape());
    }
    int length = rows.length();
    ensure((long) end + length);
    System.arraycopy(rows.bytes(), 0, block, end, length);
    end += length;
    count++;
    rows.trim();
    if (end >= rows.limit()) {
      end();
    }
  }

  private void begin(RowShape next) {
    shape = next;
    ensure(BlockHeader.ROOM + INTRO + next.bytes().length);
    begin = putIntro(block, next);
    end = begin;
  }

  /** Writes what is between header and rows. Returns where it ends. */
  private static int putIntro(byte[] block, RowShape shape) {
    byte[] bytes = shape.bytes();
    int at = Varint.put(block, BlockHeader.ROOM, bytes.length);
    System.arraycopy(bytes, 0, block, at, bytes.length);
    at += bytes.length;
    int check = check(shape);
    block[at] = (byte) check;
    block[at + 1] = (byte) (check >> Byte.SIZE);
    return at + Short.BYTES;
  }

  /** A block of only the row that the instance has written last. */
  static byte[] ofOne(InstanceRows rows) {
    int length = rows.length();
    byte[] block = new byte[BlockHeader.ROOM + INTRO + rows.shape().bytes().length + length];
    int begin = putIntro(block, rows.shape());
    System.arraycopy(rows.bytes(), 0, block, begin, length);
    int end = begin + length;
    int from = BlockHeader.put(block, BlockHeader.ROWS, end - BlockHeader.ROOM, 1);
    rows.trim();
    return Arrays.copyOfRange(block, from, end);
  }

  /** Shows whether the class files of writer and reader have the same fields. */
  static int check(RowShape shape) {
    return (int) shape.schema().fingerprint() & 0xFFFF;
  }

  private void ensure(long needed) {
    if (needed > block.length) {
      // A row has at most 64 MiB, so this is no overflow.
      block = Arrays.copyOf(block, (int) Math.max(needed, 2L * block.length));
    }
  }

  /** Writes the block, if it has rows, to the target. Does not flush the target. */
  void end() throws IOException {
    if (count == 0) {
      return;
    }
    int from = BlockHeader.put(block, BlockHeader.ROWS, end - BlockHeader.ROOM, count);
    int length = end - from;
    // The block is empty again, also if the target fails.
    count = 0;
    end = begin;
    byte[] bytes = block;
    if (bytes.length > 2 * InstanceRows.MOST) {
      block = new byte[FIRST];
      shape = null;
    }
    target.write(bytes, from, length);
  }
}
