package io.github.serow;

import io.github.serow.internal.codec.ReadOptions;
import io.github.serow.internal.jni.NativeLibrary;
import io.github.serow.internal.stream.ByteSource;
import io.github.serow.internal.stream.ConfinementGuard;
import io.github.serow.internal.stream.StreamDecoder;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of a stream, which a {@link StreamWriter} of any language has written, or of a
 * message. It holds one frame at most, or with threads some frames.
 *
 * <pre>{@code
 * try (StreamReader<Part> reader = StreamReader.of(Part.class).from(Path.of("parts.srow"))) {
 *   for (Part part : reader) {
 *     System.out.println(part);
 *   }
 * }
 * }</pre>
 *
 * <p>{@link #iterator}, {@link #frames} and {@link #stream} read the same rows, each of them once:
 * each goes on where another has stopped. Streams that follow each other are read as one.
 *
 * <p>A stream that is cut or damaged gives all whole frames before that place, and then a {@link
 * DecodeException}, again at each further call. If the source fails, the error is an {@link
 * UncheckedIOException}; nothing is lost, and a later call may go on.
 *
 * <p>One thread at a time may use a reader and its iterators. A null argument is a {@link
 * NullPointerException} that names the argument.
 *
 * @param <T> the class of a row
 */
@NullMarked
public final class StreamReader<T extends @Nullable Object> implements Iterable<T>, Closeable {
  private final ConfinementGuard calls = new ConfinementGuard("StreamReader");
  private final StreamDecoder decoder;

  /** May be null. */
  private final @Nullable Progress progress;

  /** The last frame; null before the first and after the last. */
  private @Nullable List<T> frame;

  /** The index in the frame of the next row. */
  private int next;

  private StreamReader(Options<T> options, ByteSource source) {
    progress = options.progress;
    decoder = new StreamDecoder(source, options.reading, options.isOneStream);
  }

  /**
   * Where and how to read a stream. It is immutable: each method returns other options.
   *
   * @param <T> the class of a row
   */
  public static final class Options<T extends @Nullable Object> {
    private final ReadOptions reading;
    private final boolean isOneStream;

    /** May be null. */
    private final @Nullable Progress progress;

    private Options(ReadOptions reading, boolean isOneStream, Progress progress) {
      this.reading = reading;
      this.isOneStream = isOneStream;
      this.progress = progress;
    }

    /**
     * Ends after the first stream, without reading a byte behind it. So another protocol may go on
     * there.
     *
     * @return options for one stream
     */
    public Options<T> oneStream() {
      return new Options<>(reading, true, progress);
    }

    /**
     * Sets the threads that may read frames. Without them, they are the codec's, or {@link
     * Threads#one}. With more than one the reader reads ahead: it may wait for two frames for each
     * thread before it gives the rows of the first.
     *
     * @param threads the threads
     * @return options with these threads
     */
    public Options<T> withThreads(Threads threads) {
      Objects.requireNonNull(threads, "threads");
      return new Options<>(reading.withThreads(threads), isOneStream, progress);
    }

    /**
     * Keeps or drops what the times of other languages lack. Without this, it is as the codec does,
     * or {@link Times#EXACT}.
     *
     * @param times what becomes of it
     * @return options with these times
     */
    public Options<T> withTimes(Times times) {
      Objects.requireNonNull(times, "times");
      return new Options<>(reading.withTimes(times), isOneStream, progress);
    }

    /**
     * Limits the memory of the rows of each frame. serow counts what the objects would take before
     * it makes them, and refuses a frame that is too long for them before it reads its bytes.
     * Without this, the limit is that of the codec ({@link Codec#withMaxMemory}), or there is none.
     *
     * @param bytes the most bytes that the rows of a frame may take as Java objects; more is a
     *     {@link LimitException}
     * @return options with this limit
     * @throws IllegalArgumentException if the number is negative
     */
    public Options<T> withMaxMemory(long bytes) {
      return new Options<>(reading.withMaxMemory(bytes), isOneStream, progress);
    }

    /**
     * Sets who is told how much was read.
     *
     * @param progress is called after each frame
     * @return options with this progress
     */
    public Options<T> withProgress(Progress progress) {
      Objects.requireNonNull(progress, "progress");
      return new Options<>(reading, isOneStream, progress);
    }

    /**
     * Reads from an input stream, which the reader does not close. It asks for no byte behind the
     * frame that it reads, and for many at once, so the input stream need not be buffered.
     *
     * @param in the input stream
     * @return the reader; nothing is read yet
     * @throws SerowException if the native library is not loaded
     */
    public StreamReader<T> from(InputStream in) {
      Objects.requireNonNull(in, "in");
      return from(ByteSource.of(in));
    }

    /**
     * Reads from a channel, which the reader does not close.
     *
     * @param channel a channel in blocking mode
     * @return the reader; nothing is read yet
     * @throws SerowException if the native library is not loaded
     */
    public StreamReader<T> from(ReadableByteChannel channel) {
      Objects.requireNonNull(channel, "channel");
      return from(ByteSource.of(channel));
    }

    /**
     * Reads a file. {@link StreamReader#close} closes it.
     *
     * @param file the file
     * @return the reader; nothing is read yet
     * @throws IOException if the file can't be opened
     * @throws SerowException if the native library is not loaded
     */
    public StreamReader<T> from(Path file) throws IOException {
      Objects.requireNonNull(file, "file");
      ByteSource source = ByteSource.of(file);
      try {
        return from(source);
      } catch (Throwable e) {
        source.close();
        throw e;
      }
    }

    private StreamReader<T> from(ByteSource source) {
      NativeLibrary.require("a StreamReader");
      return new StreamReader<>(this, source);
    }
  }

  /**
   * A reader of rows of a codec's schema, to which rows of other schemas are converted.
   *
   * @param <T> the class of a row
   * @param codec the codec
   * @return options, with which the reader is opened
   */
  public static <T extends @Nullable Object> Options<T> of(Codec<T> codec) {
    Objects.requireNonNull(codec, "codec");
    return new Options<>(codec.options(), false, null);
  }

  /**
   * A reader of objects of one class.
   *
   * @param <T> the class
   * @param type a record, a bean or any other class that {@link Schema#of} takes
   * @return options, with which the reader is opened
   * @throws SchemaException if the class has no schema
   */
  public static <T> Options<T> of(Class<T> type) {
    return of(Codec.of(type));
  }

  /**
   * A reader of objects of a generic type.
   *
   * @param <T> the type
   * @param type the type of a row, with its type arguments
   * @return options, with which the reader is opened
   * @throws SchemaException if the type has no schema
   */
  public static <T> Options<T> of(TypeReference<T> type) {
    return of(Codec.of(type));
  }

  /**
   * A reader of any rows, which it gives as {@link Serow#loads(byte[])} does.
   *
   * @return options, with which the reader is opened
   */
  public static Options<@Nullable Object> ofAny() {
    return new Options<>(ReadOptions.of(null), false, null);
  }

  /** Reads the next frame if all rows of this one were given. Returns false at the end. */
  private boolean load() {
    if (frame != null && next < frame.size()) {
      return true;
    }
    try {
      calls.run(
          () -> {
            next = 0;
            frame = null;
            frame = frame(decoder.next());
            if (frame != null && progress != null) {
              progress.report(rows(), bytesRead());
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return frame != null;
  }

  /** Sound: the factory methods guarantee that all rows are {@code T}. */
  @SuppressWarnings("unchecked")
  private List<T> frame(List<Object> rows) {
    return (List<T>) rows;
  }

  /**
   * The rows.
   *
   * @return an iterator, whose methods throw a {@link DecodeException}, a {@link SchemaException},
   *     a {@link LimitException}, or an {@link UncheckedIOException}
   */
  @Override
  public Iterator<T> iterator() {
    return iterator(() -> frame.get(next++), "rows");
  }

  /** An iterator whose elements {@code next} gives when a row is there. */
  private <R> Iterator<R> iterator(Supplier<R> next, String elements) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return load();
      }

      @Override
      public R next() {
        if (!load()) {
          throw new NoSuchElementException("the stream has no more " + elements);
        }
        return next.get();
      }
    };
  }

  /**
   * The rows, frame by frame, without empty frames.
   *
   * @return lists that may be modified; the iterator throws as that of {@link #iterator} does
   */
  public Iterable<List<T>> frames() {
    return () -> iterator(this::takeFrame, "frames");
  }

  /**
   * The rows as a sequential stream. It may be made parallel: then threads work on the rows of
   * different frames, and each holds one frame.
   *
   * @return a stream whose end closes nothing; it throws as the iterator of {@link #iterator} does
   */
  public Stream<T> stream() {
    return StreamSupport.stream(new Rows(), false);
  }

  /**
   * The rows, of which a frame may be split off. The default for iterators splits off more and more
   * rows, which then wait in memory.
   */
  private final class Rows implements Spliterator<T> {
    /** Fewer rows are not worth a task. */
    private static final int WORTH_A_TASK = 1 << 13;

    private boolean isNothingNext = true;

    /**
     * Splits off nothing and a frame in turns. A task of a parallel stream gives the first, third
     * and so on of what it splits off to other threads, and works on the second at once. If each
     * were a frame, those for others would pile up.
     */
    @Override
    public Spliterator<T> trySplit() {
      isNothingNext = !isNothingNext;
      if (!isNothingNext) {
        return Spliterators.emptySpliterator();
      }
      List<T> some = new ArrayList<>();
      while (some.size() < WORTH_A_TASK && load()) {
        some.addAll(takeFrame());
      }
      return some.isEmpty() ? null : some.spliterator();
    }

    @Override
    public boolean tryAdvance(Consumer<? super T> action) {
      boolean hasRow = load();
      if (hasRow) {
        action.accept(frame.get(next++));
      }
      return hasRow;
    }

    @Override
    public long estimateSize() {
      return Long.MAX_VALUE;
    }

    @Override
    public int characteristics() {
      return ORDERED;
    }
  }

  /** The rows of the frame that were not given. */
  private List<T> takeFrame() {
    List<T> given = frame;
    given.subList(0, next).clear();
    frame = null;
    return given;
  }

  /**
   * The number of rows in the frames that were read.
   *
   * @return the number, also of rows that were not given to the caller yet
   */
  public long rows() {
    return decoder.rows();
  }

  /**
   * The number of bytes that were read.
   *
   * @return the number
   */
  public long bytesRead() {
    return decoder.bytes();
  }

  /**
   * The texts that the writer has put into the header of its stream with {@link
   * StreamWriter.Options#withMetadata}. They are those of the stream whose header was read last. If
   * none was, this reads the first frame.
   *
   * @return the texts by their names; it can't be changed
   * @throws IOException if the source fails; a later call may go on
   * @throws DecodeException if the stream is damaged
   * @throws IllegalStateException if the reader is in use
   */
  public Map<String, String> metadata() throws IOException {
    calls.begin();
    try {
      return decoder.metadata();
    } finally {
      calls.end();
    }
  }

  /**
   * Ends reading, and closes the file if there is one. Closing again has no effect.
   *
   * @throws IOException if the file can't be closed
   * @throws IllegalStateException if the reader is in use
   */
  @Override
  public void close() throws IOException {
    calls.runLast(
        () -> {
          frame = null;
          decoder.close();
        });
  }
}
