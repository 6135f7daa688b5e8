package io.github.serow.wire;

import io.github.serow.LimitException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A batch of flat rows: what Java hands over to native code, as {@code docs/design.md} describes
 * it.
 *
 * <p>The streams are plain arrays, which native code copies in one piece; that was no slower than
 * direct buffers, whose every access is checked twice. A batch ends before it has filled half of a
 * core's second-level cache, so that native code finds it there.
 *
 * <p>Text is UTF-16: {@code getChars} is the one way out of a string that is a loop of its own in
 * compiled code, rather than a call, and that takes every string. Native code narrows all of a
 * batch at once.
 *
 * <p>Generated code keeps the place of the next slot in a local variable, {@code slot}, and hands
 * it over at each call; and that of the next string too, within a method.
 */
public final class FlatRows {
  /**
   * Thrown where a string has no room in a batch. To make room on the spot would cost every string
   * that has some: code that goes on after a call that it hardly ever makes is slower before it.
   */
  public static final class Full extends Exception {
    private static final long serialVersionUID = 1L;

    private static final Full FULL = new Full();

    private Full() {
      super("a batch of flat rows has no room for a string", null, false, false);
    }
  }

  private static final int FULL_SLOTS = 1 << 13;
  private static final int FULL_TEXT = 1 << 15;
  private static final int FULL_BYTES = 1 << 17;

  /** Room for the row that fills a batch, if it is no larger than most. */
  private static final int SLACK = 1 << 12;

  /** A row beyond these is not possible, since native code takes arrays of up to 2 GiB. */
  private static final int MAX_SLOTS = 1 << 28;

  private static final int MAX_TEXT = Integer.MAX_VALUE - 16;
  private static final int MAX_BYTES = Integer.MAX_VALUE - 16;

  public long[] slots = new long[FULL_SLOTS + SLACK];
  public char[] text = new char[FULL_TEXT + SLACK];

  /** The parts of values that are bytes, one after another. Most rows have none. */
  public byte[] bytes = new byte[0];

  /** The row that is being written. */
  public int row;

  /** How much of the streams the rows before {@link #row} take. */
  public int slotCount;

  public int textLength;
  public int bytesLength;

  /** Where the next string goes, unless generated code has that in a local variable. */
  public int textAt;

  private int bytesAt;

  /** The text of the row that had no room, up to where it had none. */
  private int missing;

  /** Forget all rows. */
  public void clear() {
    slotCount = 0;
    textLength = 0;
    textAt = 0;
    bytesLength = 0;
    bytesAt = 0;
  }

  /**
   * Begin row {@code row}, at {@code slot} and {@code at}, with room for {@code bound} slots. False
   * if the batch is full.
   */
  public boolean begin(int row, int slot, int at, int bound) {
    end(row, slot, at);
    if (slot >= FULL_SLOTS || at >= FULL_TEXT || bytesAt >= FULL_BYTES) {
      return false;
    }
    if (slots.length - slot < bound) {
      growSlots((long) slot + bound);
    }
    return true;
  }

  /** End the batch before row {@code row}. */
  public void end(int row, int slot, int at) {
    this.row = row;
    slotCount = slot;
    textLength = at;
    bytesLength = bytesAt;
  }

  /** Room at {@code slot} for {@code count} times {@code each} slots and {@code rest} more. */
  public long[] room(int slot, int count, int each, int rest) {
    long needed = slot + (long) count * each + rest;
    if (needed > slots.length) {
      growSlots(needed);
    }
    return slots;
  }

  private void growSlots(long needed) {
    slots = Arrays.copyOf(slots, (int) grown(slots.length, needed, MAX_SLOTS));
  }

  /** Make room for the row that had none although it was the only one. */
  public void growText() {
    text = new char[(int) grown(text.length, missing, MAX_TEXT)];
  }

  private long grown(long length, long needed, long most) {
    if (needed > most) {
      throw new LimitException("row " + row + " is larger than a row can be; split it");
    }
    return Math.min(most, Math.max(needed, 2 * length));
  }

  /**
   * See to it that there is room at {@code at} for {@code length} chars. The question is put as
   * {@code String.getChars} puts it, so that the JIT compiler asks it once for both.
   */
  public void textRoom(char[] text, int at, int length) throws Full {
    if (at > text.length - length) {
      missing = (int) Math.min(MAX_TEXT + 1L, (long) at - textLength + length);
      throw Full.FULL;
    }
  }

  /** Write a string to the text stream. Returns its slot. */
  public long text(String string) throws Full {
    int length = string.length();
    textRoom(text, textAt, length);
    string.getChars(0, length, text, textAt);
    textAt += length;
    return length;
  }

  /** Write bytes that are a part of a value. Returns their slot. */
  public long bytes(byte[] value) {
    int at = roomForBytes(value.length);
    System.arraycopy(value, 0, bytes, at, value.length);
    return value.length;
  }

  /** The same for what a buffer has from its position to its limit. */
  public long bytes(ByteBuffer value) {
    int length = value.remaining();
    int at = roomForBytes(length);
    value.get(value.position(), bytes, at, length);
    return length;
  }

  /** The same for characters that are ASCII. */
  @SuppressWarnings("deprecation") // getBytes drops the high bytes, which are 0 here: just a copy.
  public long ascii(String value) {
    int length = value.length();
    int at = roomForBytes(length);
    value.getBytes(0, length, bytes, at);
    return length;
  }

  /** Take the next {@code length} bytes. Returns where they begin. */
  private int roomForBytes(int length) {
    int at = bytesAt;
    if (bytes.length - at < length) {
      bytes = Arrays.copyOf(bytes, (int) grown(bytes.length, (long) at + length, MAX_BYTES));
    }
    bytesAt = at + length;
    return at;
  }

  /** Give back what an unusually large row has taken. */
  public void trim() {
    if (slots.length > 4 * FULL_SLOTS) {
      slots = new long[FULL_SLOTS + SLACK];
    }
    if (text.length > 4 * FULL_TEXT) {
      text = new char[FULL_TEXT + SLACK];
    }
    if (bytes.length > 4 * FULL_BYTES) {
      bytes = new byte[FULL_BYTES];
    }
  }
}
