package io.github.serow;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * Why a row does not fit its schema. A {@link RowWriter} only says that it doesn't; here the row is
 * walked once more to find the first place.
 */
final class Mismatch {
  private final Type root;
  private final int row;
  private int[] path = new int[8];
  private int depth;
  private EncodeException found;

  private Mismatch(Type root, int row) {
    this.root = root;
    this.row = row;
  }

  /** The error for {@code value}, row {@code row}, which does not fit {@code type}. */
  static EncodeException find(Type type, int row, Object value) {
    Mismatch search = new Mismatch(type, row);
    search.visit(type, value);
    return search.found != null ? search.found : changed(row);
  }

  /** The error for a row that does not fit and then does, or does not fit its own schema. */
  static EncodeException changed(int row) {
    return new EncodeException(
        "row "
            + row
            + " did not fit the schema and then did; is it being changed while it is encoded?");
  }

  /** The error for {@code value}, which is at {@code path}; the type expected there may be null. */
  static EncodeException at(int row, int[] path, Type expected, Object value) {
    return new EncodeException(
        "row " + row + place(path, expected) + ": cannot encode " + describe(value));
  }

  /** What a message says of a place after its row; the type expected there may be null. */
  static String place(int[] path, Type expected) {
    StringBuilder place = new StringBuilder();
    for (int i = 0; i < path.length; i++) {
      place.append(i == 0 ? ", field " : ".").append(path[i]);
    }
    if (expected != null) {
      place.append(path.length == 0 ? ", (" : " (").append(shortened(expected)).append(')');
    }
    return place.toString();
  }

  private static String shortened(Type type) {
    String text = type.toString();
    return text.length() <= 100 ? text : text.substring(0, 97) + "...";
  }

  /** Looks for the first misfit in prefix order. True once it is found. */
  private boolean visit(Type type, Object value) {
    return switch (type.kind) {
      case I64 -> !RowWriter.isI64(value) && fail(value);
      case F64 -> !(value instanceof Double) && fail(value);
      case STR -> !(value instanceof String) && fail(value);
      case BOOL -> !(value instanceof Boolean) && fail(value);
      case NULL -> value != null && fail(value);
      case NEVER -> fail(value);
      case OPTIONAL -> value != null && visit(type.part(), value);
      case TUPLE, TUPLE_SEQUENCE ->
          value instanceof Object[] fields
              ? visitAll(type, value, Arrays.asList(fields))
              : fail(value);
      case LIST, LIST_SEQUENCE ->
          value instanceof List<?> list
              ? visitAll(type, value, Arrays.asList(list.toArray()))
              : fail(value);
      case UNION -> visitUnion(type, value);
      case LOGICAL ->
          (!type.logical.takes(value) || type.logical.refusal(value) != null) && fail(value);
    };
  }

  private boolean visitAll(Type type, Object value, List<?> elements) {
    boolean sequence = type.isSequence();
    if (!sequence && elements.size() != type.parts.size()) {
      return fail(value);
    }
    if (depth == path.length) {
      path = Arrays.copyOf(path, 2 * depth);
    }
    int at = depth++;
    for (int i = 0; i < elements.size(); i++) {
      path[at] = i;
      if (visit(sequence ? type.part() : type.parts.get(i), elements.get(i))) {
        return true;
      }
    }
    depth--;
    return false;
  }

  private boolean visitUnion(Type type, Object value) {
    try {
      return visit(type.parts.get(WalkingWriter.arm(type, value)), value);
    } catch (Misfit e) {
      return fail(value);
    }
  }

  private boolean fail(Object value) {
    int[] place = Arrays.copyOf(path, depth);
    found = at(row, place, root.at(place), value);
    return true;
  }

  private static String describe(Object value) {
    if (value == null) {
      return "null";
    }
    if (value instanceof Object[] fields) {
      return "a tuple of " + fields.length + " (" + value.getClass().getTypeName() + ")";
    }
    if (value instanceof List<?> list) {
      return "a list of " + list.size() + " (" + value.getClass().getName() + ")";
    }
    String name = value.getClass().getTypeName();
    if (value instanceof Instant) {
      return name + ", which has no clock; use atOffset(ZoneOffset.UTC)";
    }
    Logical type = Logicals.of(value);
    String refusal = type == null ? null : type.refusal(value);
    return refusal == null ? name : name + " " + refusal;
  }
}
