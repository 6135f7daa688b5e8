package io.github.serow.wire;

import java.nio.ByteBuffer;
import java.util.function.Function;

/**
 * The bytes of one column of a frame, which are parts of values and no text. They stay in native
 * memory until a value is made of them.
 *
 * <p>An <em>entry</em> is where the bytes of a value are; with a dictionary, values share entries.
 */
public final class BytesColumn {
  private ByteBuffer block;

  /** Where the offsets of entries in the text are. */
  private int offsets;

  /** Where the entries of values are, if there is a dictionary. */
  private int codes;

  private int text;
  private boolean dictionary;
  private int entries;

  /** What was made of the dictionary's entries to be shared by values; null before the first. */
  private Object[] shared;

  /** The index of the next value, if values are counted as they come. */
  private int next;

  /** The first row of the windows. */
  private int first;

  /** Take the bytes from {@code block}; see {@link StringColumn#load}. */
  public void load(ByteBuffer block, int values, int offset, int entries, boolean dictionary) {
    this.block = block;
    this.entries = entries;
    this.dictionary = dictionary;
    next = 0;
    shared = null;
    offsets = offset;
    codes = StringColumn.aligned(offset + 4 * (entries + 1));
    text = dictionary ? StringColumn.aligned(codes + 4 * values) : codes;
  }

  /** How many values were read as they come. */
  int progress() {
    return next;
  }

  /** Let go of what a message held. */
  public void clear() {
    block = null;
    shared = null;
  }

  /** Have the windows begin at {@code row}. */
  public void window(int row) {
    first = row;
  }

  /** The entry of the value in row {@code row} of the windows, or of the next one. */
  public int entry(int row) {
    int index = row == Columns.NEXT ? next++ : first + row;
    return dictionary ? block.getInt(codes + (index << 2)) : index;
  }

  public int length(int entry) {
    int at = offsets + (entry << 2);
    return block.getInt(at + 4) - block.getInt(at);
  }

  /** The bytes of an entry, in an array of their own. */
  public byte[] get(int entry) {
    byte[] bytes = new byte[length(entry)];
    block.get(text + block.getInt(offsets + (entry << 2)), bytes);
    return bytes;
  }

  /** What {@code make} makes of an entry's bytes, once for all values that share it. */
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
