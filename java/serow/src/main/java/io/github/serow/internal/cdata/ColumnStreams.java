package io.github.serow.internal.cdata;

import io.github.serow.Codec;
import io.github.serow.Wire;
import io.github.serow.internal.codec.Binding;
import io.github.serow.internal.codec.CodecParts;
import io.github.serow.internal.codec.ReadOptions;
import io.github.serow.internal.encode.GivenRows;
import io.github.serow.internal.encode.Inference;
import io.github.serow.internal.jni.Native;
import io.github.serow.internal.jni.NativeLibrary;
import io.github.serow.internal.message.Messages;
import io.github.serow.internal.message.WriteOptions;
import java.lang.ref.Reference;
import java.util.List;

/**
 * Rows as streams of Arrow's C data interface, for {@code serow-arrow}. The caller gives the
 * address of a stream that is released, and must release it.
 */
public final class ColumnStreams {
  /** What needs the native library. */
  static final String ARROW = "making columns of Arrow's, or reading them,";

  private static final WriteOptions FRAMES = WriteOptions.STANDARD.withWire(Wire.FRAME);

  private ColumnStreams() {}

  /**
   * Writes a stream of rows.
   *
   * @param codec the codec of the rows; null for rows of the schema that fits all of them
   * @param batchRows the most rows of a batch
   */
  public static void ofRows(Codec<?> codec, List<?> rows, int batchRows, long stream) {
    NativeLibrary.require(ARROW);
    Object[] all = GivenRows.of(rows);
    ReadOptions options =
        codec == null
            ? ReadOptions.of(Binding.of(Inference.ofAll(all)))
            : CodecParts.options(codec);
    Binding binding = options.expected();
    byte[] message = Messages.toBytes(binding, all, FRAMES.withThreads(options.threads()), null);
    write(message, ReadOptions.of(binding), batchRows, stream);
  }

  /**
   * Writes a stream of the rows of a message.
   *
   * @param codec the codec with the schema of the columns; null for the message's own
   * @param batchRows the most rows of a batch
   */
  public static void ofMessage(Codec<?> codec, byte[] message, int batchRows, long stream) {
    NativeLibrary.require(ARROW);
    write(
        message,
        codec == null ? ReadOptions.of(null) : CodecParts.options(codec),
        batchRows,
        stream);
  }

  private static void write(byte[] message, ReadOptions options, int batchRows, long stream) {
    Native.arrowStream(message, options.plan(), options.maxMemory(), batchRows, stream);
    Reference.reachabilityFence(options);
  }
}
