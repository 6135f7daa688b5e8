package io.github.serow.stream;

import io.github.serow.codec.DecodeContext;
import io.github.serow.codec.ReadOptions;
import io.github.serow.codec.TakenFrames;
import io.github.serow.codec.TakenFrames.Taken;
import io.github.serow.jni.Native;
import io.github.serow.jni.NativeHandle;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Map;
import java.util.function.Supplier;

/** Reads the rows of streams, frame by frame. One thread at a time may use it. */
public final class StreamDecoder {
  /** How many frames may follow, as far as the number of threads is concerned. */
  private static final int MOST_FRAMES = 1 << 10;

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

  /** Whether several threads may read frames. */
  private final boolean isParallel;

  private final TakenFrames frames;

  /** Frames that were read and not given yet. */
  private final Deque<ArrayList<Object>> ready = new ArrayDeque<>();

  /** An error of the source after the frames that are ready; null if there is none. */
  private IOException sourceFailure;

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
    isParallel = options.threads().most() > 1;
    frames = TakenFrames.ofStream(options);
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
    while (metadata == null && failure == null && context != null) {
      readOne();
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
    while (ready.isEmpty() && failure == null && sourceFailure == null && context != null) {
      if (isParallel) {
        readSome();
      } else {
        readOne();
      }
    }
    ArrayList<Object> frame = ready.poll();
    if (frame != null) {
      rows += frame.size();
      return frame;
    }
    if (failure instanceof Error e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (sourceFailure != null) {
      IOException e = sourceFailure;
      sourceFailure = null;
      throw e;
    }
    return null;
  }

  private void add(ArrayList<Object> frame) {
    if (!frame.isEmpty()) {
      ready.add(frame);
    }
  }

  /** Reads a frame on this thread. */
  private void readOne() throws IOException {
    Supplier<ArrayList<Object>> step =
        () -> {
          answer = context.step();
          if (answer != Native.FRAME) {
            return null;
          }
          ArrayList<Object> frame = new ArrayList<>();
          context.readFrame(frame);
          return frame;
        };
    ArrayList<Object> frame = advance(step);
    if (frame != null) {
      add(frame);
    }
  }

  /** Reads some frames on several threads. */
  private void readSome() throws IOException {
    Taken first = advance(this::take);
    if (first == null) {
      return;
    }
    int count = frames.count(MOST_FRAMES, first.bytes());
    int[] left = {count == 1 ? 0 : 2 * count - 1};
    TakenFrames.Source more =
        () -> {
          if (left[0]-- <= 0) {
            return null;
          }
          try {
            return advance(this::take);
          } catch (IOException e) {
            sourceFailure = e;
            return null;
          } catch (RuntimeException e) {
            return new Taken(null, 0, e);
          }
        };
    try {
      frames.run(count, first, more, this::add);
    } catch (Throwable e) {
      fail(e);
    }
  }

  private Taken take() {
    NativeHandle frame = context.take(info);
    answer = (int) info[0];
    return frame == null ? null : new Taken(frame, info[0], null);
  }

  /**
   * Reads bytes and calls {@code step} until it returns something. Otherwise it sets {@link
   * #answer} as {@link DecodeContext#step} returns it. Returns null at the end.
   */
  private <F> F advance(Supplier<F> step) throws IOException {
    while (context != null) {
      if (filled == wanted) {
        F frame = step(step);
        if (frame != null) {
          return frame;
        }
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
    return null;
  }

  /** Decodes what was read: perhaps a frame. */
  private <F> F step(Supplier<F> step) {
    try {
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
    noteMetadata();
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
