package io.github.serow.internal.message;

import com.dynatrace.hash4j.hashing.Hashing;
import io.github.serow.DecodeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/** Files with messages one after another, as streams are. */
public final class MessageFile {
  /** An index of more bytes is not read. Then headers are. */
  private static final long MOST_INDEX = 64 << 20;

  private static final int MARKED = FrameHeader.MARKER + FrameHeader.LENGTH;

  private MessageFile() {}

  /**
   * Where a stream begins that is appended to a file.
   *
   * @param length the length of the file
   * @param salt that of the log at its end; 0 if there is none
   * @param row the number of rows in that log
   */
  public record End(long length, long salt, long row) {}

  /**
   * Checks that a file ends with a whole message, so that a stream may follow. If the file is one
   * log, this reads only its header and the index at its end, so it takes the same time whatever
   * the file has. Otherwise it reads the headers of all frames.
   *
   * @throws DecodeException if the file has other bytes
   */
  public static End end(FileChannel file) throws IOException {
    long length = file.size();
    ByteBuffer header = ByteBuffer.allocate(MARKED).order(ByteOrder.LITTLE_ENDIAN);
    End end = byIndex(file, length, header);
    return end == null ? byHeaders(file, length, header) : end;
  }

  /** The end by the index there; null if there is none, or one of another log. */
  private static End byIndex(FileChannel file, long end, ByteBuffer header) throws IOException {
    int tail = Long.BYTES + FrameHeader.CHECKSUM;
    if (end < FrameHeader.STREAM_LENGTH + MARKED + tail
        || !read(file, 0, FrameHeader.STREAM_LENGTH, header)
        || !FrameHeader.isStream(header)) {
      return null;
    }
    long salt = FrameHeader.salt(header);
    if (!read(file, end - tail, tail, header)) {
      return null;
    }
    long length = header.getLong(0);
    if (length < MARKED + tail
        || length > MOST_INDEX
        || length > end - FrameHeader.STREAM_LENGTH
        || !read(file, end - length, MARKED, header)
        || !FrameHeader.isMarked(header, salt)
        || FrameHeader.at(header, FrameHeader.MARKER).content() != FrameHeader.INDEX) {
      return null;
    }
    long row = FrameHeader.firstRow(header);
    int frame = (int) length - FrameHeader.MARKER;
    ByteBuffer index = ByteBuffer.allocate(frame).order(ByteOrder.LITTLE_ENDIAN);
    if (!read(file, end - frame, frame, index)) {
      return null;
    }
    int checked = frame - FrameHeader.CHECKSUM;
    long checksum = Hashing.xxh3_64().hashBytesToLong(index.array(), 0, checked);
    return checksum == index.getLong(checked) ? new End(end, salt, row) : null;
  }

  /** The end by the headers of all frames. */
  private static End byHeaders(FileChannel file, long length, ByteBuffer header)
      throws IOException {
    End end = new End(0, 0, 0);
    while (end.length < length) {
      End next = afterMessage(file, end, length, header);
      if (next == null) {
        throw new DecodeException(
            "its bytes from byte "
                + end.length
                + " on are no whole message, so nothing can follow; remove them, or write another"
                + " file",
            null,
            -1,
            null,
            end.length);
      }
      end = next;
    }
    return end;
  }

  /** The end of the message that follows; null if there is no whole one. */
  private static End afterMessage(FileChannel file, End before, long length, ByteBuffer header)
      throws IOException {
    long at = before.length;
    if (!read(file, at, FrameHeader.MESSAGE_LENGTH, header)) {
      return null;
    }
    boolean isStream = FrameHeader.isStream(header);
    if (!isStream && !FrameHeader.isMessage(header)) {
      return null;
    }
    long salt = before.salt;
    long row = before.row;
    int marker = isStream ? FrameHeader.MARKER : 0;
    if (!isStream) {
      at += FrameHeader.MESSAGE_LENGTH;
    } else if (read(file, at, FrameHeader.STREAM_LENGTH, header)) {
      salt = FrameHeader.salt(header);
      at += FrameHeader.streamLength(header);
    } else {
      return null;
    }
    while (read(file, at, marker + FrameHeader.LENGTH, header)) {
      if (isStream) {
        if (!FrameHeader.isMarked(header, salt)) {
          return null;
        }
        row = FrameHeader.firstRow(header);
      }
      FrameHeader frame = FrameHeader.at(header, marker);
      at += marker;
      if (!frame.fitsIn(length - at)) {
        return null;
      }
      at += frame.length();
      if (frame.isLast()) {
        return new End(at, salt, row);
      }
    }
    return null;
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
