package io.github.serow.wire;

import io.github.serow.Compression;
import io.github.serow.Wire;

/**
 * How the frames of a message are written.
 *
 * @param code the number by which native code knows it ({@code crates/jvm/src/format.rs})
 */
public record Format(Wire wire, Compression compression, int code) {
  /** What native code takes for a compression by the caller ({@code ByCaller} in the core). */
  private static final int BY_CALLER = 3;

  /** Frames without compression. */
  public static final Format FRAMES =
      new Format(Wire.FRAME, Compression.none(), Wire.FRAME.ordinal());

  /** Frames with small text, for a caller that compresses or keeps them. */
  public static final Format SMALL_FRAMES =
      new Format(Wire.FRAME, Compression.none(), Wire.FRAME.ordinal() | BY_CALLER << Byte.SIZE);
}
