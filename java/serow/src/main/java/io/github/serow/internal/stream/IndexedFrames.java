package io.github.serow.internal.stream;

import io.github.serow.internal.codec.DecodeContext;
import io.github.serow.internal.codec.ReadOptions;
import io.github.serow.internal.jni.Native;
import io.github.serow.internal.jni.NativeHandle;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayList;

/** The frames of a file in any order, by the indexes in it. One thread at a time may use it. */
public final class IndexedFrames implements Closeable {
  private final SeekableByteChannel file;

  /** Whether serow has opened the file, and closes it. */
  private final boolean isOwn;

  private final ReadOptions options;

  private final NativeHandle index;
  private final int frames;
  private final long rows;

  /** What native code says about places in the file. */
  private final long[] place = new long[4];

  private byte[] buffer = new byte[1024];

  /** Reads the indexes of a file, from its begin to its end. */
  public IndexedFrames(SeekableByteChannel file, boolean isOwn, ReadOptions options)
      throws IOException {
    this.file = file;
    this.isOwn = isOwn;
    this.options = options;
    index = new NativeHandle(Native.fileOpen(file.size()));
    try {
      giveWanted(0);
      Native.fileFound(index.address(), options.plan(), options.maxMemory(), place);
    } catch (Throwable e) {
      index.close();
      throw e;
    } finally {
      Reference.reachabilityFence(options.expected());
    }
    frames = Math.toIntExact(place[0]);
    rows = place[1];
  }

  /** The number of frames. */
  public int frames() {
    return frames;
  }

  /** The number of rows. */
  public long rows() {
    return rows;
  }

  /** The number of the frame with this row; -1 if there is no such row. */
  public int frameOf(long row) {
    return row < 0 ? -1 : Native.fileFrameOf(index.address(), row);
  }

  /** The number of a frame's first row. */
  public long firstRow(int frame) {
    Native.filePlace(index.address(), frame, place);
    return place[2];
  }

  /** Reads the rows of a frame. */
  public ArrayList<Object> read(int frame) throws IOException {
    giveWanted(frame);
    Native.filePlace(index.address(), frame, place);
    int length = load();
    return DecodeContext.read(index, frame, buffer, length, options);
  }

  /** Gives native code the bytes that it wants before it can go on. */
  private void giveWanted(int frame) throws IOException {
    while (Native.fileWants(index.address(), frame, place)) {
      int length = load();
      Native.fileGive(index.address(), frame, buffer, length);
    }
  }

  /** Reads the bytes at {@link #place} into the buffer. Returns their number. */
  private int load() throws IOException {
    if (place[1] > Integer.MAX_VALUE - 8) {
      throw new IOException(
          "the file has a frame or an index of "
              + place[1]
              + " bytes, more than an array can hold");
    }
    int length = (int) place[1];
    if (buffer.length < length) {
      buffer = new byte[length];
    }
    ByteBuffer to = ByteBuffer.wrap(buffer, 0, length);
    while (to.hasRemaining()) {
      if (read(to, place[0] + to.position()) < 0) {
        throw new EOFException(
            "the file has become shorter since it was opened: it ends at byte " + file.size());
      }
    }
    return length;
  }

  /** Reads bytes at {@code at}. A file's own position stays, which others may use and move. */
  private int read(ByteBuffer to, long at) throws IOException {
    if (file instanceof FileChannel channel) {
      return channel.read(to, at);
    }
    return file.position(at).read(to);
  }

  /** Frees the memory, and closes the file if serow has opened it. */
  @Override
  public void close() throws IOException {
    index.close();
    if (isOwn) {
      file.close();
    }
  }
}
