package io.github.serow.internal.stream;

import io.github.serow.internal.message.MessageFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** Where the bytes of a stream go. */
public interface ByteSink {
  /** The begin of a log of its own. */
  MessageFile.End NEW_LOG = new MessageFile.End(0, 0, 0);

  /** Where the stream begins. */
  default MessageFile.End begin() {
    return NEW_LOG;
  }

  /** Writes the first {@code length} bytes. After an error some may be written. */
  void write(byte[] bytes, int length) throws IOException;

  /** Makes readers get what was written. */
  default void flush() throws IOException {}

  /** Notes that the bytes until now are whole frames. */
  default void endFrames() {}

  /** Removes the bytes after the last whole frame, if that is possible. */
  default void dropPart() throws IOException {}

  /** Closes what serow has opened. */
  default void close() throws IOException {}

  /** A sink that flushes {@code out} and does not close it. */
  static ByteSink of(OutputStream out) {
    return new ByteSink() {
      @Override
      public void write(byte[] bytes, int length) throws IOException {
        out.write(bytes, 0, length);
      }

      @Override
      public void flush() throws IOException {
        out.flush();
      }
    };
  }

  /** A sink that does not close {@code channel}. */
  static ByteSink of(WritableByteChannel channel) {
    return (bytes, length) -> writeAll(channel, ByteBuffer.wrap(bytes, 0, length));
  }

  /** Writes all bytes of a buffer. */
  static void writeAll(WritableByteChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      if (channel.write(bytes) == 0) {
        throw new IOException(
            "the channel takes no bytes now; give the StreamWriter a channel in blocking mode");
      }
    }
  }
}
