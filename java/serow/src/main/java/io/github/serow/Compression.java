package io.github.serow;

import io.github.serow.internal.message.WriteOptions;
import io.github.serow.internal.wire.Format;
import java.util.Locale;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * How the rows of a message are compressed. Readers find out by themselves.
 *
 * <pre>{@code
 * byte[] message = Codec.of(Part.class).withCompression(Compression.zstd()).encodeAll(parts);
 * }</pre>
 *
 * <p>Each frame is compressed for itself, and one that would not become smaller stays as it is.
 * Schemas, headers and records are never compressed.
 *
 * <p>Where the native library can't be loaded, messages of the row wire are compressed in Java if
 * the program has the library {@code io.airlift:aircompressor}. It has one level of zstd, that of
 * {@link #zstd()}. Otherwise compression is a {@link SerowException}, which says what to add.
 */
@NullMarked
public final class Compression {
  private enum Kind {
    NONE,
    ZSTD,
    LZ4
  }

  private static final int LEAST_LEVEL = -7;
  private static final int MOST_LEVEL = 22;

  /** The level that serow prefers: {@code DEFAULT_LEVEL} of {@code crates/core}. */
  private static final int DEFAULT_LEVEL = 1;

  private static final Compression NONE = new Compression(Kind.NONE, 0);
  private static final Compression ZSTD = new Compression(Kind.ZSTD, DEFAULT_LEVEL);
  private static final Compression LZ4 = new Compression(Kind.LZ4, 0);

  private final Kind kind;
  private final int level;

  private final Format rows;
  private final Format frames;

  private Compression(Kind kind, int level) {
    this.kind = kind;
    this.level = level;
    rows = format(Wire.ROW);
    frames = format(Wire.FRAME);
  }

  private Format format(Wire wire) {
    int compression = kind.ordinal() | level << Byte.SIZE;
    return new Format(wire, this, wire.ordinal() | compression << Byte.SIZE);
  }

  /**
   * No compression.
   *
   * @return the compression
   */
  public static Compression none() {
    return NONE;
  }

  /**
   * Compression by zstd, at a fast level.
   *
   * @return the compression
   */
  public static Compression zstd() {
    return ZSTD;
  }

  /**
   * Compression by zstd.
   *
   * @param level from -7 (fast) to 22 (small)
   * @return the compression
   * @throws IllegalArgumentException if there is no such level
   */
  public static Compression zstd(int level) {
    if (level < LEAST_LEVEL || level > MOST_LEVEL) {
      throw new IllegalArgumentException(
          "level must be from "
              + LEAST_LEVEL
              + " (fast) to "
              + MOST_LEVEL
              + " (small) for zstd, not "
              + level);
    }
    return new Compression(Kind.ZSTD, level);
  }

  /**
   * Compression by LZ4: larger than by zstd, and unpacked faster.
   *
   * @return the compression
   */
  public static Compression lz4() {
    return LZ4;
  }

  /**
   * Whether rows stay as they are.
   *
   * @return whether this is {@link #none}
   */
  public boolean isNone() {
    return kind == Kind.NONE;
  }

  /** Options with this compression. */
  WriteOptions in(WriteOptions options) {
    return options.withFormats(rows, frames);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Compression it && it.kind == kind && it.level == level;
  }

  @Override
  public int hashCode() {
    return frames.code();
  }

  /** The name, and for zstd the level. */
  @Override
  public String toString() {
    String name = kind.name().toLowerCase(Locale.ROOT);
    return kind == Kind.ZSTD ? name + "(" + level + ")" : name;
  }
}
