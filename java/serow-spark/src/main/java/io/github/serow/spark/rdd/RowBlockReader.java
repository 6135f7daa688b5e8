package io.github.serow.spark.rdd;

import io.github.serow.DecodeException;
import io.github.serow.LimitException;
import io.github.serow.SerowException;
import io.github.serow.internal.jni.NativeLibrary;
import io.github.serow.internal.wire.RecordIn;
import io.github.serow.spark.Unchecked;
import io.github.serow.spark.exact.ExactLayout;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the objects of a block that {@link RowBlock} wrote. A pair gives its key, then its value.
 */
final class RowBlockReader {
  private final InstanceRows rows;
  private final BlockSource source;

  /** For bodies that the source's buffer can't hold. */
  private byte[] large = {};

  /** The layout that was read last, and its check. */
  private ExactLayout layout;

  private int check;
  private RecordIn in;

  /** The rows of a block of frames; {@code null} for other blocks and after the last row. */
  private List<Object> frames;

  /** Whether the block begins an array. */
  private boolean isArray;

  /** How many rows are left. */
  private int count;

  /** The value of the key that was read last. */
  private Object value;

  private boolean hasValue;

  /** Why the position in the block is unknown. */
  private Throwable broken;

  RowBlockReader(InstanceRows rows, BlockSource source) {
    this.rows = rows;
    this.source = source;
  }

  boolean isEmpty() {
    return count == 0 && !hasValue;
  }

  /** Whether the next object is an empty array, which stands for that of a block of an array. */
  boolean isArray() {
    return isArray && count > 0;
  }

  /** Opens the block whose header the source has read. */
  void open() throws IOException {
    isArray = source.kind() == BlockHeader.ARRAY;
    count = isArray ? 1 : source.count();
    try {
      if (count == 0 || count > RowBlock.MOST_ROWS) {
        throw source.damaged("it has " + count + " rows");
      }
      if (source.holdsBody()) {
        int from = source.takeBody();
        openBody(source.buffer(), from, from + source.length());
      } else {
        large = source.readBody(large);
        openBody(large, 0, source.length());
      }
    } catch (Throwable error) {
      throw Unchecked.unchanged(meaning(error));
    }
  }

  private void openBody(byte[] bytes, int from, int to) throws IOException {
    RecordIn head = new RecordIn(bytes, from, to);
    int size = head.number(Integer.MAX_VALUE);
    int at = head.position();
    if (size > to - at - Short.BYTES) {
      throw source.damaged("it is shorter than the layout of its rows");
    }
    if (layout == null || !isLayout(bytes, at, at + size)) {
      layout = rows.exact().parse(bytes, at, at + size);
      check = RowBlock.check(layout);
    }
    at += size;
    if (((bytes[at] & 0xFF) | (bytes[at + 1] & 0xFF) << Byte.SIZE) != check) {
      throw new SerowException(
          "rows have other fields than their classes have here: "
              + layout
              + ". Run the same class files on the driver and on all executors");
    }
    at += Short.BYTES;
    if (source.kind() != BlockHeader.FRAMES) {
      in = new RecordIn(bytes, at, to);
      return;
    }
    if (!NativeLibrary.isLoaded()) {
      throw NativeLibrary.missing(
          "reading a block of frames", "Set spark.serow.frames to false in the application");
    }
    frames = layout.readFrames(bytes, at, to, count);
  }

  private boolean isLayout(byte[] bytes, int from, int to) {
    byte[] known = layout.bytes();
    return Arrays.equals(known, 0, known.length, bytes, from, to);
  }

  /** Reads the next object of a block that is not empty. */
  Object next() throws IOException {
    if (hasValue) {
      Object next = value;
      value = null;
      hasValue = false;
      return next;
    }
    if (broken != null) {
      throw new IOException(
          "serow can't read on in this stream: an earlier row could not be read", broken);
    }
    try {
      Object row = nextRow();
      if (isArray && !(row instanceof Object[] array && array.length == 0 && !layout.isPair())) {
        throw source.damaged("it begins an array, but has another object");
      }
      if (!layout.isPair()) {
        return row;
      }
      Object[] pair = (Object[]) row;
      value = pair[1];
      hasValue = true;
      return pair[0];
    } catch (Throwable error) {
      throw Unchecked.unchanged(meaning(error));
    }
  }

  private Object nextRow() {
    count--;
    if (frames != null) {
      return nextOfFrames();
    }
    Object row = layout.read(in);
    if (count == 0) {
      in.end();
    }
    return row;
  }

  private Object nextOfFrames() {
    Object row = frames.set(frames.size() - count - 1, null);
    if (count == 0) {
      frames = null;
    }
    return row;
  }

  private Throwable meaning(Throwable error) {
    broken = error;
    count = Math.max(1, count);
    if (error.getCause() instanceof ReflectiveOperationException
        || error.getCause() instanceof LinkageError) {
      // The bytes are good: Spark must not drop them as it does after an IOException.
      return new SerowException(
          error.getMessage() + ". Add the jar with it to the driver and to all executors", error);
    }
    if (error instanceof DecodeException || error instanceof LimitException) {
      IOException damage = source.damaged(error.getMessage());
      damage.initCause(error);
      return damage;
    }
    return error;
  }
}
