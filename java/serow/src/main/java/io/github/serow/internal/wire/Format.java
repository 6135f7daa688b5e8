package io.github.serow.internal.wire;

import io.github.serow.Compression;
import io.github.serow.Wire;

/**
 * How the frames of a message are written.
 *
 * @param code the number by which native code knows it ({@code crates/jvm/src/format.rs})
 */
public record Format(Wire wire, Compression compression, int code) {
  /** A wire without compression. No constant: {@link Compression} has formats itself. */
  public static Format plain(Wire wire) {
    return new Format(wire, Compression.none(), wire.ordinal());
  }
}
