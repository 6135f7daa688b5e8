package io.github.serow.compression;

import io.github.serow.wire.RecordIn;

/**
 * Walks over the zstd frames (RFC 8878) of a compressed body, from one header of a block to the
 * next. A body has one frame, but native code also reads several and skippable ones, so Java does
 * the same. The walk refuses what zstd refuses and a library would accept: zstd's old formats,
 * which zstd-jni reads, and the checks that aircompressor leaves out.
 */
final class ZstdFrames {
  private static final int MAGIC = 0xFD2F_B528;
  private static final int SKIPPABLE = 0x184D_2A50;

  /** The bits of a skippable frame's first number that may have any value. */
  private static final int ANY = 0xf;

  private static final int SKIPPABLE_HEADER = 8;

  /** zstd reads no fewer bytes. */
  private static final int LEAST = 5;

  // The descriptor of a frame.
  private static final int CHECKSUM = 1 << 2;
  private static final int RESERVED = 1 << 3;
  private static final int SINGLE_SEGMENT = 1 << 5;

  private static final int MIN_WINDOW_LOG = 10;
  private static final int MAX_WINDOW_LOG = 31;
  private static final int MAX_BLOCK = 1 << 17;

  private static final int BLOCK_HEADER = 3;
  private static final int CHECKSUM_LENGTH = 4;

  // Types of blocks.
  private static final int RLE = 1;
  private static final int COMPRESSED = 2;
  private static final int NO_TYPE = 3;

  // Types of literals in a compressed block.
  private static final int WITH_TREE = 2;
  private static final int TREE_OF_BEFORE = 3;

  private static final int TYPE = 0b11;

  private final byte[] bytes;
  private final int limit;

  /** The frame's begin, its first block, and its end, where the next one begins. */
  private int begin;

  private int blocks;
  private int end;

  private boolean hasChecksum;
  private boolean hasDictionary;

  /** The number of bytes of history; of the whole content if the frame has no window. */
  private long window;

  private boolean isSingleSegment;

  /** The length of the content; -1 if the frame does not say it. */
  private long contentSize;

  ZstdFrames(byte[] bytes, int begin, int limit) {
    this.bytes = bytes;
    this.limit = limit;
    end = begin;
  }

  /**
   * Goes to the next frame. Returns false if there is none.
   *
   * @throws DamagedBodyException if the rest is neither empty nor begins with a frame
   */
  boolean next() throws DamagedBodyException {
    while (end < limit) {
      begin = end;
      need(LEAST);
      int magic = RecordIn.intAt(bytes, begin);
      if (magic == MAGIC) {
        readHeader();
        skipBlocks();
        return true;
      }
      if ((magic & ~ANY) != SKIPPABLE) {
        throw DamagedBodyException.damaged();
      }
      need(SKIPPABLE_HEADER);
      take(SKIPPABLE_HEADER + Integer.toUnsignedLong(RecordIn.intAt(bytes, begin + 4)));
    }
    return false;
  }

  /** Ensures that {@code count} bytes follow {@link #end}. */
  private void need(long count) throws DamagedBodyException {
    if (limit - end < count) {
      throw DamagedBodyException.damaged();
    }
  }

  private void take(long count) throws DamagedBodyException {
    need(count);
    end += (int) count;
  }

  private static void check(boolean isRight) throws DamagedBodyException {
    if (!isRight) {
      throw DamagedBodyException.damaged();
    }
  }

  /** Takes a number of {@code length} bytes, which may be 0. */
  private long number(int length) throws DamagedBodyException {
    int at = end;
    take(length);
    long number = 0;
    for (int i = length - 1; i >= 0; i--) {
      number = number << Byte.SIZE | bytes[at + i] & 0xff;
    }
    return number;
  }

  private void readHeader() throws DamagedBodyException {
    take(Integer.BYTES);
    int descriptor = (int) number(1);
    check((descriptor & RESERVED) == 0);
    hasChecksum = (descriptor & CHECKSUM) != 0;
    isSingleSegment = (descriptor & SINGLE_SEGMENT) != 0;
    if (!isSingleSegment) {
      int size = (int) number(1);
      int log = MIN_WINDOW_LOG + (size >>> 3);
      check(log <= MAX_WINDOW_LOG);
      window = (1L << log) + (1L << log - 3) * (size & 7);
    }
    int dictionary = 1 << (descriptor & TYPE) >> 1;
    hasDictionary = dictionary > 0;
    // The number 0 says that there is no dictionary.
    check(number(dictionary) == 0);
    int sizeOfSize = descriptor >>> 6;
    if (sizeOfSize > 0) {
      contentSize = number(1 << sizeOfSize) + (sizeOfSize == 1 ? 256 : 0);
    } else {
      contentSize = isSingleSegment ? number(1) : -1;
    }
    if (isSingleSegment) {
      window = contentSize;
    }
    blocks = end;
  }

  private void skipBlocks() throws DamagedBodyException {
    int most = Long.compareUnsigned(window, MAX_BLOCK) < 0 ? (int) window : MAX_BLOCK;
    boolean hasTree = false;
    boolean isLast = false;
    while (!isLast) {
      int header = (int) number(BLOCK_HEADER);
      isLast = (header & 1) != 0;
      int type = header >>> 1 & TYPE;
      int size = header >>> 3;
      check(type != NO_TYPE);
      int block = end;
      take(type == RLE ? 1 : size);
      if (type == COMPRESSED) {
        check(size > 0 && size <= most);
        int literals = bytes[block] & TYPE;
        check(hasTree || literals != TREE_OF_BEFORE);
        hasTree |= literals == WITH_TREE;
      }
    }
    take(hasChecksum ? CHECKSUM_LENGTH : 0);
  }

  int begin() {
    return begin;
  }

  int blocks() {
    return blocks;
  }

  int end() {
    return end;
  }

  boolean hasChecksum() {
    return hasChecksum;
  }

  /**
   * Whether the frame has no field for a dictionary, and needs at most this many bytes of history
   * or says the length of its content instead.
   */
  boolean isSimple(int mostHistory) {
    return !hasDictionary && (isSingleSegment ? contentSize >= 0 : window <= mostHistory);
  }

  /** The length of the content in bytes; -1 if the frame does not say it. */
  long contentSize() {
    return contentSize;
  }
}
