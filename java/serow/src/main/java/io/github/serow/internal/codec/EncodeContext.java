package io.github.serow.internal.codec;

import io.github.serow.LimitException;
import io.github.serow.internal.encode.Inference;
import io.github.serow.internal.jni.Native;
import io.github.serow.internal.jni.NativeHandle;
import io.github.serow.internal.value.ValueNormalizer;
import io.github.serow.internal.wire.BufferSpace;
import io.github.serow.internal.wire.Format;
import io.github.serow.internal.wire.RecordOut;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * Reusable state of an encoding call: records in Java and a native encoder, with their memory.
 * Calls borrow contexts from a pool.
 */
public final class EncodeContext extends Pool.Kept {
  private static final int FULL_BATCH = 1 << 15;

  private static final Pool<EncodeContext> IDLE = new Pool<>(EncodeContext::new);

  private final RecordBatch batch = newBatch();
  private final NativeHandle encoder = new NativeHandle(Native.encoderOpen());

  private EncodeContext() {}

  /**
   * A batch of records for native code. Most are in a core's caches when native code reads them.
   */
  public static RecordBatch newBatch() {
    return new RecordBatch(new RecordOut(), FULL_BATCH);
  }

  /**
   * Encodes {@code rows} to an array.
   *
   * @param widening widens the schema for a row that does not fit; null if such a row is an error
   */
  public static byte[] toBytes(Binding binding, Object[] rows, Format format, Inference widening) {
    return IDLE.use(context -> context.take(context.encode(binding, rows, format, widening, null)));
  }

  /**
   * Encodes {@code rows} to a whole buffer, from its begin. Returns the length of the message in
   * bytes.
   *
   * @param buffer nobody else has this object, whose memory may be freed by a getter of the rows
   */
  public static int toBuffer(Binding binding, Object[] rows, Format format, ByteBuffer buffer) {
    long length = IDLE.use(context -> context.encode(binding, rows, format, null, buffer));
    BufferSpace.check("message", length, buffer.capacity());
    return (int) length;
  }

  /**
   * Encodes rows that are already records of the row wire, each with its length before it.
   *
   * @param records the bytes with the records, which are between the two positions
   * @param rows the number of records
   */
  public static byte[] ofRecords(
      Binding binding, Format format, byte[] records, int from, int to, int rows) {
    return IDLE.use(
        context -> {
          long result =
              Native.encoderPut(
                  context.encoder.address(),
                  binding.plan().address(),
                  format.code(),
                  Native.BEGIN | Native.END,
                  records,
                  from,
                  to,
                  rows,
                  null,
                  null,
                  0,
                  0);
          Reference.reachabilityFence(binding);
          return context.take(result >> 1);
        });
  }

  /**
   * Encodes the rows of batches of Arrow's.
   *
   * @param binding the binding of the schema of the message; null for that of the batches
   */
  public static byte[] ofArrow(NativeHandle arrow, Binding binding, Format format) {
    return IDLE.use(
        context -> {
          long plan = binding == null ? 0 : binding.plan().address();
          long encoder = context.encoder.address();
          long length = Native.encoderPutArrow(encoder, arrow.address(), plan, format.code());
          Reference.reachabilityFence(binding);
          Reference.reachabilityFence(arrow);
          return context.take(length);
        });
  }

  /**
   * Makes a frame apart from its message, of rows from index {@code first} on. It ends when it is
   * full, or before a row that does not fit. Rows of the frame may be replaced by plain ones.
   *
   * @param isKnown whether the schema will be in the message before the frame
   * @param mostRows the most rows of the frame
   * @param before the number of rows before those in {@code rows}, which errors count too
   */
  public static DetachedFrame part(
      Binding binding,
      Format format,
      boolean isKnown,
      Object[] rows,
      int first,
      int mostRows,
      long before) {
    return IDLE.use(
        context -> {
          Native.partBegin(
              context.encoder.address(),
              binding.plan().address(),
              format.code(),
              isKnown,
              before + first,
              mostRows);
          return context.part(binding, rows, first, mostRows, before);
        });
  }

  private DetachedFrame part(Binding binding, Object[] rows, int first, int mostRows, long before) {
    int to = (int) Math.min(rows.length, (long) first + mostRows);
    int row = first;
    RuntimeException misfit = null;
    boolean isFull = false;
    while (row < to && !isFull && misfit == null) {
      batch.clear(0);
      batch.append(binding, rows, row, to, before);
      if (batch.rows() > 0) {
        long taken = Native.partPut(encoder.address(), batch.bytes(), batch.end(), batch.rows());
        row += (int) (taken >> 1);
        isFull = (taken & 1) != 0;
      }
      boolean isMisfit = batch.misfit() != null && !isFull;
      if (isMisfit && (binding.isMapped() || !ValueNormalizer.replace(rows, row, to))) {
        misfit = batch.misfit();
      }
    }
    long[] info = new long[3];
    NativeHandle frame = new NativeHandle(Native.partEnd(encoder.address(), info));
    Reference.reachabilityFence(binding);
    if (info[2] == 0) {
      Pool.freeIdle();
    }
    return new DetachedFrame(frame, first, row, info[0], mostRows, (int) info[1], misfit);
  }

  @Override
  void trim() {
    batch.trim();
  }

  @Override
  void close() {
    encoder.close();
  }

  /**
   * Encodes all rows in the native encoder, with one native call for each batch. Returns the length
   * of the message in bytes. If it does not fit into the buffer, it is dropped.
   *
   * @param to where the message goes; null to keep it for {@link #take}
   */
  private long encode(
      Binding first, Object[] rows, Format format, Inference widening, ByteBuffer to) {
    Binding binding = first;
    int steps = Native.BEGIN;
    for (int at = 0; ; ) {
      batch.clear(0);
      at = batch.append(binding, rows, at, rows.length, 0);
      RuntimeException misfit = batch.misfit();
      if (misfit == null && at == rows.length) {
        long result = put(binding, format, steps | Native.END, to);
        if ((result & 1) == 0) {
          // The budget had no space for this encoder's memory: make space before its next message.
          Pool.freeIdle();
        }
        return result >> 1;
      }
      put(binding, format, steps, to);
      steps = 0;
      if (misfit != null) {
        Binding fitting = Widening.fitting(binding, rows, at, 0, widening, misfit);
        if (fitting != binding) {
          binding = fitting;
          Native.encoderSwitch(encoder.address(), binding.plan().address());
          Reference.reachabilityFence(binding);
        }
      }
    }
  }

  private long put(Binding binding, Format format, int steps, ByteBuffer to) {
    boolean isDirect = to != null && to.isDirect();
    if (isDirect && to.capacity() > 0) {
      // Throws if the memory was freed: the buffer may belong to an arena that is closed.
      to.get(0);
    }
    long result =
        Native.encoderPut(
            encoder.address(),
            binding.plan().address(),
            format.code(),
            steps,
            batch.bytes(),
            0,
            batch.end(),
            batch.rows(),
            to == null || isDirect ? null : to.array(),
            isDirect ? to : null,
            to == null || isDirect ? 0 : to.arrayOffset(),
            to == null ? 0 : to.capacity());
    Reference.reachabilityFence(binding);
    return result;
  }

  /** The finished message of this length. */
  private byte[] take(long length) {
    byte[] message = array(length);
    if (!Native.encoderTake(encoder.address(), message)) {
      Pool.freeIdle();
    }
    return message;
  }

  /**
   * An array for a message.
   *
   * @throws LimitException if no array is so long
   */
  public static byte[] array(long length) {
    if (length > Integer.MAX_VALUE - 8) {
      throw new LimitException(
          "the message takes " + length + " bytes, more than an array can hold; encode fewer rows");
    }
    return new byte[(int) length];
  }
}
