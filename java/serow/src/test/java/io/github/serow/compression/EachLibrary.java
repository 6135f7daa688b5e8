package io.github.serow.compression;

import io.github.serow.LimitException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The libraries for compressed bodies, for tests that use each of them beside native code. */
public enum EachLibrary {
  ZSTD_JNI(1, new ZstdJni()),
  AIRCOMPRESSOR_ZSTD(1, new AircompressorZstd()),
  AIRCOMPRESSOR_LZ4(2, new AircompressorLz4());

  /** The number of its format in the header of a frame. */
  public final int number;

  private final CompressionLibrary library;

  EachLibrary(int number, CompressionLibrary library) {
    this.number = number;
    this.library = library;
  }

  /** A body as it is in a message. */
  public byte[] compressed(byte[] body, int level) {
    byte[] packed = new byte[Math.toIntExact(Long.BYTES + library.room(body.length)) + 100];
    int room = packed.length - Long.BYTES;
    int length = library.compress(body, 0, body.length, packed, Long.BYTES, room, level);
    ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN).putLong(body.length);
    return Arrays.copyOf(packed, Long.BYTES + length);
  }

  /** The plain body, or the text of the error. */
  public Object decompressed(byte[] packed) {
    // Bytes before and after the body are none of its business.
    byte[] message = new byte[packed.length + 20];
    Arrays.fill(message, (byte) 0xaa);
    System.arraycopy(packed, 0, message, 10, packed.length);
    try {
      BodyDecompressor.PlainBody plain =
          BodyDecompressor.decompress(library, message, 10, 10 + packed.length);
      return Arrays.copyOf(plain.bytes(), plain.length());
    } catch (DamagedBodyException | LimitException e) {
      return e.getMessage();
    }
  }
}
