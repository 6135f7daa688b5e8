package io.github.serow.codec;

import io.github.serow.LimitException;
import io.github.serow.SerowException;
import io.github.serow.encode.EncodeDiagnostics;
import io.github.serow.encode.Inference;
import io.github.serow.encode.ValueNormalizer;
import io.github.serow.jni.Native;
import io.github.serow.jni.NativeHandle;
import io.github.serow.schema.Type;
import io.github.serow.wire.BufferSpace;
import io.github.serow.wire.FlatRows;
import io.github.serow.wire.Format;
import io.github.serow.wire.TypeMismatch;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * Reusable state of an encoding call: flat rows in Java and a native encoder, with their memory.
 * Calls borrow contexts from a pool.
 */
public final class EncodeContext extends Pool.Kept {
  private static final Pool<EncodeContext> IDLE = new Pool<>();

  /** In place of a length: the message was not encoded. */
  public static final int TOO_LARGE = -1;

  /** Fewer rows don't tell how long a row takes. */
  private static final int MEASURED_ROWS = 256;

  private final FlatRows flat = new FlatRows();
  private final NativeHandle encoder = new NativeHandle(Native.encoderOpen());

  private EncodeContext() {}

  /** The number of idle contexts. */
  static int idle() {
    return IDLE.idle();
  }

  /**
   * Encodes {@code rows} to an array, or returns null if they probably have more than {@code most}
   * bytes as flat rows.
   *
   * @param widening widens the schema for a row that does not fit; null if such a row is an error
   */
  public static byte[] toBytes(
      Binding binding, Object[] rows, Format format, Inference widening, long most) {
    EncodeContext context = lend();
    byte[] message;
    try {
      long length = context.encode(binding, rows, format, widening, null, most);
      message = length == TOO_LARGE ? null : context.take(length);
    } catch (Throwable e) {
      context.close();
      throw e;
    }
    context.giveBack();
    return message;
  }

  /**
   * Encodes {@code rows} to a whole buffer, from its begin. Returns the length of the message in
   * bytes, or {@link #TOO_LARGE} if they probably have more than {@code most} bytes as flat rows.
   *
   * @param buffer nobody else has this object, whose memory may be freed by a getter of the rows
   */
  public static int toBuffer(
      Binding binding, Object[] rows, Format format, ByteBuffer buffer, long most) {
    EncodeContext context = lend();
    long length;
    try {
      length = context.encode(binding, rows, format, null, buffer, most);
    } catch (Throwable e) {
      context.close();
      throw e;
    }
    context.giveBack();
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
    EncodeContext context = lend();
    byte[] message;
    try {
      long plan = binding.plan().address();
      long address = context.encoder.address();
      long length = Native.encoderPutRecords(address, plan, format.code(), records, from, to, rows);
      Reference.reachabilityFence(binding);
      message = context.take(length);
    } catch (Throwable e) {
      context.close();
      throw e;
    }
    context.giveBack();
    return message;
  }

  /**
   * Encodes the rows of batches of Arrow's.
   *
   * @param binding the binding of the schema of the message; null for that of the batches
   */
  public static byte[] ofArrow(NativeHandle arrow, Binding binding, Format format) {
    EncodeContext context = lend();
    byte[] message;
    try {
      long plan = binding == null ? 0 : binding.plan().address();
      long encoder = context.encoder.address();
      long length = Native.encoderPutArrow(encoder, arrow.address(), plan, format.code());
      Reference.reachabilityFence(binding);
      Reference.reachabilityFence(arrow);
      message = context.take(length);
    } catch (Throwable e) {
      context.close();
      throw e;
    }
    context.giveBack();
    return message;
  }

  /**
   * Makes a frame apart from its message, of rows from index {@code first} on. It ends when it is
   * full, or before a row that does not fit. Rows of the frame may be replaced by plain ones.
   *
   * @param isKnown whether the schema will be in the message before the frame
   * @param mostRows the most rows of the frame
   * @param before the number of rows before those in {@code rows}, which errors count too
   */
  public static FramePart part(
      Binding binding,
      Format format,
      boolean isKnown,
      Object[] rows,
      int first,
      int mostRows,
      long before) {
    EncodeContext context = lend();
    FramePart part;
    try {
      part = context.makePart(binding, format, isKnown, rows, first, mostRows, before);
    } catch (Throwable e) {
      context.close();
      throw e;
    }
    context.giveBack();
    return part;
  }

  private FramePart makePart(
      Binding binding,
      Format format,
      boolean isKnown,
      Object[] rows,
      int first,
      int mostRows,
      long before) {
    long begun = System.nanoTime();
    Native.partBegin(
        encoder.address(),
        binding.plan().address(),
        format.code(),
        isKnown,
        before + first,
        mostRows);
    int to = (int) Math.min(rows.length, (long) first + mostRows);
    int row = first;
    boolean isMisfit = false;
    boolean isFull = false;
    while (row < to && !isFull && !isMisfit) {
      flat.clear();
      flat.before = before;
      boolean fits = true;
      int end;
      try {
        end = binding.writer(to - row).write(rows, row, to, flat);
      } catch (TypeMismatch e) {
        end = flat.row;
        fits = false;
      } catch (LimitException e) {
        Type type = binding.root().type();
        throw EncodeDiagnostics.beyondLimit(type, before + flat.row, rows[flat.row], e);
      } catch (SerowException e) {
        throw e;
      } catch (RuntimeException e) {
        Type type = binding.root().type();
        throw EncodeDiagnostics.unreadable(type, before + flat.row, rows[flat.row], e);
      }
      if (end > row) {
        long taken = putPart(end - row);
        row += (int) (taken >> 1);
        isFull = (taken & 1) != 0;
      }
      isMisfit =
          !fits && !isFull && (binding.isMapped() || !ValueNormalizer.replace(rows, row, to));
    }
    long[] info = new long[3];
    NativeHandle frame = new NativeHandle(Native.partEnd(encoder.address(), info));
    Reference.reachabilityFence(binding);
    if (info[2] == 0) {
      Pool.closeIdle();
    }
    if (row - first >= MEASURED_ROWS) {
      binding.writingPace().note(System.nanoTime() - begun, row - first);
    }
    return new FramePart(frame, first, row, info[0], mostRows, (int) info[1], isMisfit);
  }

  private long putPart(int rows) {
    return Native.partPut(
        encoder.address(),
        flat.slots,
        flat.slotCount,
        flat.text,
        flat.textLength,
        flat.bytes,
        flat.bytesLength,
        rows);
  }

  private static EncodeContext lend() {
    NativeHandle.freeUnreachable();
    EncodeContext idle = IDLE.lend();
    return idle != null ? idle : new EncodeContext();
  }

  /** Not called after an error, which may leave the context in any state. */
  private void giveBack() {
    flat.trim();
    IDLE.giveBack(this);
  }

  @Override
  void close() {
    encoder.close();
  }

  /**
   * Encodes all rows in the native encoder, with one native call for each batch of flat rows.
   * Returns the length of the message in bytes. If it does not fit into the buffer, it is dropped.
   * If the first batch tells that there are probably more than {@code most} bytes of flat rows,
   * nothing is encoded, and it returns {@link #TOO_LARGE}.
   *
   * @param to where the message goes; null to keep it for {@link #take}
   */
  private long encode(
      Binding first, Object[] rows, Format format, Inference widening, ByteBuffer to, long most) {
    Binding binding = first;
    int steps = Native.BEGIN;
    for (int at = 0; ; ) {
      int end;
      flat.clear();
      try {
        end = binding.writer(rows.length - at).write(rows, at, rows.length, flat);
      } catch (TypeMismatch e) {
        // The rows before it are complete; the counts exclude the partial row.
        end = flat.row;
        put(binding, format, steps, end - at, to);
        steps = 0;
        Binding fitting = MisfitRows.fitting(binding, rows, end, 0, widening);
        if (fitting != binding) {
          binding = fitting;
          switchTo(binding);
        }
        at = end;
        continue;
      } catch (LimitException e) {
        throw EncodeDiagnostics.beyondLimit(binding.root().type(), flat.row, rows[flat.row], e);
      } catch (SerowException e) {
        throw e;
      } catch (RuntimeException e) {
        throw EncodeDiagnostics.unreadable(binding.root().type(), flat.row, rows[flat.row], e);
      }
      if (steps == Native.BEGIN && end > 0 && flat.size() * (rows.length / end) > most) {
        return TOO_LARGE;
      }
      if (end == rows.length) {
        long result = put(binding, format, steps | Native.END, end - at, to);
        if ((result & 1) == 0) {
          // The budget had no space for this encoder's memory: make space before its next message.
          Pool.closeIdle();
        }
        return result >> 1;
      }
      if (end > at) {
        put(binding, format, steps, end - at, to);
        steps = 0;
      }
      at = end;
    }
  }

  private long put(Binding binding, Format format, int steps, int rows, ByteBuffer to) {
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
            flat.slots,
            flat.slotCount,
            flat.text,
            flat.textLength,
            flat.bytes,
            flat.bytesLength,
            rows,
            to == null || isDirect ? null : to.array(),
            isDirect ? to : null,
            to == null || isDirect ? 0 : to.arrayOffset(),
            to == null ? 0 : to.capacity());
    Reference.reachabilityFence(binding);
    return result;
  }

  private void switchTo(Binding wider) {
    Native.encoderSwitch(encoder.address(), wider.plan().address());
    Reference.reachabilityFence(wider);
  }

  /** The finished message of this length. */
  private byte[] take(long length) {
    if (length > Integer.MAX_VALUE - 8) {
      throw new LimitException(
          "the message takes " + length + " bytes, more than an array can hold; encode fewer rows");
    }
    byte[] message = new byte[(int) length];
    if (!Native.encoderTake(encoder.address(), message)) {
      Pool.closeIdle();
    }
    return message;
  }
}
