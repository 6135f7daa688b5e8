package io.github.serow.message;

import io.github.serow.DecodeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/** Files with messages one after another, as streams are. */
public final class MessageFile {
  private MessageFile() {}

  /**
   * Checks that a file consists of whole messages, so that another one may follow. It reads only
   * the headers of frames. Returns the length of the file in bytes.
   *
   * @throws DecodeException if the file has other bytes
   */
  public static long checkEnd(FileChannel file) throws IOException {
    long end = file.size();
    ByteBuffer header = ByteBuffer.allocate(FrameHeader.LENGTH).order(ByteOrder.LITTLE_ENDIAN);
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
