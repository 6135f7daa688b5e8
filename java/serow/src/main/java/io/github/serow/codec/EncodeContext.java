package io.github.serow.codec;

import io.github.serow.BufferTooSmallException;
import io.github.serow.LimitException;
import io.github.serow.SerowException;
import io.github.serow.Wire;
import io.github.serow.encode.EncodeDiagnostics;
import io.github.serow.encode.Inference;
import io.github.serow.jni.Native;
import io.github.serow.jni.NativeHandle;
import io.github.serow.wire.FlatRows;
import io.github.serow.wire.TypeMismatch;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * Reusable state of an encoding call: flat rows in Java and a native encoder, with their memory.
 * Calls borrow contexts from a pool.
 */
public final class EncodeContext extends Pool.Kept {
  private static final Pool<EncodeContext> IDLE = new Pool<>();

  private final FlatRows flat = new FlatRows();
  private final NativeHandle encoder = new NativeHandle(Native.encoderOpen(), Native::encoderClose);

  private EncodeContext() {}

  /** The number of idle contexts. */
  static int idle() {
    return IDLE.idle();
  }

  /** Encodes {@code rows} to an array; see {@link #encode}. */
  public static byte[] toBytes(Binding binding, Object[] rows, Wire wire, Inference widening) {
    EncodeContext context = lend();
    try {
      byte[] message = context.takeBytes(context.encode(binding, rows, wire, widening));
      context.giveBack();
      return message;
    } catch (Throwable e) {
      context.close();
      throw e;
    }
  }

  /**
   * Encodes {@code rows} to a buffer at its position. Returns the length of the message in bytes.
   */
  public static int toBuffer(Binding binding, Object[] rows, Wire wire, ByteBuffer buffer) {
    EncodeContext context = lend();
    try {
      int length = context.takeInto(buffer, context.encode(binding, rows, wire, null));
      context.giveBack();
      return length;
    } catch (Throwable e) {
      context.close();
      throw e;
    }
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
   * Encodes all rows in the native encoder. Returns the length of the message in bytes.
   *
   * @param widening widens the schema for a row that does not fit; null if such a row is an error
   */
  private long encode(Binding first, Object[] rows, Wire wire, Inference widening) {
    Binding binding = first;
    begin(binding, wire);
    for (int at = 0; at < rows.length; ) {
      int end;
      flat.clear();
      try {
        end = binding.writer(rows.length - at).write(rows, at, rows.length, flat);
      } catch (TypeMismatch e) {
        // The rows before it are complete; the counts exclude the partial row.
        end = flat.row;
        put(end - at);
        Binding fitting = MisfitRows.fitting(binding, rows, end, widening);
        if (fitting != binding) {
          binding = fitting;
          switchTo(binding);
        }
        at = end;
        continue;
      } catch (SerowException e) {
        throw e;
      } catch (RuntimeException e) {
        throw EncodeDiagnostics.unreadable(binding.root().type(), flat.row, rows[flat.row], e);
      }
      put(end - at);
      at = end;
    }
    return Native.encoderFinish(encoder.address());
  }

  private void begin(Binding binding, Wire wire) {
    Native.encoderBegin(encoder.address(), binding.plan().address(), wire.ordinal());
    Reference.reachabilityFence(binding);
  }

  private void put(int rows) {
    if (rows > 0) {
      Native.encoderPut(
          encoder.address(),
          flat.slots,
          flat.slotCount,
          flat.text,
          flat.textLength,
          flat.bytes,
          flat.bytesLength,
          rows);
    }
  }

  private void switchTo(Binding wider) {
    Native.encoderSwitch(encoder.address(), wider.plan().address());
    Reference.reachabilityFence(wider);
  }

  private byte[] takeBytes(long length) {
    if (length > Integer.MAX_VALUE - 8) {
      throw new LimitException(
          "the message takes " + length + " bytes, more than an array can hold; encode fewer rows");
    }
    byte[] message = new byte[(int) length];
    settle(Native.encoderTake(encoder.address(), message, 0));
    return message;
  }

  /** If the budget had no space for this encoder's memory, makes space before its next message. */
  private static void settle(boolean isWithinBudget) {
    if (!isWithinBudget) {
      Pool.closeIdle();
    }
  }

  private int takeInto(ByteBuffer buffer, long length) {
    if (length > buffer.remaining()) {
      throw new BufferTooSmallException(
          "the message takes "
              + length
              + " bytes and the buffer has "
              + buffer.remaining()
              + "; use a larger one",
          length);
    }
    int position = buffer.position();
    if (buffer.hasArray()) {
      settle(
          Native.encoderTake(encoder.address(), buffer.array(), buffer.arrayOffset() + position));
    } else {
      settle(Native.encoderTakeDirect(encoder.address(), buffer, position));
      Reference.reachabilityFence(buffer);
    }
    buffer.position(position + (int) length);
    return (int) length;
  }
}
