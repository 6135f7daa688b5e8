package io.github.serow.stream;

import io.github.serow.codec.Binding;
import io.github.serow.codec.DecodeContext;
import io.github.serow.jni.Native;
import java.io.IOException;
import java.util.ArrayList;

/** Reads the rows of streams, frame by frame. One thread at a time may use it. */
public final class StreamDecoder {
  private final ByteSource source;
  private final boolean isOneStream;

  /** Null at the end. */
  private DecodeContext context;

  /** What ended the stream; null if no error did. */
  private Throwable failure;

  /** Bytes that native code wants, as far as they were read. They grow with its wishes. */
  private byte[] buffer = new byte[256];

  private int wanted;
  private int filled;

  private long rows;
  private long bytes;

  /**
   * Begins to read.
   *
   * @param expected the schema to convert rows to; null for their own
   * @param isOneStream whether to end after the first stream
   */
  public StreamDecoder(ByteSource source, Binding expected, boolean isOneStream) {
    this.source = source;
    this.isOneStream = isOneStream;
    context = DecodeContext.ofStream(expected);
  }

  /** The number of rows that were read. */
  public long rows() {
    return rows;
  }

  /** The number of bytes that were read. */
  public long bytes() {
    return bytes;
  }

  /**
   * Reads the next frame that has rows. Returns null at the end.
   *
   * @throws IOException if the source fails; a later call may go on
   */
  public ArrayList<Object> next() throws IOException {
    if (failure instanceof Error e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    ArrayList<Object> frame = new ArrayList<>();
    while (context != null && frame.isEmpty()) {
      if (filled == wanted) {
        step(frame);
        continue;
      }
      int read = source.read(buffer, filled, wanted - filled);
      if (read < 0) {
        endOfSource();
      } else {
        filled += read;
        bytes += read;
      }
    }
    return frame.isEmpty() ? null : frame;
  }

  /** Decodes what was read: perhaps a frame. */
  private void step(ArrayList<Object> frame) {
    try {
      fill();
      int step = context.step();
      if (step == Native.FRAME) {
        context.readFrame(rows, frame);
        rows += frame.size();
      } else if (step != Native.STREAM_END) {
        wanted = step;
        if (buffer.length < wanted) {
          buffer = new byte[wanted];
        }
      } else if (isOneStream) {
        end();
      }
    } catch (Throwable e) {
      fail(e);
      throw e;
    }
  }

  private void fill() {
    if (filled > 0) {
      context.fill(buffer, filled);
    }
    wanted = 0;
    filled = 0;
  }

  private void endOfSource() {
    try {
      fill();
      context.checkEnd();
    } catch (Throwable e) {
      fail(e);
      throw e;
    }
    end();
  }

  private void fail(Throwable error) {
    failure = error;
    if (context != null) {
      context.close();
      context = null;
    }
  }

  private void end() {
    DecodeContext ended = context;
    context = null;
    ended.end();
  }

  /** Frees the memory, and closes the source if serow has opened it. */
  public void close() throws IOException {
    try {
      if (context != null) {
        end();
      }
    } finally {
      source.close();
    }
  }
}
