package io.github.serow.wire;

import java.util.Arrays;

/**
 * The text of a record that is being written.
 *
 * <p>A string is first written as if it were ASCII, because {@code String.getBytes} then copies it
 * at the speed of memory. It drops the high byte of other chars, so the chars are kept and checked
 * together, once for the record. If some are not ASCII, all strings are encoded again, and the
 * bytes after them move. A check for each string would take longer than the string.
 */
final class RecordText {
  private static final int CHARS = 1 << 12;

  /** The most strings before a check. Empty ones have no chars. */
  private static final int STRINGS = 1 << 10;

  private final TextEncoder encoder = new TextEncoder(CHARS);

  /** The check encodes to this array. */
  private final byte[] checked = new byte[(int) TextEncoder.most(CHARS)];

  /** The number of chars that are not checked yet. */
  private int chars;

  /** The positions of their strings, whose lengths are there. */
  private final int[] places = new int[STRINGS];

  private int strings;

  void clear() {
    chars = 0;
    strings = 0;
  }

  /** Whether a string of this length can be written before the next check. */
  boolean hasRoom(int length) {
    // One branch: neither number may be negative.
    return (CHARS - chars - length | STRINGS - 1 - strings) >= 0;
  }

  /** Whether a string of this length can be written after a check. */
  static boolean isShort(int length) {
    return length <= CHARS;
  }

  /** Writes a string at {@code at}, where the capacity suffices for ASCII. */
  @SuppressWarnings("deprecation") // getBytes drops the high bytes, as described above.
  int put(String text, byte[] to, int at) {
    int length = text.length();
    int begin = Varint.put(to, at, length);
    text.getBytes(0, length, to, begin);
    text.getChars(0, length, encoder.chars, chars);
    places[strings++] = at;
    chars += length;
    return begin + length;
  }

  /** Whether all strings since the last check are ASCII. */
  boolean isAscii() {
    return encoder.isAscii(chars, checked);
  }

  /** The most bytes by which {@link #encodeAgain} moves the end. */
  int mostMore() {
    return (int) TextEncoder.most(chars) + Varint.MOST * (strings + 1);
  }

  /**
   * Encodes the strings since the last check again. Returns the new end of the bytes that ended at
   * {@code end}.
   */
  int encodeAgain(byte[] to, int end) {
    int first = places[0];
    byte[] before = Arrays.copyOfRange(to, first, end);
    int at = first;
    int begin = 0;
    for (int i = 0; i < strings; i++) {
      int place = places[i] - first;
      int length = (int) Varint.get(before, place);
      int size = encoder.encode(begin, length, checked, 0);
      begin += length;
      at = Varint.put(to, at, size);
      System.arraycopy(checked, 0, to, at, size);
      at += size;
      int after = place + Varint.length(length) + length;
      int next = (i + 1 < strings ? places[i + 1] : end) - first;
      System.arraycopy(before, after, to, at, next - after);
      at += next - after;
    }
    encoder.forget(chars);
    return at;
  }

  /** Writes a string that is not short at {@code at}, where the capacity suffices. */
  int putLong(String text, long size, byte[] to, int at) {
    return encoder.encode(text, to, Varint.put(to, at, size));
  }
}
