package io.github.serow.internal.cdata;

import io.github.serow.Codec;
import io.github.serow.Wire;
import io.github.serow.internal.codec.CodecParts;
import io.github.serow.internal.codec.DecodeContext;
import io.github.serow.internal.codec.EncodeContext;
import io.github.serow.internal.codec.ReadOptions;
import io.github.serow.internal.jni.Native;
import io.github.serow.internal.jni.NativeHandle;
import io.github.serow.internal.jni.NativeLibrary;
import io.github.serow.internal.wire.Format;
import java.lang.ref.Reference;
import java.util.ArrayList;

/**
 * Batches by Arrow's C data interface, all of one schema, for {@code serow-arrow}. Native code
 * takes over the structures at the addresses that it gets, whatever happens. One thread at a time
 * may use this object.
 */
public final class GivenBatches implements AutoCloseable {
  private final ReadOptions options;
  private final Format format;
  private final NativeHandle batches;

  /** Reads rows; null before the first rows. */
  private DecodeContext context;

  /**
   * Begins.
   *
   * @param codec the codec of the rows; null for their own schema
   * @param schema the address of an exported schema of columns
   */
  public GivenBatches(Codec<?> codec, long schema) {
    NativeLibrary.require(ColumnStreams.ARROW);
    options = codec == null ? ReadOptions.of(null) : CodecParts.options(codec);
    format = codec == null ? Format.plain(Wire.FRAME) : CodecParts.format(codec);
    batches = new NativeHandle(Native.arrowOpen(options.plan(), schema));
    Reference.reachabilityFence(options);
  }

  /**
   * Adds a batch.
   *
   * @param array the address of an exported array of the schema's type
   */
  public void add(long array) {
    Native.arrowAdd(batches.address(), array);
    Reference.reachabilityFence(this);
  }

  /** Appends the rows of the batches that were added, and drops these. */
  public void readRows(ArrayList<Object> rows) {
    if (context == null) {
      context = DecodeContext.ofArrow(options);
    }
    try {
      context.readArrow(batches, rows);
    } catch (Throwable e) {
      // Don't reuse a context after an error: it may be in any state.
      context.close();
      context = null;
      throw e;
    }
  }

  /** A message with the rows of all batches. */
  public byte[] message() {
    return EncodeContext.ofArrow(batches, options.expected(), format);
  }

  @Override
  public void close() {
    try {
      if (context != null) {
        context.end();
      }
    } finally {
      batches.close();
    }
  }
}
