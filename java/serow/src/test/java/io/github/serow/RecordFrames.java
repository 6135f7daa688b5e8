package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Takes records of the row wire out of messages, and puts them into messages. */
final class RecordFrames {
  private static final int HEADER = 8;
  private static final int FRAME_HEADER = 24;
  private static final int CHECKSUM = 8;

  private RecordFrames() {}

  private static int bodyAt(byte[] message) {
    ByteBuffer frame = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    return HEADER + FRAME_HEADER + frame.getInt(HEADER + 8);
  }

  /** The records in a message of one frame of the row wire. */
  static List<byte[]> records(byte[] message) {
    ByteBuffer frame = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    int end = message.length - CHECKSUM;
    List<byte[]> records = new ArrayList<>();
    for (int at = bodyAt(message); at < end; ) {
      int next = at + 4 + frame.getInt(at);
      records.add(Arrays.copyOfRange(message, at, next));
      at = next;
    }
    assertEquals(frame.getInt(HEADER + 4), records.size());
    return records;
  }

  /** A message of one row whose body is {@code record}; {@code like} has the same schema. */
  static byte[] message(byte[] like, byte[] record) {
    int begin = bodyAt(like);
    byte[] message = Arrays.copyOf(like, begin + record.length + CHECKSUM);
    ByteBuffer frame = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    frame.putInt(HEADER + 4, 1);
    frame.putLong(HEADER + 16, record.length);
    frame.put(begin, record);
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
