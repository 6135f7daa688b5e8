package io.github.serow.bench;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A way to hold the rows of a workload.
 *
 * @param rowClass what a row is
 * @param held the classes of what is in it, those aside that every serializer knows
 * @param ofRow makes it of a plain row, that is an {@code Object[]} or a map
 * @param toRow makes a plain row of it
 */
record RowRepresentation(
    Class<?> rowClass,
    List<Class<?>> held,
    UnaryOperator<Object> ofRow,
    UnaryOperator<Object> toRow) {

  /** That of plain rows. */
  static RowRepresentation plain(Class<?> rowClass, Class<?>... held) {
    return new RowRepresentation(
        rowClass, List.of(held), UnaryOperator.identity(), UnaryOperator.identity());
  }
}
