package io.github.serow.compression;

import io.airlift.compress.zstd.ZstdCompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** zstd by aircompressor, which is in Java. Only this class names these types. */
final class AircompressorZstd implements CompressionLibrary {
  /** It reads frames of up to this many bytes of history. */
  private static final int MAX_WINDOW = 1 << 23;

  /** The first bytes of a frame: magic number, descriptor and window. */
  private static final int HEADER = 6;

  private static final int MAGIC = 0xFD2F_B528;
  private static final int CHECKSUM = 1 << 2;

  /** The window of {@link #MAX_WINDOW}. */
  private static final int WINDOW = 13 << 3;

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
    // What the library computes, without its overflow.
    return length + (length >>> 8) + (1 << 10);
  }

  @Override
  public int compress(byte[] bytes, int begin, int end, byte[] to, int at, int room, int level) {
    return new ZstdCompressor().compress(bytes, begin, end - begin, to, at, room);
  }

  @Override
  public int decompress(byte[] packed, int begin, int end, byte[] to, int length)
      throws DamagedBodyException {
    // A new one, because it keeps tables of the frames before.
    ZstdDecompressor decompressor = new ZstdDecompressor();
    ZstdFrames frames = new ZstdFrames(packed, begin, end);
    int at = 0;
    while (frames.next()) {
      int done = decompress(decompressor, frames, packed, to, at);
      if (frames.contentSize() != -1 && done != frames.contentSize() || done > length - at) {
        throw DamagedBodyException.damaged();
      }
      at += done;
    }
    return at;
  }

  private static int decompress(
      ZstdDecompressor decompressor, ZstdFrames frames, byte[] packed, byte[] to, int at)
      throws DamagedBodyException {
    byte[] from = packed;
    int begin = frames.begin();
    int end = frames.end();
    if (!frames.isSimple(MAX_WINDOW)) {
      from = withSmallWindow(frames, packed);
      begin = 0;
      end = from.length;
    }
    try {
      return decompressor.decompress(from, begin, end - begin, to, at, to.length - at);
    } catch (RuntimeException e) {
      throw DamagedBodyException.damaged();
    }
  }

  /**
   * Copies the frame with another header, which the library reads. All of the content is in one
   * array, so any history is at hand whatever the window.
   */
  private static byte[] withSmallWindow(ZstdFrames frames, byte[] packed) {
    int length = frames.end() - frames.blocks();
    ByteBuffer frame = ByteBuffer.allocate(HEADER + length).order(ByteOrder.LITTLE_ENDIAN);
    frame.putInt(MAGIC).put((byte) (frames.hasChecksum() ? CHECKSUM : 0)).put((byte) WINDOW);
    return frame.put(packed, frames.blocks(), length).array();
  }
}
