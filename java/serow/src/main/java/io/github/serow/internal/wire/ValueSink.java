package io.github.serow.internal.wire;

import java.nio.ByteBuffer;

/**
 * Receives the values of a row, one after another: {@link FlatRows} or a {@link RecordOut}.
 *
 * <p>Each method writes at position {@code at} and returns the position after it. Text and bytes
 * ensure their own capacity; {@link #room} ensures it for everything else.
 */
public interface ValueSink {
  /** The most components of a value that is no container. */
  int MOST_COMPONENTS = 4;

  /** Ensures capacity for this number of components, except for text and bytes. */
  void room(int at, int components);

  /** Ensures capacity for any value that is no container. */
  default void reserve(int at) {
    room(at, MOST_COMPONENTS);
  }

  int i64(long value, int at);

  /** Writes a float as its raw bits. */
  default int f64(long bits, int at) {
    return i64(bits, at);
  }

  /** Writes an integer of this size. */
  default int sized(IntSize size, long value, int at) {
    return i64(value, at);
  }

  /** Writes a float that one of 32 bits equals, as the raw bits of the one of 64 bits. */
  default int f32(long bits, int at) {
    return f64(bits, at);
  }

  /** Writes a bool, or whether a value is present: 0 or 1. */
  default int bit(long bit, int at) {
    return i64(bit, at);
  }

  /** Writes a string. Ensures capacity for {@code rest} components after it. */
  int text(String text, int at, int rest);

  /** Writes the number of elements of a sequence or of entries of a map. */
  default int count(int elements, int at) {
    return i64(elements, at);
  }

  /** Writes the index of the arm of a union. */
  default int arm(int arm, int at) {
    return count(arm, at);
  }

  /** Writes the index of the member of an enum. */
  default int member(long index, int at) {
    return i64(index, at);
  }

  /** Writes an empty byte component. */
  default int noBytes(int at) {
    return count(0, at);
  }

  /** Writes a byte component. */
  int bytes(byte[] value, int at);

  /** Writes the content of a buffer, from its position to its limit, as a byte component. */
  int bytes(ByteBuffer value, int at);

  /** Writes ASCII characters as a byte component. */
  int ascii(String value, int at);

  /** Called for a null, which takes no space. */
  default void nothing() {}

  /** Called for a list, tuple, dict or record with this number of fields. */
  default void enter(int fields) {}
}
