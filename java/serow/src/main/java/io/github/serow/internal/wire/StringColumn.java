package io.github.serow.internal.wire;

import io.github.serow.DecodeException;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;

/**
 * The strings of one column of a frame.
 *
 * <p>Each entry of a dictionary becomes one {@code String} for all its values. Strings can only be
 * made from arrays. So the text is copied from native memory at once.
 */
public final class StringColumn {
  private ByteBuffer block;
  private IntBuffer words;

  /** The dictionary's entries, or null. */
  private String[] entries;

  /** The position in the block of the values' codes, or of the offsets of their text. */
  private int numbers;

  /** The codes or offsets of the rows in the window, and one more; or null. */
  private int[] window;

  /** The text, at the begin of an array that is used again. */
  private byte[] text = new byte[0];

  private boolean ascii;

  /** The index of the next value, if values are counted. */
  private int next;

  /**
   * Attaches the column to {@code newBlock}.
   *
   * @param values the number of values
   * @param offset the position of the column's data
   * @param entries the number of strings in it
   * @param dictionary whether values are codes of entries
   * @param ascii whether all text is ASCII
   */
  void load(
      Block newBlock, int values, int offset, int entries, boolean dictionary, boolean ascii) {
    block = newBlock.bytes;
    words = newBlock.ints;
    this.ascii = ascii;
    next = 0;
    numbers = offset;
    this.entries = null;
    int after = aligned(offset + 4 * (entries + 1));
    int codes = after;
    if (dictionary) {
      after = aligned(codes + 4 * values);
    }
    int length = block.getInt(offset + 4 * entries);
    if (text.length < length) {
      text = new byte[length];
    }
    block.get(after, text, 0, length);
    if (dictionary) {
      String[] strings = new String[entries];
      for (int i = 0; i < entries; i++) {
        strings[i] = entry(i);
      }
      this.entries = strings;
      numbers = codes;
    }
  }

  static int aligned(int offset) {
    return (offset + 7) & -8;
  }

  /** Makes the window, for a column with one value per row. */
  void makeWindow(int rows) {
    window = new int[rows + 1];
  }

  /** Drops references to the message. Returns the bytes of memory that are kept. */
  int clear() {
    block = null;
    words = null;
    entries = null;
    return text.length;
  }

  /** Fills the window, if there is one, with {@code count} rows from {@code row} on. */
  void window(int row, int count) {
    if (window != null) {
      // There is one code per value, and one more offset than values.
      words.get((numbers >> 2) + row, window, 0, entries == null ? count + 1 : count);
    }
  }

  /** The value of row {@code index} of the window. */
  public String inWindow(int index) {
    int number = window[index];
    return entries != null ? whole(entries[number]) : text(number, window[index + 1]);
  }

  public String next() {
    return get(next++);
  }

  String get(int index) {
    int at = numbers + (index << 2);
    int number = block.getInt(at);
    return entries != null ? whole(entries[number]) : text(number, block.getInt(at + 4));
  }

  @SuppressWarnings(
      "deprecation") // The constructor that takes ASCII as it is, without a look at it.
  private String text(int begin, int end) {
    return ascii
        ? new String(text, 0, begin, end - begin)
        : GeneralizedUtf8.decode(text, begin, end - begin);
  }

  /**
   * An entry of the dictionary; null if it is not a valid string, which is an error only for its
   * values.
   */
  private String entry(int index) {
    try {
      return get(index);
    } catch (DecodeException e) {
      return null;
    }
  }

  private static String whole(String entry) {
    if (entry == null) {
      throw new DecodeException(GeneralizedUtf8.PAIR);
    }
    return entry;
  }
}
