package io.github.serow;

import io.github.serow.internal.codec.ReadOptions;
import io.github.serow.internal.jni.NativeLibrary;
import io.github.serow.internal.stream.IndexedFrames;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Reads frames and rows of a file in any order. The file consists of messages and streams of any
 * language. The index at the end of each stream says where its frames are; if a message has none,
 * the headers of all frames of the file are read. So the number of rows is known before any is
 * read.
 *
 * <pre>{@code
 * try (IndexedReader<Part> parts = IndexedReader.of(Part.class).from(Path.of("parts.srow"))) {
 *   Part last = parts.row(parts.rows() - 1);
 *   List<Part> frame = parts.frame(0);
 * }
 * }</pre>
 *
 * <p>What an index says about a frame is checked when the frame is read; an index that lies is a
 * {@link DecodeException}. After an error other frames can still be read.
 *
 * <p>Several threads may use a reader; it reads one frame at a time, so threads that shall read at
 * the same time need readers of their own. An interrupt of a thread that reads closes the file, as
 * that of any {@link FileChannel} does. A null argument is a {@link NullPointerException} that
 * names the argument.
 *
 * @param <T> the class of a row
 */
@NullMarked
public final class IndexedReader<T extends @Nullable Object> implements Closeable {
  private final ReentrantLock lock = new ReentrantLock();
  private final IndexedFrames file;
  private boolean isClosed;

  /** The frame of which a row was read last; -1 if there is none. */
  private int lastFrame = -1;

  private List<T> lastRows = List.of();

  private IndexedReader(IndexedFrames file) {
    this.file = file;
  }

  /**
   * What to read a file as.
   *
   * @param <T> the class of a row
   */
  public static final class Options<T extends @Nullable Object> {
    private final ReadOptions reading;

    private Options(ReadOptions reading) {
      this.reading = reading;
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
      return new Options<>(reading.withTimes(times));
    }

    /**
     * Limits the memory of the rows of each frame. serow counts what the objects would take before
     * it makes them. Without this, the limit is that of the codec ({@link Codec#withMaxMemory}), or
     * there is none.
     *
     * @param bytes the most bytes that the rows of a frame may take as Java objects; more is a
     *     {@link LimitException}
     * @return options with this limit
     * @throws IllegalArgumentException if the number is negative
     */
    public Options<T> withMaxMemory(long bytes) {
      return new Options<>(reading.withMaxMemory(bytes));
    }

    /**
     * Opens a file. {@link IndexedReader#close} closes it.
     *
     * @param file the file
     * @return the reader
     * @throws IOException if the file can't be opened or read
     * @throws DecodeException if the file has no messages, or one is cut
     * @throws SerowException if the native library is not loaded
     */
    public IndexedReader<T> from(Path file) throws IOException {
      Objects.requireNonNull(file, "file");
      NativeLibrary.require("an IndexedReader");
      SeekableByteChannel channel = Files.newByteChannel(file);
      try {
        return new IndexedReader<>(new IndexedFrames(channel, true, reading));
      } catch (Throwable e) {
        channel.close();
        throw e;
      }
    }

    /**
     * Reads from a channel, which the reader does not close. It moves the position of a channel
     * that is no {@link FileChannel}, so nobody else may use that meanwhile.
     *
     * @param channel the whole file
     * @return the reader
     * @throws IOException if the channel can't be read
     * @throws DecodeException as for {@link #from(Path)}
     * @throws SerowException if the native library is not loaded
     */
    public IndexedReader<T> from(SeekableByteChannel channel) throws IOException {
      Objects.requireNonNull(channel, "channel");
      NativeLibrary.require("an IndexedReader");
      return new IndexedReader<>(new IndexedFrames(channel, false, reading));
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
    return new Options<>(codec.options());
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
    return new Options<>(ReadOptions.of(null));
  }

  /** Begins a call, which ends by {@code lock.unlock()}. */
  private void begin() {
    if (lock.isHeldByCurrentThread()) {
      throw new IllegalStateException("a row that an IndexedReader makes must not use the reader");
    }
    lock.lock();
    if (isClosed) {
      lock.unlock();
      throw new IllegalStateException("this IndexedReader is closed");
    }
  }

  /**
   * The number of rows.
   *
   * @return the number, by the indexes
   */
  public long rows() {
    return file.rows();
  }

  /**
   * The number of frames.
   *
   * @return the number, by the indexes
   */
  public int frames() {
    return file.frames();
  }

  /**
   * The number of a frame's first row.
   *
   * @param frame the number of the frame, from 0
   * @return the number of the row
   * @throws IndexOutOfBoundsException if there is no such frame
   * @throws IllegalStateException if the reader is closed
   */
  public long firstRow(int frame) {
    Objects.checkIndex(frame, frames());
    begin();
    try {
      return file.firstRow(frame);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Reads the rows of a frame.
   *
   * @param frame the number of the frame, from 0
   * @return its rows, in a list that may be modified
   * @throws IndexOutOfBoundsException if there is no such frame
   * @throws DecodeException if the frame is damaged, or is not what the index says
   * @throws LimitException if the rows of the frame take more memory than they may
   * @throws SchemaException if rows of the frame's schema can't be converted
   * @throws IOException if the file can't be read
   * @throws IllegalStateException if the reader is closed
   */
  public List<T> frame(int frame) throws IOException {
    Objects.checkIndex(frame, frames());
    begin();
    try {
      return rows(file.read(frame));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Reads a row. The rows of its frame are kept until a row of another frame is read. So who reads
   * a row again until then gets the same object.
   *
   * @param row the number of the row, from 0
   * @return the row; may be null
   * @throws IndexOutOfBoundsException if there is no such row
   * @throws DecodeException if its frame is damaged, or is not what the index says
   * @throws LimitException if the rows of the frame take more memory than they may
   * @throws SchemaException if rows of the frame's schema can't be converted
   * @throws IOException if the file can't be read
   * @throws IllegalStateException if the reader is closed
   */
  public T row(long row) throws IOException {
    Objects.checkIndex(row, rows());
    begin();
    try {
      int frame = file.frameOf(row);
      int within = (int) (row - file.firstRow(frame));
      if (frame != lastFrame) {
        lastRows = rows(file.read(frame));
        lastFrame = frame;
      }
      return lastRows.get(within);
    } finally {
      lock.unlock();
    }
  }

  /** Sound: the factory methods guarantee that all rows are {@code T}. */
  @SuppressWarnings("unchecked")
  private List<T> rows(ArrayList<Object> rows) {
    return (List<T>) (List<?>) rows;
  }

  /**
   * Frees the memory, and closes the file if there is one. Closing again has no effect.
   *
   * @throws IOException if the file can't be closed
   */
  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      if (!isClosed) {
        isClosed = true;
        lastRows = List.of();
        file.close();
      }
    } finally {
      lock.unlock();
    }
  }
}
