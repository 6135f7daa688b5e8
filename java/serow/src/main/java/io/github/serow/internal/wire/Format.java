package io.github.serow.internal.wire;

import io.github.serow.Compression;
import io.github.serow.Wire;

/**
 * How the frames of a message are written.
 *
 * @param code the number by which native code knows it ({@code crates/jvm/src/format.rs})
 */
public record Format(Wire wire, Compression compression, int code) {
  /** The row wire without compression. */
  public static final Format ROWS = plain(Wire.ROW);

  /** The frame wire without compression. */
  public static final Format FRAMES = plain(Wire.FRAME);

  private static Format plain(Wire wire) {
    return new Format(wire, Compression.none(), wire.ordinal());
  }
}
