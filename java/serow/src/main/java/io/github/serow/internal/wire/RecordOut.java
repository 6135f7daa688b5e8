package io.github.serow.internal.wire;

import io.github.serow.BufferTooSmallException;
import io.github.serow.LimitException;
import io.github.serow.internal.jni.StringBytes;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A record of the row wire that is being written. Nodes and generated code write the values of a
 * row, one after another. Each method writes at position {@code at} and returns the position after
 * it, which generated code has in a local variable. Text and bytes ensure their own capacity;
 * {@link #room} ensures it for everything else.
 */
public final class RecordOut {
  /** The most components of a value that is no container. */
  public static final int MOST_COMPONENTS = 4;

  private static final int FIRST = 1 << 10;

  /** Maximum memory to keep. */
  private static final int KEPT = 1 << 16;

  private static final int MAX_BYTES = Integer.MAX_VALUE - 16;

  /** The limit of a row; native code has the same. */
  private static final int FREE_CONTAINERS = 3 << 20;

  public byte[] bytes = new byte[FIRST];

  /** The number of nulls, and of lists, tuples, dicts and records without fields. */
  private int zeroSized;

  /** The number of other lists, tuples, dicts and records of fixed shape. */
  private long containers;

  /** The most bytes of a message; {@link #MAX_BYTES} if it has no limit of its own. */
  private int most = MAX_BYTES;

  /**
   * Makes writing end with {@link MessageTooLong} where memory grows for a message of more than
   * this many bytes. Memory that is only reserved does not count. Call {@link #checkLimit} for
   * bytes within the memory that there is.
   */
  public void limit(int bytes) {
    most = bytes;
  }

  /**
   * Checks the limit for bytes that are written up to {@code at}.
   *
   * @throws MessageTooLong if they exceed it
   */
  public void checkLimit(int at) {
    if (at > most) {
      throw MessageTooLong.TOO_LONG;
    }
  }

  /** Removes the limit. */
  public void removeLimit() {
    most = MAX_BYTES;
  }

  /** Begins a record whose value is at {@code at}, with capacity for this number of components. */
  public void begin(int at, int components) {
    zeroSized = 0;
    containers = 0;
    room(at, components);
  }

  /** Ends the record whose value is between these positions. Returns {@code end}. */
  public int end(int begin, int end) {
    if (containers > 8L * (end - begin) + FREE_CONTAINERS) {
      throw new LimitException(
          "the row has more than 3,145,728 lists, tuples, dicts and records of fixed shape, and more"
              + " than 8 of them for each of its bytes; split the row");
    }
    return end;
  }

  /** The number of values of the record that take no bytes. */
  public int zeroSized() {
    return zeroSized;
  }

  /** The number of lists, tuples, dicts and records of fixed shape in the record, with fields. */
  public long containers() {
    return containers;
  }

  /** Writes fixed-size numbers before the value. */
  public void putLong(int at, long value) {
    Varint.LONG.set(bytes, at, value);
  }

  public void putInt(int at, int value) {
    Varint.INT.set(bytes, at, value);
  }

  /** Frees the extra memory of an unusually large record. */
  public void trim() {
    if (bytes.length > KEPT) {
      bytes = new byte[FIRST];
    }
  }

  /** Returns a copy of the first {@code length} bytes. */
  public byte[] copy(int length) {
    return Arrays.copyOf(bytes, length);
  }

  /**
   * Copies the first {@code length} bytes to a buffer at its position.
   *
   * @param what what the bytes are, for an error
   * @throws BufferTooSmallException if they do not fit
   */
  public void copyTo(ByteBuffer buffer, int length, String what) {
    BufferSpace.check(what, length, buffer.remaining());
    buffer.put(bytes, 0, length);
  }

  /** Ensures capacity for {@code count} bytes at {@code at}. */
  public void ensure(int at, int count) {
    if (bytes.length - at < count) {
      grow(at, (long) at + count);
    }
  }

  /** Ensures capacity for this number of components, except for text and bytes. */
  public void room(int at, int components) {
    ensure(at, components * Varint.MOST);
  }

  /** Ensures capacity for any value that is no container. */
  public void reserve(int at) {
    room(at, MOST_COMPONENTS);
  }

  /** Ensures capacity for this many bytes with their length, and for {@code rest} components. */
  private void bytesRoom(int at, long length, int rest) {
    long needed = length + (1 + rest) * Varint.MOST;
    if (bytes.length - at < needed) {
      grow(at + length, at + needed);
    }
  }

  /** Makes space for {@code needed} bytes in total, and at least {@code least} will be written. */
  private void grow(long least, long needed) {
    if (least > most) {
      throw MessageTooLong.TOO_LONG;
    }
    if (needed > MAX_BYTES) {
      throw new LimitException("the record is longer than 2 GiB; split the row");
    }
    bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_BYTES, Math.max(needed, 2L * bytes.length)));
  }

  public int i64(long value, int at) {
    return Varint.put(bytes, at, Varint.zigzag(value));
  }

  /** Writes a float as its raw bits. */
  public int f64(long bits, int at) {
    Varint.LONG.set(bytes, at, bits);
    return at + 8;
  }

  /** Writes an integer of this size. */
  public int sized(IntSize size, long value, int at) {
    return switch (size) {
      case I8, U8 -> {
        bytes[at] = (byte) value;
        yield at + 1;
      }
      case I16, I32 -> i64(value, at);
      case U16, U32, U64 -> Varint.put(bytes, at, value);
    };
  }

  /** Writes a float that one of 32 bits equals, as the raw bits of the one of 64 bits. */
  public int f32(long bits, int at) {
    Varint.INT.set(bytes, at, Singles.narrowed(bits));
    return at + Float.BYTES;
  }

  /** Writes a bool, or whether a value is present: 0 or 1. */
  public int bit(long bit, int at) {
    bytes[at] = (byte) bit;
    return at + 1;
  }

  /** Writes the number of elements of a sequence or of entries of a map. */
  public int count(int elements, int at) {
    return Varint.put(bytes, at, elements);
  }

  /** Writes the index of the arm of a union. */
  public int arm(int arm, int at) {
    return count(arm, at);
  }

  /** Writes the index of the member of an enum. */
  public int member(long index, int at) {
    return i64(index, at);
  }

  /** Writes an empty byte component. */
  public int noBytes(int at) {
    return count(0, at);
  }

  /** Writes a string. Ensures capacity for {@code rest} components after it. */
  public int text(String string, int at, int rest) {
    byte[] latin1 = StringBytes.latin1(string);
    if (latin1 != null) {
      int length = latin1.length;
      bytesRoom(at, length, rest);
      byte[] to = bytes;
      int begin = Varint.put(to, at, length);
      if (Ascii.copy(latin1, 0, length, to, begin)) {
        return begin + length;
      }
    } else {
      StringBytes.missed();
    }
    return encoded(string, at, rest);
  }

  private int encoded(String string, int at, int rest) {
    long size = GeneralizedUtf8.length(string);
    bytesRoom(at, size, rest);
    return GeneralizedUtf8.encode(string, size, bytes, Varint.put(bytes, at, size));
  }

  private int roomForBytes(int length, int at) {
    bytesRoom(at, length, MOST_COMPONENTS);
    return Varint.put(bytes, at, length);
  }

  /** Writes a byte component. */
  public int bytes(byte[] value, int at) {
    int begin = roomForBytes(value.length, at);
    System.arraycopy(value, 0, bytes, begin, value.length);
    return begin + value.length;
  }

  /** Writes the content of a buffer, from its position to its limit, as a byte component. */
  public int bytes(ByteBuffer value, int at) {
    int length = value.remaining();
    int begin = roomForBytes(length, at);
    value.get(value.position(), bytes, begin, length);
    return begin + length;
  }

  /** Writes ASCII characters as a byte component. */
  @SuppressWarnings(
      "deprecation") // getBytes drops the high bytes, which are 0 here, so it is a plain copy.
  public int ascii(String value, int at) {
    int length = value.length();
    int begin = roomForBytes(length, at);
    value.getBytes(0, length, bytes, begin);
    return begin + length;
  }

  /** Called for a null, which takes no space. */
  public void nothing() {
    if (++zeroSized > Limits.MAX_ROW_ZERO_SIZED) {
      throw new LimitException(Limits.TOO_MANY_ZERO_SIZED);
    }
  }

  /** Called for a list, tuple, dict or record with this number of fields. */
  public void enter(int fields) {
    if (fields == 0) {
      nothing();
    } else {
      containers++;
    }
  }
}
