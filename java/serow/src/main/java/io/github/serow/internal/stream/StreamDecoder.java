package io.github.serow.internal.stream;

import io.github.serow.internal.codec.DecodeContext;
import io.github.serow.internal.codec.ReadOptions;
import io.github.serow.internal.jni.Native;
import io.github.serow.internal.threads.InOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Map;
import java.util.function.Supplier;

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

  /** What native code answers when there is no frame. */
  private int answer;

  private final long[] info = new long[1];

  private final InOrder<ArrayList<Object>, IOException> frames;

  /** The next frame if it was read and not given; null if not. */
  private ArrayList<Object> ready;

  private long rows;
  private long bytes;

  /** The metadata as it was asked for, or at the end; null before. */
  private Map<String, String> metadata;

  /**
   * Begins to read.
   *
   * @param options how to read rows
   * @param isOneStream whether to end after the first stream
   */
  public StreamDecoder(ByteSource source, ReadOptions options, boolean isOneStream) {
    this.source = source;
    this.isOneStream = isOneStream;
    boolean isParallel = options.threads().most() > 1;
    frames =
        new InOrder<>(
            options.threads(),
            () -> advance(isParallel ? this::takeFrame : this::readFrame),
            frame -> {});
    context = DecodeContext.ofStream(options);
  }

  /** The number of rows in the frames that {@link #next} has returned. */
  public long rows() {
    return rows;
  }

  /** The number of bytes that were read. */
  public long bytes() {
    return bytes;
  }

  /**
   * The metadata of the stream whose header was read last. If none was, this reads on until one is.
   *
   * @throws IOException if the source fails; a later call may go on
   */
  public Map<String, String> metadata() throws IOException {
    noteMetadata();
    if (metadata == null && failure == null && ready == null) {
      ready = read();
      noteMetadata();
    }
    return metadata == null ? Map.of() : metadata;
  }

  private void noteMetadata() {
    byte[] bytes = context == null ? null : context.metadata();
    if (bytes != null) {
      metadata = Metadata.of(bytes);
    }
  }

  /**
   * Reads the next frame that has rows. Returns null at the end.
   *
   * @throws IOException if the source fails; a later call may go on
   */
  public ArrayList<Object> next() throws IOException {
    ArrayList<Object> frame = ready != null ? ready : read();
    ready = null;
    rows += frame == null ? 0 : frame.size();
    return frame;
  }

  private ArrayList<Object> read() throws IOException {
    if (failure instanceof Error e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    try {
      ArrayList<Object> frame;
      do {
        frame = frames.next();
      } while (frame != null && frame.isEmpty());
      return frame;
    } catch (RuntimeException | Error e) {
      failure = e;
      closeContext();
      throw e;
    }
  }

  /** Returns what gives the rows of the next frame, which this reads at once. */
  private Supplier<ArrayList<Object>> readFrame() {
    answer = context.step();
    if (answer != Native.FRAME) {
      return null;
    }
    ArrayList<Object> frame = new ArrayList<>();
    context.readFrame(frame);
    return () -> frame;
  }

  /** Returns what reads the rows of the next frame in any thread. */
  private Supplier<ArrayList<Object>> takeFrame() {
    Supplier<ArrayList<Object>> frame = context.takeFrame(info);
    answer = (int) info[0];
    return frame;
  }

  /**
   * Reads bytes and calls {@code step} until it returns something. Otherwise it sets {@link
   * #answer} as {@link DecodeContext#step} returns it. Returns null at the end.
   */
  private <F> F advance(Supplier<F> step) throws IOException {
    while (context != null) {
      boolean isFilled = filled == wanted;
      int read = isFilled ? 0 : source.read(buffer, filled, wanted - filled);
      try {
        if (isFilled) {
          F frame = step(step);
          if (frame != null) {
            return frame;
          }
        } else if (read < 0) {
          endOfSource();
        } else {
          filled += read;
          bytes += read;
        }
      } catch (Throwable e) {
        closeContext();
        throw e;
      }
    }
    return null;
  }

  /** Decodes what was read: perhaps a frame. */
  private <F> F step(Supplier<F> step) {
    fill();
    F frame = step.get();
    if (frame != null) {
      return frame;
    }
    if (answer != Native.STREAM_END) {
      wanted = answer;
      if (buffer.length < wanted) {
        buffer = new byte[wanted];
      }
    } else if (isOneStream) {
      end();
    }
    return null;
  }

  private void fill() {
    if (filled > 0) {
      context.fill(buffer, filled);
    }
    wanted = 0;
    filled = 0;
  }

  private void endOfSource() {
    fill();
    context.checkEnd();
    end();
  }

  /** Does not reuse the context: after an error it may be in any state. */
  private void closeContext() {
    if (context != null) {
      context.close();
      context = null;
    }
  }

  private void end() {
    noteMetadata();
    DecodeContext ended = context;
    context = null;
    ended.end();
  }

  /** Frees the memory, and closes the source if serow has opened it. */
  public void close() throws IOException {
    try {
      frames.close();
      if (context != null) {
        end();
      }
    } finally {
      source.close();
    }
  }
}
