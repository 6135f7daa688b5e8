package io.github.serow.spark.rdd;

import io.github.serow.SerowException;
import io.github.serow.internal.jni.NativeLibrary;
import io.github.serow.internal.wire.RecordIn;
import io.github.serow.internal.wire.Varint;
import io.github.serow.spark.exact.ExactLayout;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A stream's open block of rows, all of one layout. A large block becomes frames, unless that gains
 * nothing.
 */
final class RowBlock {
  private static final int FIRST = 1 << 10;

  /** The least rows and bytes of a block that becomes frames. */
  private static final int LEAST_ROWS = 32;

  private static final int LEAST_BYTES = 1 << 12;

  /**
   * The most rows of a block. A reader makes all rows of a block of frames at once, and a merge of
   * spills has many readers.
   */
  static final int MOST_ROWS = 1 << 16;

  /** Frames gain enough if they are shorter by one part of so many. */
  private static final int LEAST_GAIN = 8;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** The most room for what is before the rows, without the bytes of the layout. */
  private static final int INTRO = Varint.MOST + Short.BYTES;

  private final InstanceRows rows;
  private final OutputStream target;
  private byte[] block = new byte[FIRST];

  /** The layout whose bytes are in the block, also when it has no rows. */
  private ExactLayout layout;

  /** The position of the first row, and the end of the last one. */
  private int begin;

  private int end;
  private int count;

  /** Whether large blocks become frames. Then each row has its length before it. */
  private boolean frames;

  RowBlock(InstanceRows rows, OutputStream target) {
    this.rows = rows;
    this.target = target;
    frames = rows.frames();
  }

  /** Appends the row that the instance has written last, and ends the block if it is large. */
  void append() throws IOException {
    if (rows.layout() != layout) {
      end();
      begin(rows.layout());
    }
    int length = rows.length();
    ensure((long) end + Integer.BYTES + length);
    if (frames) {
      INT.set(block, end, length);
      end += Integer.BYTES;
    }
    System.arraycopy(rows.bytes(), 0, block, end, length);
    end += length;
    count++;
    rows.trim();
    if (end >= rows.limit() || count == MOST_ROWS) {
      end();
    }
  }

  private void begin(ExactLayout next) {
    ensure(BlockHeader.ROOM + INTRO + next.bytes().length);
    begin = putIntro(block, next);
    end = begin;
    layout = next;
  }

  /** Writes what is between header and rows. Returns where it ends. */
  private static int putIntro(byte[] block, ExactLayout layout) {
    byte[] bytes = layout.bytes();
    int at = Varint.put(block, BlockHeader.ROOM, bytes.length);
    System.arraycopy(bytes, 0, block, at, bytes.length);
    at += bytes.length;
    int check = check(layout);
    block[at] = (byte) check;
    block[at + 1] = (byte) (check >> Byte.SIZE);
    return at + Short.BYTES;
  }

  /**
   * A block of only the row that the instance has written last.
   *
   * @param count what its header has as the number of rows
   */
  static byte[] ofOne(InstanceRows rows, int kind, int count) {
    int length = rows.length();
    byte[] block = new byte[BlockHeader.ROOM + INTRO + rows.layout().bytes().length + length];
    int begin = putIntro(block, rows.layout());
    System.arraycopy(rows.bytes(), 0, block, begin, length);
    int end = begin + length;
    int from = BlockHeader.put(block, kind, end - BlockHeader.ROOM, count);
    rows.trim();
    return Arrays.copyOfRange(block, from, end);
  }

  /** Shows whether the class files of writer and reader have the same fields. */
  static int check(ExactLayout layout) {
    return (int) layout.schema().fingerprint() & 0xFFFF;
  }

  private void ensure(long needed) {
    if (needed > block.length) {
      // A row has few MiB, so this is no overflow.
      block = Arrays.copyOf(block, (int) Math.max(needed, 2L * block.length));
    }
  }

  /**
   * Writes the block after a call of {@code flush}. A stream that is flushed after its first row
   * probably is after each of them.
   */
  void flush() throws IOException {
    boolean isOne = count == 1;
    end();
    if (isOne) {
      frames = false;
    }
  }

  /** Writes the block, if it has rows, to the target. Does not flush the target. */
  void end() throws IOException {
    if (count == 0) {
      return;
    }
    int rowCount = count;
    int rowEnd = end;
    // The block is empty again, also if the target fails.
    count = 0;
    end = begin;
    if (!frames) {
      writeRows(rowEnd, rowCount);
    } else if (!writeFrames(rowEnd, rowCount)) {
      writeRows(removeLengths(rowEnd), rowCount);
    }
    if (block.length > 2 * InstanceRows.MOST) {
      block = new byte[FIRST];
      layout = null;
    }
  }

  private void writeRows(int rowEnd, int rowCount) throws IOException {
    int from = BlockHeader.put(block, BlockHeader.ROWS, rowEnd - BlockHeader.ROOM, rowCount);
    target.write(block, from, rowEnd - from);
  }

  /** Writes the block as frames. Returns false if it is too small, or if frames gain nothing. */
  private boolean writeFrames(int rowEnd, int rowCount) throws IOException {
    int plain = rowEnd - begin - Integer.BYTES * rowCount;
    if (rowCount < LEAST_ROWS || plain < LEAST_BYTES) {
      return false;
    }
    if (!NativeLibrary.isLoaded()) {
      frames = false;
      return false;
    }
    byte[] message;
    try {
      message = layout.frames(block, begin, rowEnd, rowCount);
    } catch (SerowException impossible) {
      // Together the rows exceed a limit of a frame.
      message = null;
    }
    if (message == null || message.length > plain - plain / LEAST_GAIN) {
      frames = false;
      return false;
    }
    int length = begin - BlockHeader.ROOM + message.length;
    int from = BlockHeader.put(block, BlockHeader.FRAMES, length, rowCount);
    target.write(block, from, begin - from);
    target.write(message, 0, message.length);
    return true;
  }

  /** Moves the rows together. Returns the new end of the last one. */
  private int removeLengths(int rowEnd) {
    int to = begin;
    for (int at = begin; at < rowEnd; ) {
      int length = RecordIn.intAt(block, at);
      at += Integer.BYTES;
      System.arraycopy(block, at, block, to, length);
      at += length;
      to += length;
    }
    return to;
  }
}
