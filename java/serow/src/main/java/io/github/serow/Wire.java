package io.github.serow;

import org.jspecify.annotations.NullMarked;

/** The layout of rows in a message. Every reader reads both. */
@NullMarked
public enum Wire {
  /**
   * Columns, in batches of up to 65,536 rows: smaller, and faster to decode. The default of codecs.
   */
  FRAME,
  /**
   * One record after another, each with its length: faster to encode, and better for a few rows.
   */
  ROW
}
