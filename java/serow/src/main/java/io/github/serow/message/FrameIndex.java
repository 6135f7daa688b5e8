package io.github.serow.message;

import io.github.serow.wire.Varint;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

/**
 * What the index at the end of a stream must say about the frames before it. {@code
 * crates/core/src/wire/message/index.rs} has its form.
 */
final class FrameIndex {
  private final ByteArrayOutputStream entries = new ByteArrayOutputStream();
  private final byte[] varint = new byte[Varint.MOST];
  private int frames;

  /** The numbers of the frames that have a schema in band, by its fingerprint. */
  private final Map<Long, Integer> schemas = new HashMap<>();

  /** Adds the next frame, of {@code length} bytes. */
  void add(long length, int rows, long schema) {
    int inBand = schemas.computeIfAbsent(schema, of -> frames);
    add(length);
    add(rows);
    add(frames - inBand);
    frames++;
  }

  private void add(long number) {
    entries.write(varint, 0, Varint.put(varint, 0, number));
  }

  /** Takes a number of an index; -1 if there is none, or if it exceeds a {@code long}. */
  static long number(ByteBuffer from) {
    if (!from.hasRemaining()) {
      return -1;
    }
    int more = Math.min(8, Integer.numberOfTrailingZeros(from.get(from.position()) & 0xff));
    if (from.remaining() < more + 1) {
      return -1;
    }
    if (more == 8) {
      return from.position(from.position() + 1).getLong();
    }
    long number = 0;
    for (int i = 0; i <= more; i++) {
      number |= (from.get() & 0xffL) << 8 * i;
    }
    return number >>> more + 1;
  }

  /** The body of the index. */
  byte[] body() {
    int count = Varint.put(varint, 0, frames);
    byte[] all = entries.toByteArray();
    int length = count + all.length + Long.BYTES;
    ByteBuffer body = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    body.put(varint, 0, count).put(all);
    return body.putLong(FrameHeader.LENGTH + length + FrameHeader.CHECKSUM).array();
  }
}
