package io.github.serow.internal.message;

import com.dynatrace.hash4j.hashing.Hashing;
import io.github.serow.BufferTooSmallException;
import io.github.serow.LimitException;
import io.github.serow.Schema;
import io.github.serow.internal.codec.Binding;
import io.github.serow.internal.codec.RecordBatch;
import io.github.serow.internal.codec.RecordBuffer;
import io.github.serow.internal.codec.Widening;
import io.github.serow.internal.compression.BodyCompression;
import io.github.serow.internal.encode.Inference;
import io.github.serow.internal.schema.SharedSecrets;
import io.github.serow.internal.wire.Limits;
import io.github.serow.internal.wire.MessageTooLong;
import io.github.serow.internal.wire.RecordOut;
import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Writes messages of the row wire without native code. Plain ones have the same bytes as native
 * code's: {@code crates/core/src/encode/mod.rs} ends frames at the same rows.
 */
public final class RowMessageWriter {
  /**
   * The bytes and the rows of a small message. One of at most this many bytes on the row wire, and
   * rows, is on the row wire if the caller does not name a wire; see {@code
   * crates/core/src/limits.rs}.
   */
  private static final int SMALL_MESSAGE = 16 << 10;

  private static final int SMALL_MESSAGE_ROWS = 128;

  /** After this many rows the writer gets memory for more of them at once. */
  private static final int SAMPLE = 256;

  /** The writer gets memory for this many times the rows so far. */
  private static final int AHEAD = 16;

  /** The most bytes that it gets at once, because the rows after may be shorter. */
  private static final int MOST_AHEAD = 64 << 20;

  /** The most bytes of memory that a later message may reuse. */
  private static final int KEPT = 16 << 20;

  /** Fewer bytes are kept with each {@link RecordOut}. */
  private static final int LARGE = 64 << 10;

  /** Memory of a large message for a later one; the garbage collector may take it. */
  private static final AtomicReference<SoftReference<byte[]>> IDLE = new AtomicReference<>();

  private final RecordOut out;

  /** The records of the frame. */
  private final RecordBatch batch;

  /** Compresses bodies; null if they stay plain. */
  private final BodyCompression compressor;

  /** The end of the bytes so far. */
  private int at;

  /** The begin of the last frame; -1 if there is none. */
  private int frame = -1;

  private int body;

  /** The most rows of the frame. */
  private int mostRows = Limits.MAX_FRAME_ROWS;

  /** The schemas in the message. */
  private final Set<Schema> schemas = new HashSet<>();

  /** The schema that the last frame has in band; null if it has none. */
  private Schema inBand;

  private RowMessageWriter(RecordOut out, BodyCompression compressor) {
    this.out = out;
    batch = new RecordBatch(out, Limits.FRAME_SIZE_TARGET);
    this.compressor = compressor;
  }

  /**
   * Encodes rows to an array.
   *
   * @param rows the rows; rows that are not plain may be replaced
   * @param compressor compresses the bodies of frames; null if they stay plain
   * @param widening widens the schema for a row that does not fit; null if such a row is an error
   */
  public static byte[] toBytes(
      Binding binding, Object[] rows, BodyCompression compressor, Inference widening) {
    RecordBuffer lent = RecordBuffer.lend();
    RecordOut out = lent.out;
    try {
      int length = new RowMessageWriter(out, compressor).write(binding, rows, widening);
      return out.copy(length);
    } finally {
      giveBack(lent);
    }
  }

  /**
   * Encodes rows to an array if the message is small. Returns null if it is not, or if a row
   * exceeds a limit: the frame wire has other limits.
   *
   * @param rows the rows; rows that are not plain may be replaced
   * @param widening widens the schema for a row that does not fit
   */
  static byte[] toBytesIfSmall(Binding binding, Object[] rows, Inference widening) {
    if (rows.length > SMALL_MESSAGE_ROWS) {
      return null;
    }
    RecordBuffer lent = RecordBuffer.lend();
    RecordOut out = lent.out;
    out.limit(SMALL_MESSAGE);
    try {
      int length = new RowMessageWriter(out, null).write(binding, rows, widening);
      return length <= SMALL_MESSAGE ? out.copy(length) : null;
    } catch (MessageTooLong | LimitException e) {
      return null;
    } finally {
      out.removeLimit();
      lent.giveBack();
    }
  }

  /**
   * Encodes rows to a buffer at its position. Returns the length of the message in bytes.
   *
   * @param compressor compresses the bodies of frames; null if they stay plain
   * @throws BufferTooSmallException if the message does not fit
   */
  public static int toBuffer(
      Binding binding, Object[] rows, BodyCompression compressor, ByteBuffer buffer) {
    RecordBuffer lent = RecordBuffer.lend();
    RecordOut out = lent.out;
    try {
      int length = new RowMessageWriter(out, compressor).write(binding, rows, null);
      out.copyTo(buffer, length, "message");
      return length;
    } finally {
      giveBack(lent);
    }
  }

  /** Writes the message from the begin of {@link #out}. Returns its length. */
  private int write(Binding first, Object[] all, Inference widening) {
    if (all.length > SAMPLE) {
      reuse();
    }
    out.ensure(0, FrameHeader.MESSAGE_LENGTH);
    out.putLong(0, FrameHeader.MESSAGE);
    at = FrameHeader.MESSAGE_LENGTH;
    Binding binding = first;
    beginFrame(binding);
    int sample = SAMPLE;
    for (int row = 0; row < all.length; ) {
      if (row == sample) {
        reserve(row, Math.min(all.length, AHEAD * (long) row));
        sample = (int) Math.min(Integer.MAX_VALUE, AHEAD * (long) row);
      }
      if (batch.rows() == mostRows || batch.isFull()) {
        mostRows = mostRowsAfter(mostRows, batch.rows(), batch.size());
        beginFrame(binding);
      }
      int more = Math.min(Math.min(sample, all.length) - row, mostRows - batch.rows());
      row = batch.append(binding, all, row, row + more, 0);
      at = batch.end();
      if (batch.misfit() != null) {
        Binding fitting = Widening.fitting(binding, all, row, 0, widening, batch.misfit());
        if (fitting != binding) {
          binding = fitting;
          beginFrame(binding);
        }
      }
    }
    endFrame(FrameHeader.LAST);
    return at;
  }

  /**
   * Gets memory for all rows up to number {@code end}, as if they were as long as the {@code rows}
   * before. Otherwise it grows by twice each time, and what is written is copied as often.
   */
  private void reserve(int rows, long end) {
    double length = (double) at / rows * end * 1.05;
    out.ensure(at, (int) Math.min(MOST_AHEAD, length) - at);
  }

  /** Takes the memory of an earlier large message. Nothing is written yet. */
  private void reuse() {
    SoftReference<byte[]> idle = IDLE.getAndSet(null);
    byte[] memory = idle == null ? null : idle.get();
    if (memory != null) {
      out.bytes = memory;
    }
  }

  private static void giveBack(RecordBuffer lent) {
    byte[] memory = lent.out.bytes;
    if (memory.length > LARGE && memory.length <= KEPT) {
      IDLE.set(new SoftReference<>(memory));
    }
    lent.giveBack();
  }

  /**
   * The most rows of the frame after a full one of {@code rows} rows and {@code size} bytes, which
   * had {@code most} rows at most; see {@code max_rows_after} in {@code
   * crates/core/src/encode/frames.rs}.
   */
  private static int mostRowsAfter(int most, int rows, long size) {
    long target = Limits.FRAME_SIZE_TARGET + Limits.FRAME_SIZE_TARGET / 8;
    long all = rows * target / Math.max(1, size);
    int fitting = (int) Math.max(1, Math.min(Limits.MAX_FRAME_ROWS, all));
    if (fitting >= most && fitting / 3 < most) {
      return most;
    }
    return Integer.highestOneBit(fitting);
  }

  /** Begins a frame. Ends the frame before it, or removes it if it has no rows. */
  private void beginFrame(Binding binding) {
    Schema schema = binding.schema();
    if (frame >= 0 && batch.rows() == 0) {
      at = frame;
      schemas.remove(inBand);
    } else if (frame >= 0) {
      endFrame(0);
    }
    frame = at;
    boolean isNew = schemas.add(schema);
    inBand = isNew ? schema : null;
    byte[] bytes = SharedSecrets.bytes(schema);
    int length = isNew ? bytes.length : Long.BYTES;
    out.ensure(at, FrameHeader.LENGTH + length);
    Arrays.fill(out.bytes, at, at + FrameHeader.LENGTH, (byte) 0);
    if (isNew) {
      out.bytes[at + FrameHeader.FLAGS] = FrameHeader.IN_BAND;
      out.putInt(at + FrameHeader.SCHEMA_LENGTH, length);
      System.arraycopy(bytes, 0, out.bytes, at + FrameHeader.LENGTH, length);
    } else {
      out.putLong(at + FrameHeader.LENGTH, schema.fingerprint());
    }
    at += FrameHeader.LENGTH + length;
    body = at;
    batch.clear(at);
  }

  private void endFrame(int flag) {
    int packed = compressor == null ? -1 : compressor.compress(out, body, at);
    if (packed >= 0) {
      out.bytes[frame + FrameHeader.COMPRESSION] = (byte) compressor.number();
      at = packed;
    }
    out.ensure(at, FrameHeader.CHECKSUM);
    byte[] bytes = out.bytes;
    bytes[frame + FrameHeader.FLAGS] |= (byte) flag;
    out.putInt(frame + FrameHeader.ROWS, batch.rows());
    out.putLong(frame + FrameHeader.BODY_LENGTH, at - body);
    long checksum = Hashing.xxh3_64().hashBytesToLong(bytes, frame, at - frame);
    out.putLong(at, checksum);
    at += FrameHeader.CHECKSUM;
  }
}
