package io.github.serow.internal.compression;

import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.zstd.ZstdCompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import io.github.serow.Compression;
import io.github.serow.DecodeException;
import io.github.serow.LimitException;
import io.github.serow.SerowException;
import io.github.serow.internal.jni.NativeLibrary;
import io.github.serow.internal.wire.Limits;
import io.github.serow.internal.wire.ObjectSizes;
import io.github.serow.internal.wire.RecordIn;
import io.github.serow.internal.wire.RecordOut;
import java.util.Arrays;

/**
 * The formats of compressed bodies of frames, without native code: the library aircompressor does
 * them, if the program has it. The rules are those of {@code crates/core/src/wire/compression}.
 */
public enum BodyCompression {
  ZSTD {
    @Override
    int pack(byte[] from, int begin, int length, byte[] to) {
      return new ZstdCompressor().compress(from, begin, length, to, LENGTH, to.length - LENGTH);
    }

    @Override
    int unpack(byte[] from, int begin, int end, byte[] to) {
      byte[] frame = withSmallWindow(Arrays.copyOfRange(from, begin, end));
      // The library would leave the content out if nothing is wanted.
      if (ZstdDecompressor.getDecompressedSize(frame, 0, frame.length) > to.length) {
        return DAMAGED;
      }
      return new ZstdDecompressor().decompress(frame, 0, frame.length, to, 0, to.length);
    }
  },
  LZ4 {
    @Override
    int pack(byte[] from, int begin, int length, byte[] to) {
      return new Lz4Compressor().compress(from, begin, length, to, LENGTH, to.length - LENGTH);
    }

    @Override
    int unpack(byte[] from, int begin, int end, byte[] to) {
      return new Lz4Decompressor().decompress(from, begin, end - begin, to, 0, to.length);
    }
  };

  /** Why the library does not work; null if it does. */
  private static final class Library {
    static final String PROBLEM = problem();

    private static String problem() {
      try {
        byte[] packed = new byte[LENGTH + room(LEAST)];
        int length = ZSTD.pack(new byte[LEAST], 0, LEAST, packed);
        ZSTD.unpack(packed, LENGTH, LENGTH + length, new byte[LEAST]);
        return null;
      } catch (RuntimeException | LinkageError e) {
        // It is missing, or needs the module jdk.unsupported, or the JVM forbids what it does.
        Throwable cause = e instanceof ExceptionInInitializerError ? e.getCause() : e;
        return cause.toString();
      }
    }
  }

  /** In place of a length: the body is damaged. */
  private static final int DAMAGED = -1;

  /** The bytes of the length before a compressed body. */
  private static final int LENGTH = Long.BYTES;

  /** Bodies of fewer bytes are not compressed. */
  private static final int LEAST = 64;

  /** Bodies of more bytes are not compressed: the result might need more than an array. */
  private static final int MOST = 1 << 30;

  private static final int MAX_ARRAY = Integer.MAX_VALUE - 16;

  /** The offset in a zstd frame of its descriptor, after which the window follows if it has one. */
  private static final int DESCRIPTOR = 4;

  private static final int SINGLE_SEGMENT = 1 << 5;

  /** The largest window that the library reads, 8 MiB. */
  private static final int MAX_WINDOW = 13 << 3;

  /**
   * The format for messages with this compression; null if it is none.
   *
   * @throws SerowException if the library is missing, or has no such level
   */
  public static BodyCompression of(Compression compression) {
    if (compression.isNone()) {
      return null;
    }
    String what = "compression (" + compression + ")";
    BodyCompression format = compression.equals(Compression.lz4()) ? LZ4 : ZSTD;
    require(what);
    if (format == ZSTD && !compression.equals(Compression.zstd())) {
      throw NativeLibrary.missing(
          what, "Without it, use Compression.zstd(): io.airlift:aircompressor has no levels");
    }
    return format;
  }

  /** The format with this number in the header of a frame, not 0. */
  public static BodyCompression of(int number) {
    return values()[number - 1];
  }

  /** The number of the format in the header of a frame. */
  public int number() {
    return ordinal() + 1;
  }

  /**
   * Checks that the library works.
   *
   * @param what what needs it, for an error
   */
  private static void require(String what) {
    if (Library.PROBLEM != null) {
      throw NativeLibrary.missing(
          what,
          "Without it, add io.airlift:aircompressor to the class path, or as a module"
              + " (--add-modules); an attempt to use it ended with "
              + Library.PROBLEM);
    }
  }

  /** Compresses to the bytes from {@link #LENGTH} on. Returns the length of the result. */
  abstract int pack(byte[] from, int begin, int length, byte[] to);

  /**
   * Decompresses to the begin of {@code to}. Returns the length of the result; a negative number,
   * or an exception of the library's, means that the body is damaged, or longer than {@code to}.
   */
  abstract int unpack(byte[] from, int begin, int end, byte[] to);

  /** The bytes that the library wants for its result, whatever this takes. */
  private static int room(int length) {
    return length + (length >>> 7) + (1 << 10);
  }

  /**
   * Compresses the body from {@code begin} to {@code end}, and puts the result in its place. What
   * does not shrink stays plain.
   *
   * @return the end of the result; -1 if the body stays plain
   */
  public int compress(RecordOut out, int begin, int end) {
    int length = end - begin;
    if (length < LEAST || length > MOST) {
      return -1;
    }
    byte[] packed = new byte[LENGTH + room(length)];
    int size = pack(out.bytes, begin, length, packed);
    // Readers refuse a body that shrank too much, because they can't tell it from a trap.
    if (LENGTH + size >= length || length > maxPlain(size)) {
      return -1;
    }
    out.putLong(begin, length);
    System.arraycopy(packed, LENGTH, out.bytes, begin + LENGTH, size);
    return begin + LENGTH + size;
  }

  /** The most bytes of a plain body whose compressed form has {@code packed} bytes. */
  private static long maxPlain(int packed) {
    return (long) packed * Limits.PACKED_GAIN + (64 << 20);
  }

  /**
   * Decompresses the body between these positions.
   *
   * @param what what needs a library, for an error
   * @param maxMemory the most bytes that a plain body may have; negative for any
   * @throws DecodeException if the body is damaged, or its size not as it claims; it does not say
   *     where
   * @throws LimitException if the plain body is too large for an array or for the heap
   * @throws SerowException if there is no library
   */
  public byte[] decompress(byte[] bytes, int begin, int end, String what, long maxMemory) {
    require(what);
    int packed = begin + LENGTH;
    if (packed > end) {
      throw new DecodeException("its compressed body is cut");
    }
    long length = RecordIn.longAt(bytes, begin);
    if (maxMemory >= 0 && length > maxMemory) {
      throw new LimitException(ObjectSizes.TOO_LARGE);
    }
    if (length < 0 || length > maxPlain(end - packed)) {
      throw new DecodeException("it claims more bytes than so few can be compressed from");
    }
    byte[] plain = allocate(length);
    int done;
    try {
      done = unpack(bytes, packed, end, plain);
    } catch (RuntimeException e) {
      done = DAMAGED;
    }
    if (done < 0) {
      throw new DecodeException("its compressed body is damaged, or longer than it claims");
    }
    if (done < length) {
      throw new DecodeException("its compressed body is shorter than it claims");
    }
    return plain;
  }

  private static byte[] allocate(long length) {
    if (length <= MAX_ARRAY) {
      try {
        return new byte[(int) length];
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

  /**
   * Lets the library read a zstd frame whose window is larger than it allows. All of the content is
   * in one array, so any history is at hand whatever the window.
   */
  private static byte[] withSmallWindow(byte[] frame) {
    int window = DESCRIPTOR + 1;
    if (frame.length > window
        && (frame[DESCRIPTOR] & SINGLE_SEGMENT) == 0
        && (frame[window] & 0xff) > MAX_WINDOW) {
      frame[window] = MAX_WINDOW;
    }
    return frame;
  }
}
