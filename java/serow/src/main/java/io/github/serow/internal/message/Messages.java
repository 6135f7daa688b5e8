package io.github.serow.internal.message;

import io.github.serow.SerowException;
import io.github.serow.Wire;
import io.github.serow.internal.codec.Binding;
import io.github.serow.internal.codec.DecodeContext;
import io.github.serow.internal.codec.EncodeContext;
import io.github.serow.internal.codec.ReadOptions;
import io.github.serow.internal.compression.BodyCompression;
import io.github.serow.internal.encode.Inference;
import io.github.serow.internal.jni.NativeLibrary;
import io.github.serow.internal.schema.SharedSecrets;
import io.github.serow.internal.wire.BufferSpace;
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
   * Encodes rows to an array. If the options have no wire, a small message is on the row wire and a
   * larger one on the frame wire, or on the row wire too where native code is missing.
   *
   * @param rows the rows; rows that are not plain may be replaced
   * @param widening widens the schema for a row that does not fit; null if such a row is an error
   * @throws SerowException if the format needs native code or a library for its compression, and
   *     neither is there
   */
  public static byte[] toBytes(
      Binding binding, Object[] rows, WriteOptions options, Inference widening) {
    byte[] small = smallToBytes(binding, rows, options, widening);
    return small != null ? small : toBytes(binding, rows, options, format(options), widening);
  }

  /** The format of a message that is not small. */
  private static Format format(WriteOptions options) {
    return NativeLibrary.isLoaded() ? options.format() : options.smallFormat();
  }

  /** Encodes rows if their size decides on the wire and they are few; otherwise returns null. */
  private static byte[] smallToBytes(
      Binding binding, Object[] rows, WriteOptions options, Inference widening) {
    if (options.wire() != null || !NativeLibrary.isLoaded()) {
      return null;
    }
    Inference copy = widening == null ? null : widening.copy();
    byte[] message = RowMessageWriter.toBytesIfSmall(binding, rows, copy);
    // Its compression does not count for the size.
    return message == null || options.compression().isNone()
        ? message
        : toBytes(binding, rows, options, options.smallFormat(), widening);
  }

  private static byte[] toBytes(
      Binding binding, Object[] rows, WriteOptions options, Format format, Inference widening) {
    if (isInJava(format)) {
      BodyCompression compression = BodyCompression.of(format.compression());
      return RowMessageWriter.toBytes(binding, rows, compression, widening);
    }
    NativeLibrary.require("the frame wire");
    return ParallelMessage.suit(rows, options.threads())
        ? ParallelMessage.toBytes(binding, rows, format, options.threads(), widening)
        : EncodeContext.toBytes(binding, rows, format, widening);
  }

  /**
   * Encodes rows to a buffer at its position. Returns the length of the message in bytes.
   *
   * @throws SerowException if the format needs native code or a library for its compression, and
   *     neither is there
   */
  public static int toBuffer(
      Binding binding, Object[] rows, WriteOptions options, ByteBuffer buffer) {
    // Getters of the rows may change the caller's buffer.
    int begin = buffer.position();
    ByteBuffer to = buffer.slice();
    int length;
    try {
      byte[] small = smallToBytes(binding, rows, options, null);
      if (small != null) {
        BufferSpace.check("message", small.length, to.remaining());
        to.put(small);
        length = small.length;
      } else {
        length = toBuffer(binding, rows, options, format(options), to);
      }
    } catch (Throwable e) {
      invalidate(to);
      throw e;
    }
    buffer.position(begin + length);
    return length;
  }

  private static int toBuffer(
      Binding binding, Object[] rows, WriteOptions options, Format format, ByteBuffer to) {
    if (isInJava(format)) {
      BodyCompression compression = BodyCompression.of(format.compression());
      return RowMessageWriter.toBuffer(binding, rows, compression, to);
    }
    NativeLibrary.require("the frame wire");
    return ParallelMessage.suit(rows, options.threads())
        ? ParallelMessage.toBuffer(binding, rows, format, options.threads(), to)
        : EncodeContext.toBuffer(binding, rows, format, to);
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
