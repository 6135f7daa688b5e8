package io.github.serow.message;

/**
 * The bytes around the rows of a message; {@code docs/wire-format.md} describes them, and {@code
 * crates/core/src/wire/message} has the same rules.
 */
final class FrameHeader {
  /** The message's header as a number: "SROW", the version, and zeros. */
  static final long MESSAGE = 0x01_574f_5253L;

  static final int MESSAGE_LENGTH = 8;

  /** The header of a stream as a number: as that of a message, with the flag of streams. */
  static final long STREAM = MESSAGE | 1L << 40;

  /** The length of the header of a stream without metadata. */
  static final int STREAM_LENGTH = 32;

  // Offsets in the header of a stream.
  static final int SALT = 8;
  static final int METADATA_LENGTH = 24;

  /** The length of the marker before each frame of a stream. */
  static final int MARKER = 24;

  /** The begin of a marker as a number. */
  static final int MARK = 0x776f_72f5;

  // Offsets in a marker.
  static final int MARKER_SALT = 4;
  static final int MARKER_ROW = 12;
  static final int MARKER_CHECKSUM = 20;

  static final int VERSION = 1;

  /** The length of a frame's header. */
  static final int LENGTH = 24;

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

  // Wires.
  static final int ROW_WIRE = 0;
  static final int FRAME_WIRE = 1;

  /** In place of a wire: the frame is the index of a stream. */
  static final int INDEX = 2;

  private FrameHeader() {}
}
