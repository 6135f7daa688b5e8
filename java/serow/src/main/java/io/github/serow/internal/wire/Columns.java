package io.github.serow.internal.wire;

import io.github.serow.DecodeException;
import io.github.serow.internal.wire.ColumnLayout.Kind;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.function.Function;

/**
 * The columns of one frame, as unpacked by native code: {@code docs/jvm.md} describes their layout.
 * Generated classes call the methods here for each value.
 *
 * <p>In a column with one value per row, the row is the index of a value. Other columns count their
 * values; the {@code next} methods read them. Native code has checked the numbers of values, and
 * the buffer checks its bounds again.
 *
 * <p>Columns of the first kind are read through <em>windows</em>: arrays on the heap for as many
 * rows as fit into the first-level cache, because reading an array costs half as much as reading a
 * buffer.
 *
 * <p>The object is reused for later messages, without references to earlier ones.
 */
public final class Columns implements ValueSource {
  private static final int STEP = Long.BYTES * Block.WORDS;

  /** Total number of values in all windows. */
  private static final int WINDOW_VALUES = 4096;

  private static final int MAX_WINDOW = 256;
  private static final int MIN_WINDOW = 16;

  /** With fewer values than this, they are copied one by one. */
  private static final int FEW = 8;

  /** What an object for a column takes on the heap, in bytes. */
  private static final int COLUMN = 64;

  /** The layout of these columns. */
  public final ColumnLayout layout;

  /** Maximum rows of a window. */
  public final int window;

  /** The number of rows for which the windows have memory. */
  private int room;

  private long kept;

  private ByteBuffer block;

  private LongBuffer words;
  private boolean isChecked;

  // Windows of columns with one value per row; null for others. Floats are stored as their bits.
  public final long[][] intWindows;
  public final long[][] floatWindows;
  public final byte[][] bitWindows;

  // The position in the block of each column's first value, or of its next value.
  private final int[] ints;
  private final int[] floats;
  private final int[] bits;
  public final StringColumn[] strs;

  /** Indexed like {@link #strs}; set for the columns of bytes. */
  private final BytesColumn[] bytes;

  private final RecentDates dates;

  public Columns(ColumnLayout layout, RecentDates dates) {
    this.layout = layout;
    this.dates = dates;
    int columns = layout.columns();
    window = Math.max(MIN_WINDOW, Math.min(MAX_WINDOW, WINDOW_VALUES / Math.max(1, columns)));
    intWindows = new long[layout.count(Kind.INTS)][];
    floatWindows = new long[layout.count(Kind.FLOATS)][];
    bitWindows = new byte[layout.count(Kind.BITS)][];
    ints = new int[intWindows.length];
    floats = new int[floatWindows.length];
    bits = new int[bitWindows.length];
    strs = new StringColumn[layout.count(Kind.STRS)];
    bytes = new BytesColumn[strs.length];
    for (int i = 0; i < strs.length; i++) {
      if (layout.bytes.get(i)) {
        bytes[i] = new BytesColumn();
      } else {
        strs[i] = new StringColumn();
      }
    }
    kept = (long) columns * COLUMN;
  }

  /**
   * Makes windows for at least {@code rows} rows. They grow with the frames, because most messages
   * of a program may have few rows.
   */
  private void grow(int rows) {
    room = Math.min(window, Math.max(FEW, 2 * Integer.highestOneBit(rows)));
    layout.rowAligned(Kind.INTS).forEach(i -> intWindows[i] = new long[room]);
    layout.rowAligned(Kind.FLOATS).forEach(i -> floatWindows[i] = new long[room]);
    layout.rowAligned(Kind.STRS).forEach(i -> strs[i].makeWindow(room));
    layout.rowAligned(Kind.BITS).forEach(i -> bitWindows[i] = new byte[room]);
  }

  /**
   * Attaches the columns to a frame's block, which is used until the next frame.
   *
   * @param areChecked whether all components are known to form values
   */
  public void load(Block newBlock, boolean areChecked) {
    isChecked = areChecked;
    block = newBlock.bytes;
    words = newBlock.longs;
    int at = 0;
    for (int i = 0; i < ints.length; i++, at += STEP) {
      ints[i] = newBlock.word(at + 8);
    }
    for (int i = 0; i < floats.length; i++, at += STEP) {
      floats[i] = newBlock.word(at + 8);
    }
    for (int i = 0; i < strs.length; i++, at += STEP) {
      int values = newBlock.word(at);
      int data = newBlock.word(at + 8);
      int entries = newBlock.word(at + 16);
      int flags = newBlock.word(at + 24);
      if (strs[i] != null) {
        strs[i].load(newBlock, values, data, entries, (flags & 1) != 0, (flags & 2) != 0);
      } else {
        bytes[i].load(block, values, data, entries, (flags & 1) != 0);
      }
    }
    for (int i = 0; i < bits.length; i++, at += STEP) {
      bits[i] = newBlock.word(at + 8);
    }
  }

  /** Drops references to the message. */
  public void clear() {
    block = null;
    words = null;
    long bytes = (long) layout.columns() * (COLUMN + (long) room * Long.BYTES);
    for (int i = 0; i < strs.length; i++) {
      if (strs[i] != null) {
        bytes += strs[i].clear();
      } else {
        this.bytes[i].clear();
      }
    }
    kept = bytes;
  }

  /** The bytes on the heap that these columns kept when they were cleared, at most. */
  public long kept() {
    return kept;
  }

  /** Fills the windows with the values of {@code count} rows from {@code row} on. */
  public void window(int row, int count) {
    if (count > room) {
      grow(count);
    }
    for (int i = 0; i < intWindows.length; i++) {
      read(intWindows[i], (ints[i] >> 3) + row, count);
    }
    for (int i = 0; i < floatWindows.length; i++) {
      read(floatWindows[i], (floats[i] >> 3) + row, count);
    }
    for (int i = 0; i < strs.length; i++) {
      if (strs[i] != null) {
        strs[i].window(row, count);
      } else {
        bytes[i].window(row);
      }
    }
    for (int i = 0; i < bitWindows.length; i++) {
      if (bitWindows[i] != null) {
        block.get(bits[i] + row, bitWindows[i], 0, count);
      }
    }
  }

  private void read(long[] window, int from, int count) {
    if (window == null) {
      return;
    }
    if (count >= FEW) {
      words.get(from, window, 0, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      window[i] = words.get(from + i);
    }
  }

  @Override
  public long i64(int column, int row) {
    if (row != NEXT) {
      return intWindows[column][row];
    }
    int at = ints[column];
    ints[column] = at + 8;
    return block.getLong(at);
  }

  @Override
  public long[] longs(int column, int length) {
    long[] numbers = new long[length];
    words.get(ints[column] >> 3, numbers);
    ints[column] += length << 3;
    return numbers;
  }

  @Override
  public double f64(int column, int row) {
    if (row != NEXT) {
      return Double.longBitsToDouble(floatWindows[column][row]);
    }
    int at = floats[column];
    floats[column] = at + 8;
    return block.getDouble(at);
  }

  @Override
  public String str(int column, int row) {
    return row == NEXT ? strs[column].next() : strs[column].inWindow(row);
  }

  @Override
  public boolean bit(int column, int row) {
    return row == NEXT ? block.get(bits[column]++) != 0 : bitWindows[column][row] != 0;
  }

  @Override
  public int count(int column, int row, int least) {
    return Math.toIntExact(i64(column, row));
  }

  @Override
  public int bytes(int column, int row) {
    return bytes[column].entry(row);
  }

  @Override
  public int length(int column, int entry) {
    return bytes[column].length(entry);
  }

  @Override
  public byte[] get(int column, int entry) {
    return bytes[column].get(entry);
  }

  @Override
  public <T> Object share(int column, int entry, Function<byte[], T> make) {
    return bytes[column].share(entry, make);
  }

  @Override
  public LocalDate date(long day) {
    return dates.ofEpochDay(day);
  }

  /** Native code has checked them. */
  @Override
  public boolean isChecked() {
    return isChecked;
  }

  /** Creates the list for a sequence or a list of fixed shape. */
  public static ArrayList<Object> newList(int size) {
    return new ArrayList<>(size);
  }

  @Override
  public Object never() {
    throw new DecodeException("a frame holds a value of type never");
  }
}
