package io.github.serow.message;

import io.github.serow.DecodeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/** Files with messages one after another, as streams are. */
public final class MessageFile {
  /** An index of more bytes is not read. Then headers are. */
  private static final long MOST_INDEX = 64 << 20;

  private MessageFile() {}

  /**
   * Checks that a file ends with a whole message, so that another one may follow. It reads only the
   * index at the end, so it takes the same time whatever the file has before. If the last message
   * has no index, it reads the headers of all frames. Returns the length of the file in bytes.
   *
   * @throws DecodeException if the file has other bytes
   */
  public static long checkEnd(FileChannel file) throws IOException {
    long end = file.size();
    ByteBuffer header = ByteBuffer.allocate(FrameHeader.LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    if (endsWithIndex(file, end, header)) {
      return end;
    }
    for (long message = 0; message < end; ) {
      long at = afterMessage(file, message, end, header);
      if (at < 0) {
        throw new DecodeException(
            "its bytes from byte "
                + message
                + " on are no whole message, so nothing can follow; remove them, or write another"
                + " file",
            null,
            -1,
            null,
            message);
      }
      message = at;
    }
    return end;
  }

  /** Whether the file ends with an index that leads to the beginning of its message. */
  private static boolean endsWithIndex(FileChannel file, long end, ByteBuffer header)
      throws IOException {
    int tail = Long.BYTES + FrameHeader.CHECKSUM;
    if (end < FrameHeader.MESSAGE_LENGTH + FrameHeader.LENGTH + tail
        || !read(file, end - tail, tail, header)) {
      return false;
    }
    long length = header.getLong(0);
    long at = end - length;
    if (length < FrameHeader.LENGTH + 1 + tail
        || length > MOST_INDEX
        || at < FrameHeader.MESSAGE_LENGTH
        || !read(file, at, FrameHeader.LENGTH, header)
        || header.get(0) != FrameHeader.INDEX
        || header.get(FrameHeader.FLAGS) != (FrameHeader.LAST | FrameHeader.IN_BAND)
        || header.getLong(FrameHeader.BODY_LENGTH)
            != length - FrameHeader.LENGTH - FrameHeader.CHECKSUM) {
      return false;
    }
    ByteBuffer entries =
        ByteBuffer.allocate((int) length - FrameHeader.LENGTH - tail)
            .order(ByteOrder.LITTLE_ENDIAN);
    if (!read(file, at + FrameHeader.LENGTH, entries.capacity(), entries)) {
      return false;
    }
    long frames = FrameIndex.number(entries.flip());
    long begin = at - FrameHeader.MESSAGE_LENGTH;
    for (long frame = 0; frame < frames; frame++) {
      long bytes = FrameIndex.number(entries);
      if (bytes < FrameHeader.LENGTH || bytes > begin) {
        return false;
      }
      begin -= bytes;
      if (FrameIndex.number(entries) < 0 || FrameIndex.number(entries) < 0) {
        return false;
      }
    }
    return frames >= 0
        && !entries.hasRemaining()
        && read(file, begin, FrameHeader.MESSAGE_LENGTH, header)
        && header.getLong(0) == FrameHeader.MESSAGE;
  }

  /** The end of the message that begins at {@code message}; -1 if there is no whole one. */
  private static long afterMessage(FileChannel file, long message, long end, ByteBuffer header)
      throws IOException {
    if (!read(file, message, FrameHeader.MESSAGE_LENGTH, header)
        || header.getLong(0) != FrameHeader.MESSAGE) {
      return -1;
    }
    long at = message + FrameHeader.MESSAGE_LENGTH;
    while (read(file, at, FrameHeader.LENGTH, header)) {
      int flags = header.get(FrameHeader.FLAGS);
      boolean inBand = (flags & FrameHeader.IN_BAND) != 0;
      long schema =
          inBand ? Integer.toUnsignedLong(header.getInt(FrameHeader.SCHEMA_LENGTH)) : Long.BYTES;
      long body = header.getLong(FrameHeader.BODY_LENGTH);
      long left = end - at - FrameHeader.LENGTH - schema - FrameHeader.CHECKSUM;
      if (body < 0 || body > left) {
        return -1;
      }
      at = end - left + body;
      if ((flags & FrameHeader.LAST) != 0) {
        return at;
      }
    }
    return -1;
  }

  /** Reads the bytes at {@code at}. Returns false if the file has fewer. */
  private static boolean read(FileChannel file, long at, int length, ByteBuffer to)
      throws IOException {
    to.clear().limit(length);
    while (to.hasRemaining()) {
      if (file.read(to, at + to.position()) < 0) {
        return false;
      }
    }
    return true;
  }
}
