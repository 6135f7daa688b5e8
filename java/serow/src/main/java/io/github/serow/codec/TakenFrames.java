package io.github.serow.codec;

import io.github.serow.jni.NativeHandle;
import io.github.serow.threads.InOrder;
import io.github.serow.threads.Pace;
import io.github.serow.threads.ThreadCount;
import java.util.ArrayList;
import java.util.function.Consumer;

/**
 * Reads frames on several threads. The calling thread takes them from their message, and checks
 * their headers and checksums; all threads decompress and unpack them, and make the rows.
 */
public final class TakenFrames {
  private final ReadOptions options;
  private final MemoryLimit memory;

  /** How long it takes to read a byte of a frame. */
  private final Pace pace;

  private TakenFrames(ReadOptions options, MemoryLimit memory) {
    this.options = options;
    this.memory = memory;
    pace = options.expected() == null ? new Pace() : options.expected().readingPace();
  }

  /** Begins with a message. */
  static TakenFrames ofMessage(ReadOptions options) {
    return new TakenFrames(options, MemoryLimit.ofMessage(options));
  }

  /** Begins with a stream. */
  public static TakenFrames ofStream(ReadOptions options) {
    return new TakenFrames(options, MemoryLimit.ofEachFrame(options));
  }

  /**
   * A frame, or the error in place of one.
   *
   * @param bytes the length of the frame's body
   */
  public record Taken(NativeHandle frame, long bytes, RuntimeException failure) {}

  /** Where frames come from. */
  public interface Source {
    /** The next frame; null if there is none. */
    Taken next();
  }

  /** Reads all frames of the message of {@code context}, which has {@code length} bytes. */
  void readAll(DecodeContext context, int length, ArrayList<Object> rows) {
    Source source = new MessageSource(context);
    Taken first = source.next();
    if (first == null) {
      return;
    }
    // The other frames are about as long as the first.
    long frames = Math.max(1, length / Math.max(1, first.bytes));
    if (options.threads().isAuto() && !pace.isKnown()) {
      rows.addAll(read(first));
      first = source.next();
    }
    if (first != null) {
      run(count(frames, first.bytes), first, source, rows::addAll);
    }
  }

  /** How many threads to use for {@code frames} frames of {@code bytes} bytes each. */
  public int count(long frames, long bytes) {
    if (options.threads().isAuto() && !pace.isKnown()) {
      return 1;
    }
    return ThreadCount.choose(options.threads(), frames, pace.nanos(bytes));
  }

  /** The frames of the message of a context, until an error. */
  private static final class MessageSource implements Source {
    private final DecodeContext context;
    private final long[] info = new long[1];
    private boolean hasFailed;

    MessageSource(DecodeContext context) {
      this.context = context;
    }

    @Override
    public Taken next() {
      if (hasFailed) {
        return null;
      }
      try {
        NativeHandle frame = context.take(info);
        return frame == null ? null : new Taken(frame, info[0], null);
      } catch (RuntimeException e) {
        hasFailed = true;
        return new Taken(null, 0, e);
      }
    }
  }

  private ArrayList<Object> read(Taken taken) {
    if (taken.failure != null) {
      throw taken.failure;
    }
    try (NativeHandle frame = taken.frame) {
      long begun = System.nanoTime();
      ArrayList<Object> rows = DecodeContext.read(frame, options, memory);
      pace.note(System.nanoTime() - begun, taken.bytes);
      return rows;
    }
  }

  /**
   * Reads {@code first} and the frames after it on {@code count} threads. The error of a frame is
   * thrown after all frames before it were given to {@code to}.
   */
  public void run(int count, Taken first, Source source, Consumer<ArrayList<Object>> to) {
    InOrder.run(
        count,
        new InOrder.Jobs<Taken, ArrayList<Object>, RuntimeException>() {
          private Taken ready = first;

          @Override
          public Taken next() {
            Taken next = ready != null ? ready : source.next();
            ready = null;
            return next;
          }

          @Override
          public ArrayList<Object> work(Taken taken) {
            return read(taken);
          }

          @Override
          public boolean take(ArrayList<Object> rows) {
            to.accept(rows);
            return true;
          }
        });
  }
}
