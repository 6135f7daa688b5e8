package io.github.serow.compression;

import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.lz4.Lz4Decompressor;

/** LZ4 blocks by aircompressor, which is in Java. Only this class names these types. */
final class AircompressorLz4 implements CompressionLibrary {
  @Override
  public String artifact() {
    return "io.airlift:aircompressor";
  }

  @Override
  public boolean hasLevels() {
    return false;
  }

  @Override
  public long room(int length) {
    // The library wants this much, whatever the result takes.
    return length + length / 255L + 16;
  }

  @Override
  public int compress(byte[] bytes, int begin, int end, byte[] to, int at, int room, int level) {
    return new Lz4Compressor().compress(bytes, begin, end - begin, to, at, room);
  }

  @Override
  public int decompress(byte[] packed, int begin, int end, byte[] to, int length)
      throws DamagedBodyException {
    int done;
    try {
      done = new Lz4Decompressor().decompress(packed, begin, end - begin, to, 0, to.length);
    } catch (RuntimeException e) {
      throw DamagedBodyException.damaged();
    }
    if (done > length) {
      throw DamagedBodyException.damaged();
    }
    return done;
  }
}
