package io.github.serow.spark.rdd;

/**
 * When to try again to make rows, after objects that are none. An attempt that fails costs time,
 * and so does each block that ends because another serializer goes on.
 */
final class BackOff {
  /** The most objects that go to Kryo without an attempt. */
  static final int MOST = 1024;

  /** If an instance begins with so many objects that are no rows, it expects no rows at all. */
  private static final int FIRST = 64;

  /**
   * A failure counts as the first one again, if so many rows came before it for each object that
   * was passed over after the failure before.
   */
  private static final int RECOVERY = 16;

  /**
   * The number of new layouts, each soon after the one before, that are too many. A class with many
   * fields has one for each field that is null for the first time.
   */
  private static final int LAYOUTS = 64;

  /** The number of rows after which a new layout is not soon. */
  private static final int SOON = 1000;

  /** How many objects are passed over after a failure. */
  private int penalty;

  /** How many objects are still to be passed over. */
  private int left;

  /** The number of rows since the last failure. */
  private long rows;

  private boolean hasRows;
  private int failures;

  /**
   * The number of rows since the last new layout, and the number of layouts in close succession.
   */
  private int rowsOfLayout;

  private int layouts;

  /** Whether an attempt is due. Counts the object that is passed over if there is none. */
  boolean isDue() {
    if (left > 0) {
      left--;
      return false;
    }
    return true;
  }

  void row() {
    rows++;
    rowsOfLayout++;
    hasRows = true;
  }

  /** Notes a new layout. Returns false if there are too many, so the object is none of a row. */
  boolean newLayout() {
    if (rowsOfLayout >= SOON) {
      layouts = 0;
    }
    if (layouts == LAYOUTS) {
      return false;
    }
    rowsOfLayout = 0;
    layouts++;
    return true;
  }

  void failure() {
    if (!hasRows && ++failures >= FIRST) {
      left = MOST;
      return;
    }
    if (rows >= (long) RECOVERY * penalty) {
      penalty = 0;
    }
    rows = 0;
    if (hasRows) {
      penalty = Math.min(MOST, Math.max(1, 2 * penalty));
      left = penalty;
    }
  }
}
