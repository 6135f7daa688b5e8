package io.github.serow.internal.encode;

import io.github.serow.EncodeException;
import io.github.serow.internal.mapping.Mapping;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * What a collection of rows is. Every method that takes rows asks this class. Some objects can be
 * iterated over, but are one value: what they give are its parts, and not rows.
 */
public final class GivenRows {
  /** Classes of other libraries whose objects are one value, and subclasses of them. */
  private static final Set<String> VALUES =
      Set.of(
          "com.fasterxml.jackson.databind.JsonNode",
          "tools.jackson.databind.JsonNode",
          "com.google.gson.JsonElement",
          "com.google.protobuf.ByteString");

  private GivenRows() {}

  /**
   * The rows of a list, in an array that nobody else has.
   *
   * @throws NullPointerException if {@code rows} is null
   * @throws EncodeException if it is one value
   */
  public static Object[] of(List<?> rows) {
    check(rows, null);
    Object[] all = rows.toArray();
    // Other classes may give an array that they keep, or one that takes no other objects.
    boolean isOwn = rows.getClass() == ArrayList.class && all.getClass() == Object[].class;
    return isOwn ? all : Arrays.copyOf(all, all.length, Object[].class);
  }

  /**
   * Checks what was given as rows.
   *
   * @param row how rows are mapped to objects; null if they are not
   * @throws NullPointerException if {@code rows} is null
   * @throws EncodeException if it is one value
   */
  public static void check(Object rows, Mapping row) {
    if (rows == null) {
      throw new NullPointerException(refusal("null"));
    }
    if (isOneValue(rows) || isRow(rows, row)) {
      throw new EncodeException(refusal(rows.getClass().getName() + ", which is one value"));
    }
  }

  private static String refusal(String what) {
    return "rows must be a collection of rows, not %s; to encode one row, use List.of(row)"
        .formatted(what);
  }

  private static boolean isOneValue(Object rows) {
    if (rows instanceof Record
        || rows instanceof Enum
        || rows instanceof Path
        || rows instanceof Throwable) {
      return true;
    }
    for (Class<?> type = rows.getClass(); type != null; type = type.getSuperclass()) {
      if (VALUES.contains(type.getName())) {
        return true;
      }
    }
    return false;
  }

  /** Whether it is itself an object of the class of rows, for example a node of a tree. */
  private static boolean isRow(Object rows, Mapping row) {
    return row != null && row.isRow(rows);
  }
}
