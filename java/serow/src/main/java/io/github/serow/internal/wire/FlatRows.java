package io.github.serow.internal.wire;

import io.github.serow.LimitException;
import io.github.serow.internal.jni.StringBytes;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A batch of flat rows from Java to native code; {@code docs/jvm.md} describes their layout.
 *
 * <p>The streams are plain arrays, which native code copies at once. This was not slower than
 * direct buffers, whose accesses are checked twice. A batch ends after about 32 KiB of slots, 32
 * KiB of text or 128 KiB of bytes, so that most batches are in a core's caches when native code
 * reads them. Most rows have no bytes.
 *
 * <p>Text is generalised UTF-8, as in a {@link RecordOut}.
 *
 * <p>Generated code has the position of the next slot in a local variable, {@code slot}, and passes
 * it to each call.
 */
public final class FlatRows implements ValueSink {
  /**
   * Thrown if a string does not fit into a batch. Growing the batch in place would slow down every
   * string: code with a rare call in the middle is compiled worse around the call.
   */
  public static final class Full extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final Full FULL = new Full();

    private Full() {
      super("a string does not fit into a batch of flat rows", null, false, false);
    }
  }

  private static final int FULL_SLOTS = 1 << 12;
  private static final int FULL_TEXT = 1 << 15;
  private static final int FULL_BYTES = 1 << 17;

  /** Extra capacity for the row that fills a batch, enough for most rows. */
  private static final int SLACK = 1 << 12;

  /** Maximum slots of a row: native code accepts arrays of up to 2 GiB. */
  private static final int MAX_SLOTS = 1 << 28;

  private static final int MAX_TEXT = Integer.MAX_VALUE - 16;
  private static final int MAX_BYTES = Integer.MAX_VALUE - 16;

  public long[] slots = new long[FULL_SLOTS + SLACK];
  public byte[] text = new byte[FULL_TEXT + SLACK];

  /** The byte components of values, one after another. Most rows have none. */
  public byte[] bytes = new byte[0];

  /** The index of the current row. */
  public int row;

  /** The number of rows before the one with index 0, which errors count too. */
  public long before;

  /** What the writer threw at {@link #row} because the row does not fit its schema; or null. */
  public RuntimeException misfit;

  /** The number of slots of the rows before {@link #row}. */
  public int slotCount;

  public int textLength;
  public int bytesLength;

  /** The position of the next string. */
  private int textAt;

  private int bytesAt;

  /** The text of the row that did not fit, in bytes, up to the string that was too long. */
  private int missing;

  /** Removes all rows. */
  public void clear() {
    slotCount = 0;
    textLength = 0;
    bytesLength = 0;
    resume(0);
  }

  /** Makes ready for rows from index {@code row} on, behind the complete rows. */
  public void resume(int row) {
    this.row = row;
    textAt = textLength;
    bytesAt = bytesLength;
  }

  /** About how many bytes the rows take in native code. */
  public long size() {
    return (long) Long.BYTES * slotCount + textLength + bytesLength;
  }

  /** Whether no row more should follow. */
  public boolean isFull() {
    return slotCount >= FULL_SLOTS || textLength >= FULL_TEXT || bytesLength >= FULL_BYTES;
  }

  /**
   * Starts row {@code row} at {@code slot}, with capacity for {@code bound} slots. Returns false if
   * the batch is full.
   */
  public boolean begin(int row, int slot, int bound) {
    end(row, slot);
    if (isFull()) {
      return false;
    }
    room(slot, bound);
    return true;
  }

  /** Ends the batch before row {@code row}. */
  public void end(int row, int slot) {
    this.row = row;
    slotCount = slot;
    textLength = textAt;
    bytesLength = bytesAt;
  }

  @Override
  public void room(int slot, int count) {
    if (count > slots.length - slot) {
      growSlots((long) slot + count);
    }
  }

  private void growSlots(long needed) {
    slots = Arrays.copyOf(slots, (int) grown(slots.length, needed, MAX_SLOTS));
  }

  /** Grows the text for a row that did not fit although it was the only one. */
  public void growText() {
    text = new byte[(int) grown(text.length, missing, MAX_TEXT)];
  }

  private long grown(long length, long needed, long most) {
    if (needed > most) {
      throw new LimitException("row " + (before + row) + " is larger than a row can be; split it");
    }
    return Math.min(most, Math.max(needed, 2 * length));
  }

  @Override
  public int i64(long value, int slot) {
    slots[slot] = value;
    return slot + 1;
  }

  /** Writes a string; the slots after it need no room of their own. */
  @Override
  public int text(String string, int slot, int rest) {
    byte[] latin1 = StringBytes.latin1(string);
    if (latin1 != null) {
      int length = latin1.length;
      int at = roomForText(length);
      if (Ascii.copy(latin1, 0, length, text, at)) {
        textAt = at + length;
        return i64(length, slot);
      }
    }
    long size = GeneralizedUtf8.length(string);
    textAt = GeneralizedUtf8.encode(string, size, text, roomForText(size));
    return i64(size, slot);
  }

  /** The position of the next string, which has this many bytes. */
  private int roomForText(long length) {
    int at = textAt;
    if (length > text.length - at) {
      missing = (int) Math.min(MAX_TEXT + 1L, at - textLength + length);
      throw Full.FULL;
    }
    return at;
  }

  @Override
  public int bytes(byte[] value, int slot) {
    int at = roomForBytes(value.length);
    System.arraycopy(value, 0, bytes, at, value.length);
    return i64(value.length, slot);
  }

  @Override
  public int bytes(ByteBuffer value, int slot) {
    int length = value.remaining();
    int at = roomForBytes(length);
    value.get(value.position(), bytes, at, length);
    return i64(length, slot);
  }

  @Override
  @SuppressWarnings(
      "deprecation") // getBytes drops the high bytes, which are 0 here, so it is a plain copy.
  public int ascii(String value, int slot) {
    int length = value.length();
    int at = roomForBytes(length);
    value.getBytes(0, length, bytes, at);
    return i64(length, slot);
  }

  /** Reserves the next {@code length} bytes. Returns their position. */
  private int roomForBytes(int length) {
    int at = bytesAt;
    if (bytes.length - at < length) {
      bytes = Arrays.copyOf(bytes, (int) grown(bytes.length, (long) at + length, MAX_BYTES));
    }
    bytesAt = at + length;
    return at;
  }

  /** Frees the extra memory of an unusually large row. */
  public void trim() {
    if (slots.length > 4 * FULL_SLOTS) {
      slots = new long[FULL_SLOTS + SLACK];
    }
    if (text.length > 4 * FULL_TEXT) {
      text = new byte[FULL_TEXT + SLACK];
    }
    if (bytes.length > 4 * FULL_BYTES) {
      bytes = new byte[FULL_BYTES];
    }
  }
}
