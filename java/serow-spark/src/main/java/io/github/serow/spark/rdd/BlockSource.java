package io.github.serow.spark.rdd;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The bytes of blocks: reads headers and hands out bodies. It reads ahead from its stream, which
 * holds nothing but blocks. It allocates no memory by lengths that it has read.
 */
final class BlockSource {
  private static final int BUFFER = 4096;

  /** The least size of an array for a body that does not fit into the buffer. */
  private static final int FIRST = 1 << 16;

  /** {@code null} if all bytes are in the buffer. */
  private final InputStream in;

  /** The bytes from {@link #at} to {@link #end} have been read from the stream only. */
  private final byte[] buffer;

  private int at;
  private int end;

  /** What the header that was read last says. */
  private int flags;

  private int length;
  private int count;

  /** The bytes that came before those in the buffer, for messages. */
  private long before;

  BlockSource(InputStream in) {
    this.in = in;
    this.buffer = new byte[BUFFER];
  }

  BlockSource(byte[] bytes, int from, int to) {
    in = null;
    buffer = bytes;
    at = from;
    end = to;
    before = -from;
  }

  /**
   * Reads a header.
   *
   * @return whether there was one; {@code false} at the end of the stream
   */
  boolean nextHeader() throws IOException {
    if (at == end && !fill()) {
      return false;
    }
    flags = buffer[at++] & 0xFF;
    if (!BlockHeader.isKnown(flags)) {
      throw damaged("it begins with " + flags + ", which is no kind of block");
    }
    length = varint();
    count = (flags & BlockHeader.ONE) != 0 ? 1 : varint();
    return true;
  }

  /** The kind of the block. */
  int kind() {
    return flags & BlockHeader.KIND;
  }

  boolean has(int flag) {
    return (flags & flag) != 0;
  }

  int length() {
    return length;
  }

  int count() {
    return count;
  }

  private int varint() throws IOException {
    int first = next();
    int more = Integer.numberOfTrailingZeros(first);
    if (more > 4) {
      throw damaged("its header has a number of more than 31 bits");
    }
    long code = first & 0xFF;
    for (int i = 1; i <= more; i++) {
      code |= (next() & 0xFFL) << Byte.SIZE * i;
    }
    long value = code >>> more + 1;
    if (value > Integer.MAX_VALUE) {
      throw damaged("its header has a number of more than 31 bits");
    }
    return (int) value;
  }

  private byte next() throws IOException {
    if (at == end && !fill()) {
      throw cut();
    }
    return buffer[at++];
  }

  /** Whether the whole body is in the buffer, after reading what is missing if it has room. */
  boolean holdsBody() throws IOException {
    if (length <= end - at) {
      return true;
    }
    if (in == null) {
      throw cut();
    }
    if (length > buffer.length) {
      return false;
    }
    System.arraycopy(buffer, at, buffer, 0, end - at);
    before += at;
    end -= at;
    at = 0;
    while (end < length) {
      int read = fromStream(buffer, end, buffer.length - end);
      if (read < 0) {
        throw cut();
      }
      end += read;
    }
    return true;
  }

  /** The array that holds the body. It stays as it is until the next header is read. */
  byte[] buffer() {
    return buffer;
  }

  /** Takes the body out of the buffer. Returns where it begins. */
  int takeBody() {
    int from = at;
    at += length;
    return from;
  }

  /**
   * Reads a body that does not fit into the buffer.
   *
   * @param into the array to use if it is large enough
   * @return the array that has the body at its begin
   */
  byte[] readBody(byte[] into) throws IOException {
    byte[] body = into;
    int size = 0;
    while (size < length) {
      if (size == body.length) {
        // The length may be wrong, so memory grows with the bytes that there are.
        body = Arrays.copyOf(body, (int) Math.min(length, Math.max(FIRST, 2L * size)));
      }
      size += read(body, size, Math.min(length, body.length) - size);
    }
    return body;
  }

  /** Reads at least one and at most {@code most} bytes of a body. */
  int read(byte[] into, int offset, int most) throws IOException {
    int read;
    if (at < end) {
      read = Math.min(most, end - at);
      System.arraycopy(buffer, at, into, offset, read);
      at += read;
      return read;
    }
    read = fromStream(into, offset, most);
    if (read < 0) {
      throw cut();
    }
    before += read;
    return read;
  }

  /**
   * Reads from the stream. An error of the stream passes unchanged, except for one: what says that
   * the data ends too early, for example in a decompressor, must not look like their proper end.
   */
  private int fromStream(byte[] into, int offset, int most) throws IOException {
    try {
      return in == null ? -1 : in.read(into, offset, most);
    } catch (EOFException error) {
      throw new IOException("the source of the stream ended too early", error);
    }
  }

  private boolean fill() throws IOException {
    int read = fromStream(buffer, 0, buffer.length);
    if (read < 0) {
      return false;
    }
    before += at;
    at = 0;
    end = read;
    return true;
  }

  void close() throws IOException {
    if (in != null) {
      in.close();
    }
  }

  IOException cut() {
    return new IOException(
        "the stream ends after "
            + (before + end)
            + " bytes inside a block: its end is missing, so write it again");
  }

  IOException damaged(String problem) {
    return new IOException(
        "the block before byte "
            + (before + at)
            + " of the stream is damaged: "
            + problem
            + ". Were these bytes written by another serializer, or by another version of serow?");
  }
}
