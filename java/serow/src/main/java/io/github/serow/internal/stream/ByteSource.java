package io.github.serow.internal.stream;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the bytes of a stream come from. */
public interface ByteSource {
  /** Reads at least one byte and at most {@code length}. Returns their number; -1 at the end. */
  int read(byte[] bytes, int at, int length) throws IOException;

  /** Closes what serow has opened. */
  default void close() throws IOException {}

  /** A source that does not close {@code in}. */
  static ByteSource of(InputStream in) {
    return (bytes, at, length) -> some(in.read(bytes, at, length), "input stream");
  }

  /** A source that does not close {@code channel}. */
  static ByteSource of(ReadableByteChannel channel) {
    return (bytes, at, length) -> some(channel.read(ByteBuffer.wrap(bytes, at, length)), "channel");
  }

  /** A source that opens a file. */
  static ByteSource of(Path path) throws IOException {
    InputStream in = Files.newInputStream(path);
    return new ByteSource() {
      @Override
      public int read(byte[] bytes, int at, int length) throws IOException {
        return in.read(bytes, at, length);
      }

      @Override
      public void close() throws IOException {
        in.close();
      }
    };
  }

  private static int some(int read, String what) throws IOException {
    if (read == 0) {
      throw new IOException(
          "the " + what + " has no bytes now; give the StreamReader one that waits for bytes");
    }
    return read;
  }
}
