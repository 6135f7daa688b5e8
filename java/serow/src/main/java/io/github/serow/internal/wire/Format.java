package io.github.serow.internal.wire;

import io.github.serow.Compression;
import io.github.serow.Wire;

/**
 * How the frames of a message are written.
 *
 * @param code the number by which native code knows it ({@code crates/jvm/src/format.rs})
 */
public record Format(Wire wire, Compression compression, int code) {
  /** Frames without compression. */
  public static final Format FRAMES =
      new Format(Wire.FRAME, Compression.none(), Wire.FRAME.ordinal());
}
