package io.github.serow.message;

/**
 * The bytes around the rows of a message; {@code docs/wire-format.md} describes them, and {@code
 * crates/core/src/wire/message} has the same rules.
 */
final class FrameHeader {
  /** The message's header as a number: "SROW", the version, and zeros. */
  static final long MESSAGE = 0x01_574f_5253L;

  static final int MESSAGE_LENGTH = 8;
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
