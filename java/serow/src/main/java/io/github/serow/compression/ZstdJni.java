package io.github.serow.compression;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;

/** zstd by zstd-jni, the original library in C. Only this class names its types. */
final class ZstdJni implements CompressionLibrary {
  @Override
  public String artifact() {
    return "com.github.luben:zstd-jni";
  }

  @Override
  public boolean hasLevels() {
    return true;
  }

  @Override
  public long room(int length) {
    // A result that does not shrink is of no use. Native code gives zstd as much.
    return length - BodyCompressor.LENGTH;
  }

  @Override
  public int compress(byte[] bytes, int begin, int end, byte[] to, int at, int room, int level) {
    try {
      long length = Zstd.compressByteArray(to, at, room, bytes, begin, end - begin, level);
      return Zstd.isError(length) ? -1 : (int) length;
    } catch (ZstdException e) {
      // There is no room, or no memory for tables. Earlier versions return the error.
      return -1;
    }
  }

  @Override
  public int decompress(byte[] packed, int begin, int end, byte[] to, int length)
      throws DamagedBodyException {
    ZstdFrames frames = new ZstdFrames(packed, begin, end);
    boolean isEmpty = true;
    while (frames.next()) {
      isEmpty = false;
    }
    if (isEmpty) {
      return 0;
    }
    try {
      long done = Zstd.decompressByteArray(to, 0, length, packed, begin, end - begin);
      if (!Zstd.isError(done)) {
        return (int) done;
      }
    } catch (RuntimeException e) {
      // As if it had returned the error, which earlier versions do.
    }
    throw DamagedBodyException.damaged();
  }
}
