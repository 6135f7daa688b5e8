package io.github.serow.internal.message;

import io.github.serow.Compression;
import io.github.serow.Threads;
import io.github.serow.Wire;
import io.github.serow.internal.wire.Format;

/**
 * How messages are written.
 *
 * @param wire the wire; null if the size of the message decides
 * @param rows the format on the row wire
 * @param frames the format on the frame wire, with the same compression
 * @param threads which threads may make a message in native code
 */
public record WriteOptions(Wire wire, Format rows, Format frames, Threads threads) {
  /** The size decides, without compression, on the calling thread. */
  public static final WriteOptions STANDARD =
      new WriteOptions(null, Format.plain(Wire.ROW), Format.plain(Wire.FRAME), Threads.one());

  public WriteOptions withWire(Wire wanted) {
    return new WriteOptions(wanted, rows, frames, threads);
  }

  public WriteOptions withFormats(Format ofRows, Format ofFrames) {
    return new WriteOptions(wire, ofRows, ofFrames, threads);
  }

  public WriteOptions withThreads(Threads wanted) {
    return new WriteOptions(wire, rows, frames, wanted);
  }

  public Compression compression() {
    return frames.compression();
  }

  /** The format of large messages, and of streams. */
  public Format format() {
    return wire == Wire.ROW ? rows : frames;
  }

  /** The format of small messages. */
  Format smallFormat() {
    return wire == Wire.FRAME ? frames : rows;
  }

  /** Whether a message of one row is one of the row wire without compression. */
  public boolean isPlain() {
    return wire != Wire.FRAME && compression().isNone();
  }
}
