package io.github.serow.schema;

/** What rows and schemas may have at most. Native code has the same limits. */
public final class Limits {
  /** How deep containers may nest. */
  public static final int MAX_DEPTH = 64;

  /** The elements that a row may have, including the elements of its containers. */
  public static final int MAX_ELEMENTS = 1 << 28;

  /** What a container itself counts for, in elements. */
  public static final int CONTAINER_ELEMENTS = 16;

  /** A dict with more keys than this is a map. */
  public static final int MAX_KEYS = 4096;

  private Limits() {}
}
