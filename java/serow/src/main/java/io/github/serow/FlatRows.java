package io.github.serow;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A batch of flat rows: what Java hands over to native code, as {@code docs/design.md} describes
 * it.
 *
 * <p>The two streams are plain arrays, which native code copies in one piece; that was no slower
 * than direct buffers, whose every access is checked twice. A batch ends before it has filled half
 * of a core's second-level cache, so that native code finds it there.
 *
 * <p>Generated code keeps the place of the next slot in a local variable, {@code slot}, and hands
 * it over at each call.
 */
final class FlatRows {
  private static final int FULL_SLOTS = 1 << 14;
  private static final int FULL_TEXT = 1 << 17;

  /** A row beyond these is not possible, since native code takes arrays of up to 2 GiB. */
  private static final int MAX_SLOTS = 1 << 28;

  private static final int MAX_TEXT = Integer.MAX_VALUE - 16;

  /** Encodings of a string, in the lowest two bits of its slot. */
  private static final int LATIN1 = 0;

  private static final int UTF16 = 1;

  long[] slots = new long[1 << 9];
  byte[] text = new byte[1 << 12];

  /** The row that is being written. */
  int row;

  /** How much of the streams the rows before {@link #row} take. */
  int slotCount;

  int textLength;

  private int textAt;
  private char[] chars = new char[64];

  /** Forget all rows. */
  void clear() {
    slotCount = 0;
    textLength = 0;
    textAt = 0;
  }

  /**
   * Begin row {@code row}, at {@code slot}, with room for {@code bound} slots. False if the batch
   * is full.
   */
  boolean begin(int row, int slot, int bound) {
    this.row = row;
    slotCount = slot;
    textLength = textAt;
    if (slot >= FULL_SLOTS || textAt >= FULL_TEXT) {
      return false;
    }
    if (slots.length - slot < bound) {
      growSlots((long) slot + bound);
    }
    return true;
  }

  /** End the batch before row {@code row}. */
  void end(int row, int slot) {
    this.row = row;
    slotCount = slot;
    textLength = textAt;
  }

  /** Room at {@code slot} for {@code count} times {@code each} slots and {@code rest} more. */
  long[] room(int slot, int count, int each, int rest) {
    long needed = slot + (long) count * each + rest;
    if (needed > slots.length) {
      growSlots(needed);
    }
    return slots;
  }

  private void growSlots(long needed) {
    slots = Arrays.copyOf(slots, (int) grown(slots.length, needed, MAX_SLOTS));
  }

  private void growText(long needed) {
    text = Arrays.copyOf(text, (int) grown(text.length, needed, MAX_TEXT));
  }

  private long grown(long length, long needed, long most) {
    if (needed > most) {
      throw new LimitException("row " + row + " is larger than a row can be; split it");
    }
    return Math.min(most, Math.max(needed, 2 * length));
  }

  /** Write a string to the text stream. Returns its slot. */
  @SuppressWarnings("deprecation") // getBytes drops the high bytes, which are 0 here: just a copy.
  long text(Object value) throws Misfit {
    if (!(value instanceof String string)) {
      throw Misfit.MISFIT;
    }
    int length = string.length();
    int at = textAt;
    if (text.length - at < length) {
      growText((long) at + length);
    }
    if (!isLatin1(string)) {
      return utf16(string);
    }
    string.getBytes(0, length, text, at);
    textAt = at + length;
    return (long) length << 2 | LATIN1;
  }

  /**
   * True if all chars are below 256. Strings keep such chars as bytes, which the compiler knows:
   * where it has inlined charAt for them the comparison is always false, and the loop is gone.
   */
  private static boolean isLatin1(String string) {
    for (int i = 0, length = string.length(); i < length; i++) {
      if (string.charAt(i) > 0xff) {
        return false;
      }
    }
    return true;
  }

  /** Lone surrogates too go as they are, which no charset of the JDK would let through. */
  private long utf16(String string) {
    int length = string.length();
    if (chars.length < length) {
      chars = new char[(int) grown(chars.length, length, MAX_TEXT)];
    }
    string.getChars(0, length, chars, 0);
    int at = textAt;
    if (text.length - at < 2L * length) {
      growText(at + 2L * length);
    }
    byte[] text = this.text;
    for (int i = 0; i < length; i++) {
      char c = chars[i];
      text[at++] = (byte) c;
      text[at++] = (byte) (c >> 8);
    }
    textAt = at;
    return 2L * length << 2 | UTF16;
  }

  /** Write bytes, which are a part of a value, to the text stream. Returns their slot. */
  long bytes(byte[] bytes) {
    int at = roomForText(bytes.length);
    System.arraycopy(bytes, 0, text, at, bytes.length);
    return bytes.length;
  }

  /** The same for what a buffer has from its position to its limit. */
  long bytes(ByteBuffer buffer) {
    int length = buffer.remaining();
    int at = roomForText(length);
    buffer.get(buffer.position(), text, at, length);
    return length;
  }

  /** The same for characters that are ASCII. */
  @SuppressWarnings("deprecation") // See text.
  long ascii(String string) {
    int length = string.length();
    int at = roomForText(length);
    string.getBytes(0, length, text, at);
    return length;
  }

  /** Take {@code length} bytes of the text stream. Returns where they begin. */
  private int roomForText(int length) {
    int at = textAt;
    if (text.length - at < length) {
      growText((long) at + length);
    }
    textAt = at + length;
    return at;
  }

  /** Give back what an unusually large row has taken. */
  void trim() {
    if (slots.length > 4 * FULL_SLOTS) {
      slots = new long[FULL_SLOTS];
    }
    if (text.length > 4 * FULL_TEXT) {
      text = new byte[FULL_TEXT];
    }
    if (chars.length > FULL_TEXT) {
      chars = new char[64];
    }
  }
}
