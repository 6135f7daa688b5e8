package io.github.serow.internal.message;

import io.github.serow.DecodeException;
import io.github.serow.SerowException;
import io.github.serow.Threads;
import io.github.serow.Wire;
import io.github.serow.internal.codec.Binding;
import io.github.serow.internal.codec.DecodeContext;
import io.github.serow.internal.codec.EncodeContext;
import io.github.serow.internal.codec.ReadOptions;
import io.github.serow.internal.compression.BodyCompression;
import io.github.serow.internal.encode.Inference;
import io.github.serow.internal.jni.NativeLibrary;
import io.github.serow.internal.schema.SharedSecrets;
import io.github.serow.internal.wire.Format;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;

/**
 * Encodes and decodes messages: Java those of the row wire, and native code those of the frame
 * wire. Where native code is loaded, it also does messages that are compressed.
 */
public final class Messages {
  private Messages() {}

  /** Whether Java writes messages of this format. */
  public static boolean isInJava(Format format) {
    boolean isLoaded = NativeLibrary.isLoaded();
    return format.wire() == Wire.ROW && (!isLoaded || format.compression().isNone());
  }

  /**
   * Encodes rows to an array: a small message on the row wire, and a larger one on the frame wire.
   * Where native code is missing, all messages are on the row wire.
   *
   * @param rows the rows; rows that are not plain may be replaced
   * @param sample the inference of the binding's schema from the rows
   * @param small the format of a small message; its compression does not count for the size
   * @param large the format of a larger one
   * @param threads which threads may make a message in native code
   * @throws SerowException if the compression needs a library, which is missing
   */
  public static byte[] toBytes(
      Binding binding,
      Object[] rows,
      Inference sample,
      Format small,
      Format large,
      Threads threads) {
    if (!NativeLibrary.isLoaded()) {
      return toBytes(binding, rows, small, threads, sample);
    }
    byte[] message = RowMessageWriter.toBytesIfSmall(binding, rows, sample.copy());
    if (message == null) {
      return toBytes(binding, rows, large, threads, sample);
    }
    return small.compression().isNone()
        ? message
        : toBytes(binding, rows, small, Threads.one(), sample);
  }

  /**
   * Encodes rows to an array.
   *
   * @param rows the rows; rows that are not plain may be replaced
   * @param threads which threads may do it in native code
   * @param widening widens the schema for a row that does not fit; null if such a row is an error
   * @throws SerowException if the format needs native code or a library for its compression, and
   *     neither is there
   */
  public static byte[] toBytes(
      Binding binding, Object[] rows, Format format, Threads threads, Inference widening) {
    if (isInJava(format)) {
      BodyCompression compression = BodyCompression.of(format.compression());
      return RowMessageWriter.toBytes(binding, rows, compression, widening);
    }
    NativeLibrary.require("the frame wire");
    return ParallelMessage.suit(rows, threads)
        ? ParallelMessage.toBytes(binding, rows, format, threads, widening)
        : EncodeContext.toBytes(binding, rows, format, widening);
  }

  /**
   * Encodes rows to a buffer at its position. Returns the length of the message in bytes.
   *
   * @throws SerowException if the format needs native code or a library for its compression, and
   *     neither is there
   */
  public static int toBuffer(
      Binding binding, Object[] rows, Format format, Threads threads, ByteBuffer buffer) {
    // Getters of the rows may change the caller's buffer.
    int begin = buffer.position();
    ByteBuffer to = buffer.slice();
    int length;
    try {
      if (isInJava(format)) {
        BodyCompression compression = BodyCompression.of(format.compression());
        length = RowMessageWriter.toBuffer(binding, rows, compression, to);
      } else {
        NativeLibrary.require("the frame wire");
        length =
            ParallelMessage.suit(rows, threads)
                ? ParallelMessage.toBuffer(binding, rows, format, threads, to)
                : EncodeContext.toBuffer(binding, rows, format, to);
      }
    } catch (Throwable e) {
      invalidate(to);
      throw e;
    }
    buffer.position(begin + length);
    return length;
  }

  /** Ensures that nobody takes an older message in the buffer for the one that was not written. */
  private static void invalidate(ByteBuffer buffer) {
    try {
      if (buffer.capacity() > 0) {
        buffer.put(0, (byte) 0);
      }
    } catch (IllegalStateException e) {
      // Its memory was freed.
    }
  }

  /** Decodes a message. */
  public static ArrayList<Object> read(byte[] message, ReadOptions options) {
    return read(ByteBuffer.wrap(message), options);
  }

  /** Decodes the message between position and limit of {@code message}, and moves its position. */
  public static ArrayList<Object> read(ByteBuffer message, ReadOptions options) {
    ByteBuffer bytes = message.slice().order(ByteOrder.LITTLE_ENDIAN);
    Binding expected = options.expected();
    if (expected != null) {
      refuseRecord(bytes, expected);
    }
    if (NativeLibrary.isLoaded() && needsNative(bytes)) {
      return DecodeContext.read(message, options);
    }
    ArrayList<Object> rows;
    int length = message.remaining();
    if (message.hasArray()) {
      int offset = message.arrayOffset() + message.position();
      rows = RowMessageReader.read(message.array(), offset, length, options);
    } else {
      byte[] copy = new byte[length];
      bytes.get(copy);
      rows = RowMessageReader.read(copy, 0, length, options);
    }
    message.position(message.limit());
    return rows;
  }

  /** Refuses bytes that begin like a single record of the expected schema. */
  private static void refuseRecord(ByteBuffer bytes, Binding expected) {
    if (bytes.limit() >= Long.BYTES
        && bytes.getLong(0) == expected.fingerprint()
        && !FrameHeader.isMessage(bytes)) {
      throw new DecodeException(
          "these bytes are a single record and no message; read them with decodeOne",
          null,
          -1,
          null,
          0);
    }
  }

  /**
   * Whether a message has a frame that only native code reads: one of the frame wire, or a
   * compressed one. Then native code reads all of it. This checks nothing, and looks only at frames
   * before an error in their lengths.
   */
  private static boolean needsNative(ByteBuffer bytes) {
    if (!FrameHeader.isMessage(bytes)) {
      return FrameHeader.isStream(bytes);
    }
    int at = FrameHeader.MESSAGE_LENGTH;
    while (bytes.limit() - at >= FrameHeader.LENGTH) {
      FrameHeader header = FrameHeader.at(bytes, at);
      if (!header.fitsIn(bytes.limit() - at)) {
        return false;
      }
      if (header.content() == FrameHeader.FRAME_WIRE || header.compression() != 0) {
        return true;
      }
      if (header.isLast()) {
        return false;
      }
      at += (int) header.length();
    }
    return false;
  }

  /** Whether the schema in these {@code length} bytes is that of the binding. */
  static boolean isOf(Binding binding, ByteBuffer bytes, int from, int length) {
    return bytes.slice(from, length).equals(ByteBuffer.wrap(SharedSecrets.bytes(binding.schema())));
  }
}
