package io.github.serow;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;

/**
 * The columns of one frame, as native code has unpacked them: {@code docs/design.md} has their
 * layout. Generated classes call the methods here for each value.
 *
 * <p>A value is found by its row where every row has one; the {@code next} methods read columns in
 * which values are counted as they come. Native code has checked that there are as many as a reader
 * asks for; the buffer checks once more that no value is read outside it.
 *
 * <p>The former kind of column is read through <em>windows</em>, arrays on the heap for as many
 * rows as stay in the first cache: an array is read at half of the cost of a buffer.
 *
 * <p>They are kept from message to message, without what a message held.
 */
final class Columns {
  /** In place of a row: the value that comes next. */
  static final int NEXT = -1;

  private static final int WORDS = 4;

  /** The values of all windows together, and the rows of each. */
  private static final int WINDOW_VALUES = 4096;

  private static final int MAX_WINDOW = 256;
  private static final int MIN_WINDOW = 16;

  /** Fewer values than these are read one by one. */
  private static final int FEW = 8;

  /** Memory for text beyond this is not kept. */
  private static final int KEPT_TEXT = 16 << 20;

  final Type.Root root;

  /** The most rows of a window. */
  final int window;

  private ByteBuffer block;

  /** The first row of the windows. */
  private int first;

  private LongBuffer words;

  // The windows of columns with one value a row; null for others. Floats are there by their bits.
  final long[][] intWindows;
  final long[][] floatWindows;
  final byte[][] bitWindows;

  // Where each column's values begin in the block, or where the next one is.
  private final int[] ints;
  private final int[] floats;
  private final int[] bits;
  final StringColumn[] strs;

  /** In the places of those of {@link #strs} that hold bytes and no text. */
  private final BytesColumn[] bytes;

  Columns(Type.Root root) {
    this.root = root;
    int columns = root.ints() + root.floats() + root.strs() + root.bits();
    window = Math.max(MIN_WINDOW, Math.min(MAX_WINDOW, WINDOW_VALUES / Math.max(1, columns)));
    intWindows = new long[root.ints()][];
    floatWindows = new long[root.floats()][];
    bitWindows = new byte[root.bits()][];
    ints = new int[root.ints()];
    floats = new int[root.floats()];
    bits = new int[root.bits()];
    strs = new StringColumn[root.strs()];
    bytes = new BytesColumn[strs.length];
    for (int i = 0; i < strs.length; i++) {
      if (root.bytes().get(i)) {
        bytes[i] = new BytesColumn();
      } else {
        strs[i] = new StringColumn();
      }
    }
    addWindows(root.type());
  }

  private void addWindows(Type type) {
    if (type.oneARow) {
      switch (type.kind) {
        case I64, ENUM, LIST_SEQUENCE, TUPLE_SEQUENCE, SET, FROZENSET, MAP, UNION ->
            intWindows[type.column] = new long[window];
        case F64 -> floatWindows[type.column] = new long[window];
        case BOOL, OPTIONAL, MAYBE -> bitWindows[type.column] = new byte[window];
        case STR -> strs[type.column].addWindow(window);
        default -> {
          // Without values.
        }
      }
    }
    type.parts.forEach(this::addWindows);
  }

  /** Take the columns from a frame's block, which is used until the next frame. */
  void load(Block newBlock) {
    block = newBlock.bytes;
    words = newBlock.longs;
    int at = 0;
    for (int i = 0; i < ints.length; i++, at += 8 * WORDS) {
      ints[i] = offset(at + 8);
    }
    for (int i = 0; i < floats.length; i++, at += 8 * WORDS) {
      floats[i] = offset(at + 8);
    }
    for (int i = 0; i < strs.length; i++, at += 8 * WORDS) {
      int values = offset(at);
      int data = offset(at + 8);
      int entries = offset(at + 16);
      int flags = offset(at + 24);
      if (strs[i] != null) {
        strs[i].load(newBlock, values, data, entries, (flags & 1) != 0, (flags & 2) != 0);
      } else {
        bytes[i].load(block, values, data, entries, (flags & 1) != 0);
      }
    }
    for (int i = 0; i < bits.length; i++, at += 8 * WORDS) {
      bits[i] = offset(at + 8);
    }
  }

  /** Let go of what a message held. */
  void clear() {
    block = null;
    words = null;
    long text = 0;
    for (int i = 0; i < strs.length; i++) {
      if (strs[i] != null) {
        text += strs[i].clear();
      } else {
        bytes[i].clear();
      }
    }
    if (text > KEPT_TEXT) {
      for (StringColumn column : strs) {
        if (column != null) {
          column.trim();
        }
      }
    }
  }

  /** Have the windows hold the values of {@code count} rows, the first of which is {@code row}. */
  void window(int row, int count) {
    first = row;
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

  /** A word of the table. No frame has a block beyond 2 GiB. */
  private int offset(int at) {
    return Math.toIntExact(block.getLong(at));
  }

  Long nextI64(int column) {
    int at = ints[column];
    ints[column] = at + 8;
    return block.getLong(at);
  }

  Double nextF64(int column) {
    int at = floats[column];
    floats[column] = at + 8;
    return block.getDouble(at);
  }

  String nextStr(int column) {
    return strs[column].next();
  }

  /**
   * An integer among the parts of a value: the one in row {@code row} of the windows, or the {@link
   * #NEXT}.
   */
  long part(int column, int row) {
    int at = ints[column];
    if (row != NEXT) {
      return block.getLong(at + ((first + row) << 3));
    }
    ints[column] = at + 8;
    return block.getLong(at);
  }

  /** A float among the parts of a value. */
  double floatPart(int column, int row) {
    int at = floats[column];
    if (row != NEXT) {
      return block.getDouble(at + ((first + row) << 3));
    }
    floats[column] = at + 8;
    return block.getDouble(at);
  }

  /** The column that has the bytes among the parts of values. */
  BytesColumn bytes(int column) {
    return bytes[column];
  }

  boolean nextBit(int column) {
    return block.get(bits[column]++) != 0;
  }

  /** The length of a sequence, the arm of a union, or the index of an enum's member. */
  int nextNumber(int column) {
    int at = ints[column];
    ints[column] = at + 8;
    return Math.toIntExact(block.getLong(at));
  }

  /** The next integers of a column. */
  long[] nextLongs(int column, int length) {
    long[] numbers = new long[length];
    words.get(ints[column] >> 3, numbers);
    ints[column] += length << 3;
    return numbers;
  }

  /** The list for a sequence, or a list of fixed shape. */
  static ArrayList<Object> newList(int size) {
    return new ArrayList<>(size);
  }

  /** Where a value of a type without values is asked for. */
  static Object never() {
    throw new DecodeException("a frame holds a value of type never");
  }

  @Override
  public String toString() {
    return "Columns of " + root.type();
  }
}
