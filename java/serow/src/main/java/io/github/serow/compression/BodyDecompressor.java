package io.github.serow.compression;

import io.github.serow.LimitException;
import io.github.serow.SerowException;
import io.github.serow.wire.ObjectSizes;
import io.github.serow.wire.RecordIn;

/**
 * Decompresses bodies of frames without native code. It refuses the same bodies, with the same
 * words, as {@code crates/core/src/wire/compression.rs}.
 */
public final class BodyDecompressor {
  /**
   * The bytes after a plain body in its array. LZ4 libraries want some for copies of whole words
   * near the end.
   */
  static final int SLACK = 16;

  private static final int MAX_ARRAY = Integer.MAX_VALUE - 16;

  /**
   * A decompressed body.
   *
   * @param bytes the body, and other bytes after it
   * @param length the length of the body
   */
  public record PlainBody(byte[] bytes, int length) {}

  private BodyDecompressor() {}

  /**
   * Decompresses the body between these positions.
   *
   * @param number the number of its format in the header of its frame, not 0
   * @param what what needs a library, for an error
   * @param maxMemory the most bytes that a plain body may have; negative for any
   * @throws DamagedBodyException if the body is damaged, or its size not as it claims
   * @throws LimitException if the plain body is too large for an array or for the heap
   * @throws SerowException if there is no library for the format
   */
  public static PlainBody decompress(
      int number, String what, byte[] bytes, int begin, int end, long maxMemory)
      throws DamagedBodyException {
    CompressionLibrary library = BodyFormat.of(number).library(what);
    if (maxMemory >= 0
        && end - begin >= BodyCompressor.LENGTH
        && RecordIn.longAt(bytes, begin) > maxMemory) {
      throw new LimitException(ObjectSizes.TOO_LARGE);
    }
    return decompress(library, bytes, begin, end);
  }

  static PlainBody decompress(CompressionLibrary library, byte[] bytes, int begin, int end)
      throws DamagedBodyException {
    int packed = begin + BodyCompressor.LENGTH;
    if (packed > end) {
      throw new DamagedBodyException("its compressed body is cut");
    }
    long claimed = RecordIn.longAt(bytes, begin);
    if (claimed < 0 || claimed > BodyCompressor.maxPlain(end - packed)) {
      throw new DamagedBodyException("it claims more bytes than so few can be compressed from");
    }
    byte[] plain = allocate(claimed);
    int length = (int) claimed;
    int done = library.decompress(bytes, packed, end, plain, length);
    if (done < length) {
      throw new DamagedBodyException("its compressed body is shorter than it claims");
    }
    return new PlainBody(plain, length);
  }

  private static byte[] allocate(long length) {
    if (length <= MAX_ARRAY - SLACK) {
      try {
        return new byte[(int) length + SLACK];
      } catch (OutOfMemoryError e) {
        // Only this array is too large: its length is the message's claim.
      }
    }
    throw new LimitException(
        "its decompressed body takes "
            + length
            + " bytes, for which there is no memory; read it with a larger heap, or with serow's"
            + " native library");
  }
}
