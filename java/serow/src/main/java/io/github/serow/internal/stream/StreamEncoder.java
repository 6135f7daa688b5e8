package io.github.serow.internal.stream;

import io.github.serow.LimitException;
import io.github.serow.RowException;
import io.github.serow.Schema;
import io.github.serow.SerowException;
import io.github.serow.Threads;
import io.github.serow.Times;
import io.github.serow.internal.codec.Binding;
import io.github.serow.internal.codec.DetachedFrame;
import io.github.serow.internal.codec.EncodeContext;
import io.github.serow.internal.codec.RecordBatch;
import io.github.serow.internal.codec.Widening;
import io.github.serow.internal.encode.Inference;
import io.github.serow.internal.jni.Native;
import io.github.serow.internal.jni.NativeHandle;
import io.github.serow.internal.message.FrameMaker;
import io.github.serow.internal.message.MessageFile;
import io.github.serow.internal.wire.Format;
import java.io.Closeable;
import java.io.IOException;
import java.lang.ref.Reference;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Writes rows to a stream, frame by frame. One thread at a time may use it.
 *
 * <p>Rows wait as records, so a row that does not fit is an error of its own call. A full batch of
 * them goes to native code, which gives back the bytes of each finished frame. Native code refuses
 * a row for its size only: then it is the last one of the batch, because a large row fills it.
 */
public final class StreamEncoder implements FrameMaker.Target<IOException> {
  /** Maximum rows that wait. */
  private static final int MOST_WAITING = 4096;

  /** A call with so many rows writes them into new frames, which several threads may make. */
  public static final int MANY_ROWS = 1 << 14;

  private static final int BUFFER = 1 << 16;

  private final NativeHandle stream;
  private final Format format;
  private final Threads threads;
  private final ByteSink sink;
  private final Runnable onBytes;

  /** The rows that wait. */
  private final RecordBatch batch = EncodeContext.newBatch();

  private final byte[] buffer = new byte[BUFFER];
  private final Object[] one = new Object[1];

  /** Infers the schema, and widens it; null if the schema is given. */
  private final Inference inference;

  /** The schema of the next row; null if it is not known yet. */
  private Binding binding;

  /** The times of rows whose schema is inferred. */
  private final Times times;

  /** The number of rows in the native stream. */
  private long passed;

  private long bytes;

  /** The number of bytes at the last call of {@link #onBytes}. */
  private long reported;

  /** The error that has ended the stream; null if none has. */
  private String end;

  private boolean isFinished;

  /**
   * Begins a stream.
   *
   * @param schema the schema of all rows; null to infer it
   * @param times the times of rows whose schema is inferred
   * @param metadata the metadata of the stream
   * @param onBytes is called each time some frames were written
   */
  public StreamEncoder(
      Format format,
      Threads threads,
      Binding schema,
      Times times,
      Map<String, String> metadata,
      ByteSink sink,
      Runnable onBytes)
      throws IOException {
    this.format = format;
    this.threads = threads;
    this.times = times;
    MessageFile.End begin = sink.begin();
    byte[] bytesOfMetadata = Metadata.encoded(metadata);
    stream =
        new NativeHandle(
            Native.streamOpen(format.code(), bytesOfMetadata, begin.salt(), begin.row()));
    this.sink = sink;
    this.onBytes = onBytes;
    inference = schema == null ? new Inference() : null;
    binding = schema;
    try {
      take();
    } catch (Throwable e) {
      stream.close();
      throw e;
    }
    reported = bytes;
  }

  /** The number of rows in the stream, with those that wait. */
  public long rows() {
    return passed + batch.rows();
  }

  /** The number of bytes that were written. */
  public long bytes() {
    return bytes;
  }

  /** The schema of the last rows; null if it is not known yet. */
  public Schema schema() {
    return binding == null ? null : binding.schema();
  }

  /**
   * Checks that the stream can go on.
   *
   * @throws IOException if an error has ended it
   * @throws IllegalStateException if it is finished
   */
  public void checkOpen() throws IOException {
    if (isFinished) {
      throw new IllegalStateException(
          "this StreamWriter has finished its stream; begin another one for more rows");
    }
    if (end != null) {
      throw new IOException(end);
    }
  }

  /** Appends one row. */
  public void write(Object row) throws IOException {
    one[0] = row;
    try {
      writeAll(one);
    } finally {
      one[0] = null;
    }
  }

  /**
   * Appends rows. Rows that are not plain may be replaced.
   *
   * @throws SerowException if a row does not fit; all rows before it are in the stream
   */
  public void writeAll(Object[] rows) throws IOException {
    checkOpen();
    if (binding == null && rows.length > 0) {
      binding = Binding.of(inference.sample(rows)).with(times);
    }
    long before = rows();
    int at = rows.length < MANY_ROWS ? 0 : writeFrames(rows, before);
    while (at < rows.length) {
      int to = Math.min(rows.length, at + MOST_WAITING - batch.rows());
      at = batch.append(binding, rows, at, to, before);
      if (batch.misfit() != null) {
        fit(rows, at, before);
      } else if (batch.isFull() || batch.rows() == MOST_WAITING) {
        pass(before);
      }
    }
    report();
  }

  /**
   * Writes rows into new frames. Returns the index of the first row that is not in the stream. It
   * is there that an error has occurred, which occurs again when the rows are appended one by one.
   *
   * @param before the number of rows in the stream
   */
  private int writeFrames(Object[] rows, long before) throws IOException {
    pass(before);
    endFrame(Native::streamFlush);
    FrameMaker<IOException> maker =
        new FrameMaker<>(binding, rows, before, format, threads, inference, this);
    try {
      maker.make();
    } catch (RuntimeException e) {
      checkOpen();
    } finally {
      binding = maker.binding();
    }
    return maker.at();
  }

  @Override
  public boolean knows(Binding schema) {
    boolean knows = Native.streamKnows(stream.address(), schema.plan().address());
    Reference.reachabilityFence(schema);
    return knows;
  }

  @Override
  public void take(DetachedFrame part, Binding schema) throws IOException {
    try (part) {
      int count = part.end() - part.first();
      Native.streamJoin(stream.address(), schema.plan().address(), part.frame().address(), count);
      passed += count;
    } catch (RuntimeException e) {
      loseRows(e);
      throw e;
    } finally {
      Reference.reachabilityFence(schema);
    }
    take();
  }

  /** Ends the stream by an error. */
  private void loseRows(Throwable error) {
    end = "an earlier error has lost rows, so the stream can't go on: " + error.getMessage();
  }

  /** Makes row {@code row} plain, or widens the schema for it. */
  private void fit(Object[] rows, int row, long before) throws IOException {
    Binding fitting = Widening.fitting(binding, rows, row, before, inference, batch.misfit());
    if (fitting != binding) {
      pass(before);
      binding = fitting;
    }
  }

  /**
   * Passes the rows that wait to native code.
   *
   * @param before the number of rows in the stream before the current call
   */
  private void pass(long before) throws IOException {
    int count = batch.rows();
    if (count == 0) {
      return;
    }
    byte[] records = batch.bytes();
    int length = batch.end();
    batch.clear(0);
    try {
      Native.streamPut(stream.address(), binding.plan().address(), records, length, count);
      passed += count;
    } catch (Throwable e) {
      long kept = Native.streamRows(stream.address());
      boolean isOfRow = e instanceof RowException || e instanceof LimitException;
      if (!isOfRow || kept < before) {
        loseRows(e);
      }
      passed = Math.max(passed, kept);
      takeAfter(e);
      throw e;
    } finally {
      Reference.reachabilityFence(binding);
    }
    take();
  }

  /** Writes the bytes that are finished. */
  private void take() throws IOException {
    try {
      for (int n; (n = Native.streamTake(stream.address(), buffer, BUFFER)) > 0; ) {
        sink.write(buffer, n);
        bytes += n;
      }
    } catch (Throwable e) {
      end = "an earlier error while writing has ended the stream: " + e;
      try {
        sink.dropPart();
      } catch (IOException | RuntimeException further) {
        e.addSuppressed(further);
      }
      throw e;
    }
    sink.endFrames();
  }

  /** Writes the bytes that were finished before {@code error}. */
  private void takeAfter(Throwable error) {
    try {
      take();
    } catch (IOException | RuntimeException further) {
      error.addSuppressed(further);
    }
  }

  private void report() {
    if (bytes != reported) {
      reported = bytes;
      onBytes.run();
    }
  }

  /** Ends the open frame, and flushes the sink. */
  public void flush() throws IOException {
    end(Native::streamFlush);
  }

  /** Ends the stream, and flushes the sink. */
  public void finish() throws IOException {
    if (!isFinished) {
      end(
          address -> {
            Native.streamFinish(address);
            isFinished = true;
          });
    }
  }

  private void end(LongConsumer call) throws IOException {
    checkOpen();
    pass(rows());
    endFrame(call);
    sink.flush();
    report();
  }

  private void endFrame(LongConsumer call) throws IOException {
    try {
      call.accept(stream.address());
    } catch (Throwable e) {
      loseRows(e);
      takeAfter(e);
      throw e;
    }
    take();
  }

  /** Writes the rows that wait, unless an error has ended the stream, and frees the memory. */
  @SuppressWarnings("try") // The resources are only closed.
  public void close() throws IOException {
    try (NativeHandle ended = stream;
        Closeable closed = sink::close) {
      if (!isFinished && end == null) {
        flush();
      }
    }
  }
}
