package io.github.serow.internal.wire;

/** Limits of rows and schemas. Native code has the same limits, and a test compares them. */
public final class Limits {
  /** Maximum nesting of containers. */
  public static final int MAX_DEPTH = 64;

  /** Maximum elements of a row, including the elements of its containers. */
  public static final int MAX_ROW_ELEMENTS = 1 << 28;

  /** The cost of a container itself, in elements. */
  public static final int CONTAINER_ELEMENTS = 16;

  /** What an error says about a row with more elements. */
  public static final String TOO_MANY_ELEMENTS =
      "the row has more than 268,435,456 elements, and a list counts as 16 more; a list that"
          + " occurs in it many times is written each time";

  /** Maximum nulls, and lists, tuples, dicts and records without fields, in a frame. */
  public static final int MAX_ZERO_SIZED = 4 << 20;

  /** Maximum of the same in a row. */
  public static final int MAX_ROW_ZERO_SIZED = 3 << 20;

  /** What an error says about a row with more of them. */
  public static final String TOO_MANY_ZERO_SIZED =
      "the row has millions of nulls or empty tuples in sequences, more than a frame may";

  /** Maximum values of a frame beside those that its bytes allow. */
  public static final int FREE_VALUES = 4 << 20;

  /** Maximum bytes of an int, and of the coefficient of a decimal. */
  public static final int MAX_INTEGER_BYTES = 415_242;

  /** Maximum steps to find out how rows of one schema are read as rows of another. */
  public static final int MAX_RESOLVED = 1 << 18;

  /** Maximum rows of a frame. */
  public static final int MAX_FRAME_ROWS = 65_536;

  /** Maximum codes of a type list, without its names. */
  public static final int MAX_TYPE_LIST = 65_536;

  /** Maximum characters of the names in a type list; each name counts as one more. */
  public static final int MAX_NAMES = 1 << 20;

  /** Bytes at which a writer ends a frame. */
  public static final int FRAME_SIZE_TARGET = 16 << 20;

  /** Maximum arms of a union. */
  public static final int MAX_ARMS = 256;

  /** Maximum fields of a list or tuple; with more fields it is a sequence. */
  public static final int MAX_INFERRED_FIELDS = 4096;

  /** Maximum keys of a dict; with more keys it is a map. */
  public static final int MAX_INFERRED_KEYS = 4096;

  /** Bytes of a plain body for each byte of its compressed form, at most. */
  public static final int PACKED_GAIN = 1024;

  /** Maximum values of a frame with a compressed body beside those that its bytes allow. */
  public static final int FREE_PACKED_VALUES = 8 * FREE_VALUES;

  /** The most values of a frame whose body has {@code packed} bytes in the message. */
  public static long mostValues(int packed) {
    return 8L * PACKED_GAIN * packed + FREE_PACKED_VALUES;
  }

  /** Keys that dicts may have now and then, for each key that a dict has on average. */
  public static final int OPTIONAL_KEYS_PER_KEY = 8;

  /** Keys that dicts may have now and then in any case. */
  public static final int FEW_OPTIONAL_KEYS = 4;

  /**
   * Schemas, each soon after another, that dicts with fixed keys may cause by keys that are missing
   * for the first time. With the last of them all keys may be missing.
   */
  public static final int FEW_LAPSES = 8;

  /** Schemas, each soon after another, that dicts may cause by their keys before they are a map. */
  public static final int MAX_GROWTHS = 128;

  /** A schema comes soon after another if that had at most this many rows. */
  public static final int FEW_ROWS_OF_SCHEMA = 64;

  private Limits() {}
}
