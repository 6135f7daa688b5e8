package io.github.serow;

import java.util.Arrays;

/**
 * Where in a frame something is that is no Java object. A {@link RowReader} only says that there is
 * such; here the frame is walked once more to find the first place.
 */
final class Misread {
  private final Type root;
  private final Columns columns;

  /** Whether native code has found parts that are those of no value, which are then looked for. */
  private final boolean wrongParts;

  private final int[] path = new int[RowShapes.MAX_DEPTH];
  private int depth;

  private Misread(Type root, Columns columns, boolean wrongParts) {
    this.root = root;
    this.columns = columns;
    this.wrongParts = wrongParts;
  }

  /**
   * The error for a frame, whose columns have been loaded anew.
   *
   * @param frame the frame's index in its message
   * @param count the number of its rows
   * @param wrongParts whether native code has found that some of its parts are those of no value
   */
  static DecodeException find(
      Type root, Columns columns, int frame, int count, boolean wrongParts) {
    Misread search = new Misread(root, columns, wrongParts);
    int row = 0;
    try {
      for (; row < count; row++) {
        columns.window(row, 1);
        search.visit(root, 0);
      }
    } catch (DecodeException e) {
      return search.at(frame, row, e);
    }
    return new DecodeException(
        "frame " + frame + " could not be read and then could; please report it");
  }

  private DecodeException at(int frame, int row, DecodeException error) {
    int[] place = Arrays.copyOf(path, depth);
    return new DecodeException(
        "frame "
            + frame
            + ", row "
            + row
            + Mismatch.place(place, root.at(place))
            + ": "
            + error.getMessage());
  }

  private void visit(Type type, int row) {
    switch (type.kind) {
      case OPTIONAL -> {
        if (WalkingReader.bit(type, columns, row)) {
          visit(type.part(), row);
        }
      }
      case UNION -> visit(type.parts.get(WalkingReader.number(type, columns, row)), row);
      case TUPLE, LIST -> {
        int at = depth++;
        for (int i = 0; i < type.parts.size(); i++) {
          path[at] = i;
          visit(type.parts.get(i), row);
        }
        depth--;
      }
      case TUPLE_SEQUENCE, LIST_SEQUENCE -> {
        int count = WalkingReader.number(type, columns, row);
        int at = depth++;
        for (int i = 0; i < count; i++) {
          path[at] = i;
          visit(type.part(), row);
        }
        depth--;
      }
      case LOGICAL -> {
        int at = type.oneARow ? row : Columns.NEXT;
        if (wrongParts) {
          type.logical.check(columns, type.column, type.bytes, at);
        } else {
          type.logical.read(columns, type.column, type.bytes, at);
        }
      }
      default -> WalkingReader.value(type, columns, row);
    }
  }
}
