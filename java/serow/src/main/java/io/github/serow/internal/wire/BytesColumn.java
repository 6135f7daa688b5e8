package io.github.serow.internal.wire;

import java.nio.ByteBuffer;
import java.util.function.Function;

/**
 * The bytes of one column of a frame: components of values, not text. They stay in native memory
 * until a value needs them.
 *
 * <p>An <em>entry</em> is the range of a value's bytes; with a dictionary, values share entries.
 */
public final class BytesColumn {
  private ByteBuffer block;

  /** The position of the entries' offsets in the block. */
  private int offsets;

  /** The position of the values' entry indices, if there is a dictionary. */
  private int codes;

  private int text;
  private boolean dictionary;
  private int entries;

  /** Whether no value has any bytes, as decimals and integers of 64 bits. All have entry 0. */
  private boolean empty;

  /** Objects made from dictionary entries for all their values; null until the first. */
  private Object[] shared;

  /** The index of the next value, if values are counted. */
  private int next;

  /** The first row of the windows. */
  private int first;

  /** Attaches the column to {@code block}; see {@link StringColumn#load}. */
  public void load(ByteBuffer block, int values, int offset, int entries, boolean dictionary) {
    this.block = block;
    this.entries = entries;
    this.dictionary = dictionary;
    next = 0;
    shared = null;
    offsets = offset;
    codes = StringColumn.aligned(offset + 4 * (entries + 1));
    text = dictionary ? StringColumn.aligned(codes + 4 * values) : codes;
    empty = block.getInt(offset + 4 * entries) == 0;
  }

  /** Drops references to the message. */
  public void clear() {
    block = null;
    shared = null;
  }

  /** Moves the windows to {@code row}. */
  public void window(int row) {
    first = row;
  }

  /** The entry of the value in row {@code row} of the windows, or of the next value. */
  public int entry(int row) {
    int index = row == Columns.NEXT ? next++ : first + row;
    if (empty) {
      return 0;
    }
    return dictionary ? block.getInt(codes + (index << 2)) : index;
  }

  public int length(int entry) {
    if (empty) {
      return 0;
    }
    int at = offsets + (entry << 2);
    return block.getInt(at + 4) - block.getInt(at);
  }

  /** The bytes of an entry as a new array. */
  public byte[] get(int entry) {
    byte[] bytes = new byte[length(entry)];
    block.get(text + block.getInt(offsets + (entry << 2)), bytes);
    return bytes;
  }

  /**
   * The result of {@code make} for an entry's bytes, computed once for all values that share the
   * entry.
   */
  public <T> Object share(int entry, Function<byte[], T> make) {
    if (!dictionary) {
      return make.apply(get(entry));
    }
    if (shared == null) {
      shared = new Object[entries];
    }
    if (shared[entry] == null) {
      shared[entry] = make.apply(get(entry));
    }
    return shared[entry];
  }
}
