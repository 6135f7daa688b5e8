package io.github.serow;

import io.github.serow.internal.codec.Binding;
import io.github.serow.internal.encode.GivenRows;
import io.github.serow.internal.jni.NativeLibrary;
import io.github.serow.internal.mapping.Mapping;
import io.github.serow.internal.message.WriteOptions;
import io.github.serow.internal.stream.ByteSink;
import io.github.serow.internal.stream.ConfinementGuard;
import io.github.serow.internal.stream.FileSink;
import io.github.serow.internal.stream.StreamEncoder;
import java.io.Closeable;
import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows to a stream: a message of any length, of which it holds only the open frame (at most
 * 65,536 rows and about 16 MiB), or with threads some frames. {@link StreamReader} reads it, and so
 * does {@link Serow#loads}.
 *
 * <pre>{@code
 * try (StreamWriter<Part> writer =
 *     StreamWriter.of(Part.class).withCompression(Compression.zstd()).to(Path.of("parts.srow"))) {
 *   writer.write(part);
 *   writer.writeAll(parts);
 *   writer.finish();
 * }
 * }</pre>
 *
 * <p>{@link #finish} ends the stream. If the block ends by an exception before, the stream has no
 * end: its rows are readable, and then the reader throws a {@link DecodeException}.
 *
 * <p>A row that is refused is not in the stream; all rows before it are, and the stream can go on.
 * The same holds if an iterator or a getter of the caller's fails. Errors count rows from the begin
 * of this stream.
 *
 * <p>If the bytes can't be written, the stream ends there, and every later call is an {@link
 * IOException} except {@link #close}. A file then has all frames that were written as a whole, and
 * no others; what another target has is not known.
 *
 * <p>One thread at a time may use a writer; a call during another one is an {@link
 * IllegalStateException}. A null argument is a {@link NullPointerException} that names the
 * argument.
 *
 * @param <T> the class of a row
 */
@NullMarked
public final class StreamWriter<T extends @Nullable Object> implements Closeable, Flushable {
  /** The most rows of a list that are read at once. */
  private static final int MOST_BATCH = 1 << 17;

  private final ConfinementGuard calls = new ConfinementGuard("StreamWriter");
  private final StreamEncoder encoder;

  /** How rows are mapped to objects; null if they are not. */
  private final Mapping rowMapping;

  private StreamWriter(Options<T> options, ByteSink sink) throws IOException {
    rowMapping = options.schema == null ? null : options.schema.mapping();
    Progress progress = options.progress;
    Runnable report = () -> progress.report(rows(), bytesWritten());
    encoder =
        new StreamEncoder(
            options.writing.format(),
            options.writing.threads(),
            options.schema,
            options.times,
            options.metadata,
            sink,
            progress == null ? () -> {} : report);
  }

  /**
   * Where and how to write a stream. It is immutable: each method returns other options.
   *
   * @param <T> the class of a row
   */
  public static final class Options<T extends @Nullable Object> {
    /** Null to infer the schema. */
    private final @Nullable Binding schema;

    /** The times of rows whose schema is inferred; a given schema has its own. */
    private final Times times;

    private final WriteOptions writing;

    /** May be null. */
    private final @Nullable Progress progress;

    private final Map<String, String> metadata;

    private Options(
        Binding schema,
        Times times,
        WriteOptions writing,
        Progress progress,
        Map<String, String> metadata) {
      this.schema = schema;
      this.times = times;
      this.writing = writing;
      this.progress = progress;
      this.metadata = metadata;
    }

    /**
     * Sets the layout of rows. Without it, it is the codec's, or {@link Wire#FRAME}.
     *
     * @param wire the wire
     * @return options with this wire
     */
    public Options<T> withWire(Wire wire) {
      Objects.requireNonNull(wire, "wire");
      return new Options<>(schema, times, writing.withWire(wire), progress, metadata);
    }

    /**
     * Sets the compression of frames. Without it, it is the codec's, or {@link Compression#none}.
     *
     * @param compression the compression
     * @return options with this compression
     */
    public Options<T> withCompression(Compression compression) {
      Objects.requireNonNull(compression, "compression");
      return new Options<>(schema, times, compression.in(writing), progress, metadata);
    }

    /**
     * Sets the threads that may make the frames of many rows at once ({@link
     * StreamWriter#writeAll}). Without them, they are the codec's, or {@link Threads#one}.
     *
     * @param threads the threads
     * @return options with these threads
     */
    public Options<T> withThreads(Threads threads) {
      Objects.requireNonNull(threads, "threads");
      return new Options<>(schema, times, writing.withThreads(threads), progress, metadata);
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
      Binding changed = schema == null ? null : schema.with(times);
      return new Options<>(changed, times, writing, progress, metadata);
    }

    /**
     * Sets who is told how much was written.
     *
     * @param progress is called after some frames were written
     * @return options with this progress
     */
    public Options<T> withProgress(Progress progress) {
      Objects.requireNonNull(progress, "progress");
      return new Options<>(schema, times, writing, progress, metadata);
    }

    /**
     * Puts texts into the header of the stream: 1 MiB of them at most. {@link
     * StreamReader#metadata} gives them.
     *
     * @param metadata the texts by their names
     * @return options with this metadata
     */
    public Options<T> withMetadata(Map<String, String> metadata) {
      Objects.requireNonNull(metadata, "metadata");
      return new Options<>(schema, times, writing, progress, Map.copyOf(metadata));
    }

    /**
     * Begins a stream in an output stream, which the writer flushes but does not close. Frames are
     * written as a whole, so it need not be buffered.
     *
     * @param out the output stream
     * @return the writer
     * @throws IOException if the first bytes can't be written
     * @throws SerowException if the native library is not loaded
     */
    public StreamWriter<T> to(OutputStream out) throws IOException {
      Objects.requireNonNull(out, "out");
      return open(() -> ByteSink.of(out));
    }

    /**
     * Begins a stream in a channel, which the writer does not close.
     *
     * @param channel a channel in blocking mode
     * @return the writer
     * @throws IOException if the first bytes can't be written
     * @throws SerowException if the native library is not loaded
     */
    public StreamWriter<T> to(WritableByteChannel channel) throws IOException {
      Objects.requireNonNull(channel, "channel");
      return open(() -> ByteSink.of(channel));
    }

    /**
     * Begins a stream in a file, which is created or overwritten. {@link StreamWriter#close} closes
     * it.
     *
     * @param file the file
     * @return the writer
     * @throws IOException if the file can't be opened or written
     * @throws SerowException if the native library is not loaded
     */
    public StreamWriter<T> to(Path file) throws IOException {
      Objects.requireNonNull(file, "file");
      return open(() -> FileSink.create(file));
    }

    /**
     * Begins a stream behind the streams and messages in a file, which is created if it is missing.
     * Readers read them as one. Only one writer at a time may write to a file. This reads the index
     * at the end of the file only, so it takes the same time whatever the file has.
     *
     * @param file the file
     * @return the writer
     * @throws IOException if the file can't be opened, read or written
     * @throws DecodeException if the file does not end with a whole stream or message
     * @throws SerowException if the native library is not loaded
     */
    public StreamWriter<T> appendTo(Path file) throws IOException {
      Objects.requireNonNull(file, "file");
      return open(() -> FileSink.append(file));
    }

    private interface Opener {
      ByteSink open() throws IOException;
    }

    private StreamWriter<T> open(Opener opener) throws IOException {
      NativeLibrary.require("a StreamWriter");
      ByteSink sink = opener.open();
      try {
        return new StreamWriter<>(this, sink);
      } catch (Throwable e) {
        try {
          sink.close();
        } catch (IOException further) {
          e.addSuppressed(further);
        }
        throw e;
      }
    }
  }

  /**
   * A writer of rows of a codec's schema, with its wire, compression and threads.
   *
   * @param <T> the class of a row
   * @param codec the codec
   * @return options, with which the writer is opened
   */
  public static <T extends @Nullable Object> Options<T> of(Codec<T> codec) {
    Objects.requireNonNull(codec, "codec");
    return new Options<>(codec.binding(), Times.EXACT, codec.writing(), null, Map.of());
  }

  /**
   * A writer of objects of one class.
   *
   * @param <T> the class
   * @param type a record, a bean or any other class that {@link Schema#of} takes
   * @return options, with which the writer is opened
   * @throws SchemaException if the class has no schema
   */
  public static <T> Options<T> of(Class<T> type) {
    return of(Codec.of(type));
  }

  /**
   * A writer of objects of a generic type.
   *
   * @param <T> the type
   * @param type the type of a row, with its type arguments
   * @return options, with which the writer is opened
   * @throws SchemaException if the type has no schema
   */
  public static <T> Options<T> of(TypeReference<T> type) {
    return of(Codec.of(type));
  }

  /**
   * A writer of any rows, as {@link Serow#dumps(List)} takes them. It infers the schema from the
   * first rows, and widens it when a row does not fit.
   *
   * @return options, with which the writer is opened
   */
  public static Options<@Nullable Object> ofAny() {
    return new Options<>(null, Times.EXACT, WriteOptions.STANDARD, null, Map.of());
  }

  /**
   * Appends a row.
   *
   * @param row the row; may be null if the schema allows it
   * @throws EncodeException if the row does not fit the schema, or has no type in serow
   * @throws LimitException if the row is too large
   * @throws IOException if bytes can't be written
   * @throws IllegalStateException if the writer is finished, closed or in use
   */
  public void write(T row) throws IOException {
    calls.begin();
    try {
      encoder.write(row);
    } finally {
      calls.end();
    }
  }

  /**
   * Appends rows. Each is encoded before the next is asked for, so an iterator may fill one object
   * again and again. Only a {@link List} may be read ahead, and only its rows are encoded by
   * several threads. If getting a row fails, the rows before it are in the stream.
   *
   * @param rows the rows
   * @throws EncodeException if a row does not fit the schema, or has no type in serow; the rows
   *     before it are in the stream
   * @throws LimitException if a row is too large
   * @throws IOException if bytes can't be written
   * @throws IllegalStateException if the writer is finished, closed or in use
   */
  public void writeAll(Iterable<? extends T> rows) throws IOException {
    GivenRows.check(rows, rowMapping);
    calls.run(
        () -> {
          if (rows instanceof List<? extends T> list) {
            writeList(list);
          } else {
            writeEach(rows.iterator());
          }
        });
  }

  /**
   * Appends the rows that an iterator still has. Each is encoded before the next is asked for, so
   * the iterator may fill one object again and again. If it fails, the rows before are in the
   * stream.
   *
   * @param rows the rows
   * @throws EncodeException if a row does not fit the schema, or has no type in serow; the rows
   *     before it are in the stream
   * @throws LimitException if a row is too large
   * @throws IOException if bytes can't be written
   * @throws IllegalStateException if the writer is finished, closed or in use
   */
  public void writeAll(Iterator<? extends T> rows) throws IOException {
    GivenRows.check(rows, rowMapping);
    calls.run(() -> writeEach(rows));
  }

  /**
   * Appends the rows of a sequential or parallel stream, in its order. Each is encoded before the
   * next is asked for. The stream is not closed.
   *
   * @param rows the rows
   * @throws EncodeException if a row does not fit the schema, or has no type in serow; the rows
   *     before it are in the stream
   * @throws LimitException if a row is too large
   * @throws IOException if bytes can't be written
   * @throws IllegalStateException if the writer is finished, closed or in use
   */
  public void writeAll(Stream<? extends T> rows) throws IOException {
    GivenRows.check(rows, rowMapping);
    calls.run(
        () -> {
          encoder.checkOpen();
          // An iterator takes all that flatMap makes of one element before it gives any.
          rows.spliterator().forEachRemaining(this::writeOfStream);
        });
  }

  private void writeEach(Iterator<? extends T> rows) throws IOException {
    encoder.checkOpen();
    while (rows.hasNext()) {
      encoder.write(rows.next());
    }
  }

  private void writeOfStream(T row) {
    try {
      encoder.write(row);
    } catch (IOException e) {
      throw StreamWriter.<RuntimeException>unchecked(e);
    }
  }

  /** Throws an error of the writer's target through the caller's stream. */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E unchecked(Throwable error) throws E {
    throw (E) error;
  }

  @SuppressWarnings("try") // The resource is only closed: then rows before an error are written.
  private void writeList(List<? extends T> list) throws IOException {
    List<Object> batch = new ArrayList<>();
    try (Closeable rest = () -> encoder.writeAll(batch.toArray())) {
      for (T row : list) {
        batch.add(row);
        if (batch.size() == MOST_BATCH) {
          Object[] full = batch.toArray();
          batch.clear();
          encoder.writeAll(full);
        }
      }
    }
  }

  /**
   * Ends the open frame and flushes the output stream, so that readers get all rows until now. A
   * frame of few rows takes more bytes for each row.
   *
   * @throws IOException if bytes can't be written
   * @throws IllegalStateException if the writer is finished, closed or in use
   */
  @Override
  public void flush() throws IOException {
    calls.run(encoder::flush);
  }

  /**
   * Ends the stream. Without this call a stream has no end, and readers report that after its last
   * row: so a stream whose writer was stopped by an exception never reads as complete. Afterwards
   * the writer takes no more rows. Finishing again has no effect.
   *
   * @throws IOException if bytes can't be written, or an earlier error has ended the stream
   * @throws IllegalStateException if the writer is closed or in use
   */
  public void finish() throws IOException {
    calls.run(encoder::finish);
  }

  /**
   * Frees the memory, and closes the file if there is one. If the stream is not finished, it writes
   * the rows that wait, so that readers get them, but no end: see {@link #finish}. If an error has
   * ended the stream, it writes nothing. Closing again has no effect.
   *
   * @throws IOException if bytes can't be written
   * @throws IllegalStateException if the writer is in use
   */
  @Override
  public void close() throws IOException {
    calls.runLast(encoder::close);
  }

  /**
   * The number of rows in the stream.
   *
   * @return the number, with the rows that are not written yet
   */
  public long rows() {
    return encoder.rows();
  }

  /**
   * The number of bytes that were written.
   *
   * @return the number; rows that wait for the end of their frame are not in it
   */
  public long bytesWritten() {
    return encoder.bytes();
  }

  /**
   * The schema of the last rows.
   *
   * @return the schema; empty if it is inferred and there was no row
   */
  public Optional<Schema> schema() {
    return Optional.ofNullable(encoder.schema());
  }
}
