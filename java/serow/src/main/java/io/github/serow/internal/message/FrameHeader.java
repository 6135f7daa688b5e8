package io.github.serow.internal.message;

import com.dynatrace.hash4j.hashing.Hashing;
import io.github.serow.DecodeException;
import io.github.serow.internal.wire.Limits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * The header of a frame, and the bytes before it: the headers of messages and streams, and the
 * marker of a stream's frame. {@code docs/wire-format.md} describes them, and {@code
 * crates/core/src/wire/message} has the same rules. All buffers are little-endian.
 *
 * @param content a wire, or {@link #INDEX}
 * @param flags the flags {@link #LAST} and {@link #IN_BAND}
 * @param compression the number of the body's compression; 0 for none
 * @param rows the number of rows
 * @param schema the number of bytes of the schema, or of its fingerprint
 * @param body the number of bytes of the body in the message
 * @param isKnown whether fields that have one value in this version of the format have it
 */
record FrameHeader(
    int content, int flags, int compression, int rows, long schema, long body, boolean isKnown) {
  /** The header of a message as a number: "SROW", the version, and zeros. */
  static final long MESSAGE = 0x01_574f_5253L;

  /** The length of the header of a message. */
  static final int MESSAGE_LENGTH = 8;

  /** The length of the header of a stream without metadata. */
  static final int STREAM_LENGTH = 32;

  /** The length of the marker before each frame of a stream. */
  static final int MARKER = 24;

  /** The length of a frame's header. */
  static final int LENGTH = 24;

  /** The length of a frame's checksum. */
  static final int CHECKSUM = 8;

  // Offsets in a frame's header.
  static final int FLAGS = 1;
  static final int COMPRESSION = 2;
  static final int ROWS = 4;
  static final int SCHEMA_LENGTH = 8;
  static final int BODY_LENGTH = 16;

  // Flags.
  static final int LAST = 1;
  static final int IN_BAND = 2;

  // Contents.
  static final int ROW_WIRE = 0;
  static final int FRAME_WIRE = 1;

  /** In place of a wire: the frame is the index of a stream. */
  static final int INDEX = 2;

  /** The compressions, by their numbers. */
  private static final List<String> COMPRESSIONS = List.of("none", "zstd", "LZ4");

  private static final int VERSION = 1;

  /** The header of a stream as a number: as that of a message, with the flag of streams. */
  private static final long STREAM = MESSAGE | 1L << 40;

  // Offsets in the header of a stream.
  private static final int SALT = 8;
  private static final int METADATA_LENGTH = 24;

  /** The begin of a marker as a number. */
  private static final int MARK = 0x776f_72f5;

  // Offsets in a marker.
  private static final int MARKER_SALT = 4;
  private static final int MARKER_ROW = 12;
  private static final int MARKER_CHECKSUM = 20;

  /** Reads the header of a frame, all of which is there. */
  static FrameHeader at(ByteBuffer bytes, int at) {
    int flags = bytes.get(at + FLAGS);
    boolean isInBand = (flags & IN_BAND) != 0;
    int named = bytes.getInt(at + SCHEMA_LENGTH);
    return new FrameHeader(
        bytes.get(at) & 0xff,
        flags,
        bytes.get(at + COMPRESSION) & 0xff,
        bytes.getInt(at + ROWS),
        isInBand ? Integer.toUnsignedLong(named) : Long.BYTES,
        bytes.getLong(at + BODY_LENGTH),
        (flags & ~(LAST | IN_BAND)) == 0
            && bytes.get(at + 3) == 0
            && bytes.getInt(at + 12) == 0
            && (isInBand || named == 0));
  }

  /** A message of one row on the row wire, from its begin to its body, with lengths of 0. */
  static byte[] ofOneRow(byte[] schema) {
    ByteBuffer bytes =
        ByteBuffer.allocate(MESSAGE_LENGTH + LENGTH + schema.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(0, MESSAGE)
            .put(MESSAGE_LENGTH + FLAGS, (byte) (LAST | IN_BAND))
            .putInt(MESSAGE_LENGTH + ROWS, 1)
            .putInt(MESSAGE_LENGTH + SCHEMA_LENGTH, schema.length);
    return bytes.put(MESSAGE_LENGTH + LENGTH, schema).array();
  }

  boolean isLast() {
    return (flags & LAST) != 0;
  }

  boolean isInBand() {
    return (flags & IN_BAND) != 0;
  }

  /** Whether the frame has at most this many bytes. Otherwise its length may have any value. */
  boolean fitsIn(long bytes) {
    return body >= 0 && body <= bytes - LENGTH - schema - CHECKSUM;
  }

  /** The number of bytes of the frame, with its header and its checksum. */
  long length() {
    return LENGTH + schema + body + CHECKSUM;
  }

  /** The name of the compression. */
  String compressionName() {
    return COMPRESSIONS.get(compression);
  }

  /** What is wrong with the header of a frame of a message, except its lengths; null if nothing. */
  String problem() {
    if (content > INDEX) {
      return "it has a wire that this version of serow does not know";
    }
    if (!isKnown) {
      return "it has flags that this version of serow does not know";
    }
    if (compression >= COMPRESSIONS.size()) {
      return "it has a compression that this version of serow does not know";
    }
    if (Integer.compareUnsigned(rows, Limits.MAX_FRAME_ROWS) > 0) {
      return "it claims "
          + Integer.toUnsignedString(rows)
          + " rows, and a frame has "
          + Limits.MAX_FRAME_ROWS
          + " at most";
    }
    return content == INDEX ? "it is no index as the end of a stream has it" : null;
  }

  /**
   * Checks the header of a message or a stream, with which the buffer begins.
   *
   * @throws DecodeException if it has another header, or only a part of one
   */
  static void checkMessage(ByteBuffer bytes) {
    int length = bytes.limit();
    for (int i = 0; i < Math.min(4, length); i++) {
      if (bytes.get(i) != (byte) (MESSAGE >> 8 * i)) {
        throw error("this is not a serow message: it does not begin with SROW");
      }
    }
    if (length < MESSAGE_LENGTH) {
      throw error("the message is cut after " + length + " bytes");
    }
    int version = bytes.get(4) & 0xff;
    if (version != VERSION) {
      throw error(
          "the message has version "
              + version
              + " of the format, but this serow reads version "
              + VERSION
              + "; read it with the serow that wrote it, or with a later one");
    }
    if (!isMessage(bytes) && !isStream(bytes)) {
      throw error("the message has flags that this version of serow does not know");
    }
  }

  private static DecodeException error(String what) {
    return new DecodeException(what, null, -1, null, 0);
  }

  /** Whether the bytes begin with the header of a message that is no stream. */
  static boolean isMessage(ByteBuffer bytes) {
    return bytes.limit() >= MESSAGE_LENGTH && bytes.getLong(0) == MESSAGE;
  }

  /** Whether the bytes begin with the header of a stream. */
  static boolean isStream(ByteBuffer bytes) {
    return bytes.limit() >= MESSAGE_LENGTH && bytes.getLong(0) == STREAM;
  }

  /** The salt of the stream whose header the bytes begin with. */
  static long salt(ByteBuffer stream) {
    return stream.getLong(SALT);
  }

  /** The number of bytes of the header of the stream, with its metadata. */
  static long streamLength(ByteBuffer stream) {
    long metadata = Integer.toUnsignedLong(stream.getInt(METADATA_LENGTH));
    return STREAM_LENGTH + (metadata == 0 ? 0 : metadata + CHECKSUM);
  }

  /** Whether the bytes begin with a right marker of this salt, and a header of a frame. */
  static boolean isMarked(ByteBuffer bytes, long salt) {
    byte[] checked = Arrays.copyOf(bytes.array(), MARKER_CHECKSUM + LENGTH);
    System.arraycopy(bytes.array(), MARKER, checked, MARKER_CHECKSUM, LENGTH);
    int checksum = (int) Hashing.xxh3_64().hashBytesToLong(checked);
    return bytes.getInt(0) == MARK
        && bytes.getLong(MARKER_SALT) == salt
        && bytes.getInt(MARKER_CHECKSUM) == checksum;
  }

  /** The number of the frame's first row in its log, from the marker the bytes begin with. */
  static long firstRow(ByteBuffer marker) {
    return marker.getLong(MARKER_ROW);
  }
}
