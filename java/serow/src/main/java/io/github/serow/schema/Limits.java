package io.github.serow.schema;

/** Limits of rows and schemas. Native code has the same limits. */
public final class Limits {
  /** Maximum nesting of containers. */
  public static final int MAX_DEPTH = 64;

  /** Maximum elements of a row, including the elements of its containers. */
  public static final int MAX_ROW_ELEMENTS = 1 << 28;

  /** The cost of a container itself, in elements. */
  public static final int CONTAINER_ELEMENTS = 16;

  /** Maximum keys of a dict; with more keys it is a map. */
  public static final int MAX_INFERRED_KEYS = 4096;

  private Limits() {}
}
