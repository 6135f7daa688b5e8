package io.github.serow.compression;

import io.github.serow.Compression;
import io.github.serow.SerowException;
import io.github.serow.jni.NativeLibrary;
import io.github.serow.wire.Format;
import io.github.serow.wire.Limits;
import io.github.serow.wire.RecordOut;

/**
 * Compresses the bodies of a message's frames without native code, by the rules of {@code
 * crates/core/src/wire/compression.rs}: what does not shrink stays plain.
 */
public final class BodyCompressor {
  /** The bytes of the length before a compressed body. */
  static final int LENGTH = Long.BYTES;

  /** Bodies of fewer bytes are not compressed. */
  private static final int LEAST = 64;

  /** LZ4 does not compress bodies of more bytes. */
  private static final int MAX_LZ4_BODY = 1 << 30;

  private static final int MAX_ARRAY = Integer.MAX_VALUE - 16;

  private final BodyFormat format;
  private final CompressionLibrary library;
  private final int level;

  /** The last result, and older bytes after it. */
  private byte[] packed = {};

  private BodyCompressor(BodyFormat format, CompressionLibrary library, int level) {
    this.format = format;
    this.library = library;
    this.level = level;
  }

  /**
   * The compressor for messages of this format; null if it has no compression.
   *
   * @throws SerowException if there is no library that can compress like this
   */
  public static BodyCompressor of(Format format) {
    if (format.compression().isNone()) {
      return null;
    }
    BodyFormat bodies = BodyFormat.of(format.compressionNumber());
    String what = "compression (" + format.compression() + ")";
    CompressionLibrary library = bodies.library(what);
    boolean needsLevel =
        bodies == BodyFormat.ZSTD && !format.compression().equals(Compression.zstd());
    if (needsLevel && !library.hasLevels()) {
      throw NativeLibrary.missing(
          what,
          "Without it, add com.github.luben:zstd-jni"
              + BodyFormat.TO_PROGRAM
              + ", or use Compression.zstd(): "
              + library.artifact()
              + " has no levels"
              + bodies.problems());
    }
    return new BodyCompressor(bodies, library, format.compressionLevel());
  }

  /** The number of the format in the header of a frame. */
  public int number() {
    return format.ordinal() + 1;
  }

  /** The most bytes of a plain body whose compressed form has {@code packed} bytes. */
  static long maxPlain(int packed) {
    return (long) packed * Limits.PACKED_GAIN + (64 << 20);
  }

  /**
   * Compresses the body from {@code begin} to {@code end}, and puts the result in its place.
   * Returns the result's end; -1 if the body stays plain because it would not shrink.
   */
  public int compress(RecordOut out, int begin, int end) {
    int length = end - begin;
    if (length < LEAST || format == BodyFormat.LZ4 && length > MAX_LZ4_BODY) {
      return -1;
    }
    long room = library.room(length);
    if (room > MAX_ARRAY - LENGTH) {
      return -1;
    }
    if (packed.length < LENGTH + room) {
      packed = new byte[LENGTH + (int) room];
    }
    int size = library.compress(out.bytes, begin, end, packed, LENGTH, (int) room, level);
    // Readers refuse a body that shrank too much, because they can't tell it from a trap.
    if (size < 0 || LENGTH + size >= length || length > maxPlain(size)) {
      return -1;
    }
    out.putLong(begin, length);
    System.arraycopy(packed, LENGTH, out.bytes, begin + LENGTH, size);
    return begin + LENGTH + size;
  }
}
