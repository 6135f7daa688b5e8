package io.github.serow.message;

import io.github.serow.DecodeException;
import io.github.serow.LimitException;
import io.github.serow.SerowException;
import io.github.serow.Threads;
import io.github.serow.Wire;
import io.github.serow.codec.Binding;
import io.github.serow.codec.DecodeContext;
import io.github.serow.codec.EncodeContext;
import io.github.serow.codec.ReadOptions;
import io.github.serow.compression.BodyCompressor;
import io.github.serow.encode.Inference;
import io.github.serow.jni.NativeLibrary;
import io.github.serow.wire.Format;
import io.github.serow.wire.RecordIn;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;

/**
 * Encodes and decodes messages: in native code if it is loaded, otherwise in Java. Small messages
 * of the row wire are always decoded in Java, and encoded in Java if the caller names no wire.
 */
public final class Messages {
  /**
   * The maximum length in bytes of the messages of the row wire that Java decodes. Java makes rows
   * directly from records, which is faster for few rows. Native code makes columns from the records
   * first, and Java makes rows from the columns.
   */
  private static final int SMALL = 32 << 10;

  private Messages() {}

  private static boolean isNative(Format format) {
    if (format.wire() == Wire.FRAME) {
      NativeLibrary.require("the frame wire");
    }
    return NativeLibrary.isLoaded();
  }

  /**
   * Encodes rows to an array: a small message on the row wire, in Java, and a larger one on the
   * frame wire.
   *
   * @param rows the rows; rows that are not plain may be replaced
   * @param sample the inference of the binding's schema from the rows
   * @param small the format of a small message; its compression does not count for the size
   * @param large the format of a larger one
   * @param threads which threads may make a larger one
   * @throws SerowException if the message needs native code, which is not loaded
   */
  public static byte[] toBytes(
      Binding binding,
      Object[] rows,
      Inference sample,
      Format small,
      Format large,
      Threads threads) {
    if (NativeLibrary.isLoaded() && RowMessageWriter.isTooLarge(binding, rows.length)) {
      byte[] message = toFrames(binding, rows, sample.copy(), large, threads);
      if (message != null) {
        return message;
      }
    }
    byte[] message = RowMessageWriter.toBytesIfSmall(binding, rows, sample.copy());
    if (message != null) {
      return small.compression().isNone()
          ? message
          : toBytes(binding, rows, small, Threads.one(), sample);
    }
    NativeLibrary.require(
        "the frame wire, on which messages of more than 128 rows or 16 KiB are by default,");
    return toBytes(binding, rows, large, threads, sample);
  }

  /**
   * Encodes rows in frames if all fit the binding. Otherwise returns null: then they may take fewer
   * bytes than its type.
   */
  private static byte[] toFrames(
      Binding binding, Object[] rows, Inference widening, Format format, Threads threads) {
    try {
      byte[] message = toBytes(binding, rows, format, threads, widening);
      return widening.hasWidened() ? null : message;
    } catch (LimitException e) {
      return null;
    }
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
    if (!isNative(format)) {
      return RowMessageWriter.toBytes(binding, rows, BodyCompressor.of(format), widening);
    }
    return ManyFrames.suit(rows, threads)
        ? ManyFrames.toBytes(binding, rows, format, threads, widening)
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
      if (!isNative(format)) {
        length = RowMessageWriter.toBuffer(binding, rows, BodyCompressor.of(format), to);
      } else {
        length =
            ManyFrames.suit(rows, threads)
                ? ManyFrames.toBuffer(binding, rows, format, threads, to)
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
    if (options.expected() != null && message.length >= Long.BYTES) {
      refuseRecord(RecordIn.longAt(message, 0), options.expected());
    }
    ArrayList<Object> rows = readInJava(message, 0, message.length, options);
    return rows != null ? rows : DecodeContext.read(message, options);
  }

  /** Decodes the message between position and limit of {@code message}, and moves its position. */
  public static ArrayList<Object> read(ByteBuffer message, ReadOptions options) {
    int position = message.position();
    int length = message.remaining();
    if (options.expected() != null && length >= Long.BYTES) {
      ByteBuffer little = message.duplicate().order(ByteOrder.LITTLE_ENDIAN);
      refuseRecord(little.getLong(position), options.expected());
    }
    ArrayList<Object> rows;
    if (NativeLibrary.isLoaded() && length > SMALL) {
      rows = null;
    } else if (message.hasArray()) {
      rows = readInJava(message.array(), message.arrayOffset() + position, length, options);
    } else {
      byte[] bytes = new byte[length];
      message.get(position, bytes);
      rows = readInJava(bytes, 0, length, options);
    }
    if (rows == null) {
      return DecodeContext.read(message, options);
    }
    message.position(position + length);
    return rows;
  }

  /** Refuses bytes that begin like a single record of the expected schema. */
  private static void refuseRecord(long first, Binding expected) {
    if (first == expected.fingerprint() && first != FrameHeader.MESSAGE) {
      throw new DecodeException(
          "these bytes are a single record and no message; read them with decodeOne",
          null,
          -1,
          null,
          0);
    }
  }

  /** The rows of a message, or null if native code should read it. */
  private static ArrayList<Object> readInJava(
      byte[] bytes, int start, int length, ReadOptions options) {
    if (!NativeLibrary.isLoaded()) {
      return RowMessageReader.read(bytes, start, length, options);
    }
    Binding expected = options.expected();
    if (length > SMALL || !RowMessageReader.canRead(bytes, start, length, expected)) {
      return null;
    }
    try {
      return RowMessageReader.read(bytes, start, length, options);
    } catch (DecodeException e) {
      if (expected != null && expected.isMapped()) {
        // Constructors of the caller's classes must not run twice.
        throw e;
      }
      // Native code says more about the place of an error.
      return null;
    }
  }
}
