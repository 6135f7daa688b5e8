package io.github.serow;

/** How the rows of a message lie in its bytes. Every reader reads both. */
public enum Wire {
  /**
   * Column by column, a batch of up to 65,536 rows at a time: the smaller, and the faster to
   * decode. What to use unless there is a reason not to.
   */
  FRAME,
  /** Row by row, each with a length before it: the faster to encode, and better for a few rows. */
  ROW
}
