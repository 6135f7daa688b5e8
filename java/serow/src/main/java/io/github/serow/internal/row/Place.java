package io.github.serow.internal.row;

import io.github.serow.Times;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.types.TypeCodes;
import io.github.serow.internal.wire.ColumnLayout;

/**
 * A place of a schema for which a node is made. Nodes are made in prefix order of the schema, and
 * each takes its columns from {@code columns} before its parts are made.
 *
 * @param isRowAligned whether a column of the place has one value a row, so that row {@code i} has
 *     value {@code i}
 * @param times what is kept of times
 * @param mustDiffer whether the place is inside an element of a set or a key of a map, where times
 *     that differ must stay different
 */
public record Place(
    Type type,
    ColumnLayout.Builder columns,
    boolean isRowAligned,
    Times times,
    boolean mustDiffer) {

  /** The place of a schema's rows. */
  static Place of(Type root, Times times) {
    return new Place(root, new ColumnLayout.Builder(), true, times, false);
  }

  /** The place of the value of a field that may be missing. */
  Place inside() {
    return new Place(type, columns, false, times, mustDiffer);
  }

  /** The place of part {@code i} of the type. */
  public Place part(int i) {
    boolean isField =
        switch (type.code()) {
          case TypeCodes.LIST_BEGIN,
              TypeCodes.TUPLE_BEGIN,
              TypeCodes.DICT_BEGIN,
              TypeCodes.RECORD_BEGIN ->
              true;
          default -> false;
        };
    boolean isElement =
        switch (type.code()) {
          case TypeCodes.SET, TypeCodes.FROZENSET -> true;
          case TypeCodes.MAP -> i == 0;
          default -> false;
        };
    return new Place(
        type.parts().get(i), columns, isRowAligned && isField, times, mustDiffer || isElement);
  }
}
