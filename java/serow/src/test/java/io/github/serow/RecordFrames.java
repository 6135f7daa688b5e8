package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Takes values of the row wire out of messages, and puts them into messages. */
final class RecordFrames {
  private static final int HEADER = 8;
  private static final int FRAME_HEADER = 24;
  private static final int CHECKSUM = 8;

  /** The length of a record's length. */
  private static final int LENGTH = 4;

  private RecordFrames() {}

  private static int bodyAt(byte[] message) {
    ByteBuffer frame = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    return HEADER + FRAME_HEADER + frame.getInt(HEADER + 8);
  }

  /** The values of the records in a message of one frame of the row wire. */
  static List<byte[]> values(byte[] message) {
    ByteBuffer frame = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    int end = message.length - CHECKSUM;
    List<byte[]> values = new ArrayList<>();
    for (int at = bodyAt(message); at < end; ) {
      int begin = at + LENGTH;
      at = begin + frame.getInt(at);
      values.add(Arrays.copyOfRange(message, begin, at));
    }
    assertEquals(frame.getInt(HEADER + 4), values.size());
    return values;
  }

  /** A message of one row, {@code value}; {@code like} has the same schema. */
  static byte[] message(byte[] like, byte[] value) {
    int begin = bodyAt(like);
    byte[] message = Arrays.copyOf(like, begin + LENGTH + value.length + CHECKSUM);
    ByteBuffer frame = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    frame.putInt(HEADER + 4, 1);
    frame.putLong(HEADER + 16, LENGTH + value.length);
    frame.putInt(begin, value.length).put(begin + LENGTH, value);
    return LyingContentTest.seal(message);
  }

  /** A number as in the row wire. */
  static byte[] varint(long number) {
    int length = 1;
    while (length < 9 && number >>> 7 * length != 0) {
      length++;
    }
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + 1).order(ByteOrder.LITTLE_ENDIAN);
    if (length == 9) {
      return bytes.put((byte) 0).putLong(number).array();
    }
    bytes.putLong(number << length | 1L << length - 1);
    return Arrays.copyOf(bytes.array(), length);
  }
}
