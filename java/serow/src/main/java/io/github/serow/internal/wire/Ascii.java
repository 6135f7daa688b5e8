package io.github.serow.internal.wire;

import io.github.serow.internal.jni.StringBytes;

/**
 * Text that is usually ASCII. It is copied and checked in one pass of a word at a time, which takes
 * less time for strings of some tens of characters than a call to copy an array, and less than the
 * checks of the JDK.
 */
final class Ascii {
  /** The highest bit of each byte. */
  private static final long NOT_ASCII = 0x8080_8080_8080_8080L;

  private Ascii() {}

  /**
   * Copies bytes as far as they are ASCII.
   *
   * @return whether all are; otherwise the bytes at {@code at} are of no use
   */
  static boolean copy(byte[] from, int begin, int length, byte[] to, int at) {
    if (length >= Long.BYTES) {
      int last = length - Long.BYTES;
      long bits = (long) Varint.LONG.get(from, begin + last);
      Varint.LONG.set(to, at + last, bits);
      for (int i = 0; i < last; i += Long.BYTES) {
        long word = (long) Varint.LONG.get(from, begin + i);
        bits |= word;
        Varint.LONG.set(to, at + i, word);
      }
      return (bits & NOT_ASCII) == 0;
    }
    if (length >= Integer.BYTES) {
      int last = length - Integer.BYTES;
      int first = (int) Varint.INT.get(from, begin);
      int end = (int) Varint.INT.get(from, begin + last);
      Varint.INT.set(to, at, first);
      Varint.INT.set(to, at + last, end);
      return ((first | end) & (int) NOT_ASCII) == 0;
    }
    int bits = 0;
    for (int i = 0; i < length; i++) {
      byte c = from[begin + i];
      bits |= c;
      to[at + i] = c;
    }
    return bits >= 0;
  }

  /** Makes a string of {@code length} bytes. Returns null if one of them is not ASCII. */
  static String string(byte[] text, int begin, int length) {
    if (length > 4 * Long.BYTES && ((long) Varint.LONG.get(text, begin) & NOT_ASCII) != 0) {
      // Text in most other scripts needs no memory for a copy.
      return null;
    }
    if (length < Long.BYTES || length > 4 * Long.BYTES) {
      byte[] value = new byte[length];
      return copy(text, begin, length, value, 0) ? StringBytes.ofLatin1(value) : null;
    }
    // Without a loop this takes a seventh less of the time of a record of mostly text.
    int last = length - Long.BYTES;
    long first = (long) Varint.LONG.get(text, begin);
    long end = (long) Varint.LONG.get(text, begin + last);
    if (length <= 2 * Long.BYTES) {
      if (((first | end) & NOT_ASCII) != 0) {
        return null;
      }
      byte[] value = new byte[length];
      Varint.LONG.set(value, 0, first);
      Varint.LONG.set(value, last, end);
      return StringBytes.ofLatin1(value);
    }
    long second = (long) Varint.LONG.get(text, begin + Long.BYTES);
    long third = (long) Varint.LONG.get(text, begin + last - Long.BYTES);
    if (((first | second | third | end) & NOT_ASCII) != 0) {
      return null;
    }
    byte[] value = new byte[length];
    Varint.LONG.set(value, 0, first);
    Varint.LONG.set(value, Long.BYTES, second);
    Varint.LONG.set(value, last - Long.BYTES, third);
    Varint.LONG.set(value, last, end);
    return StringBytes.ofLatin1(value);
  }
}
