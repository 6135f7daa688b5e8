package io.github.serow.bench;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A representation of the rows of a workload.
 *
 * @param rowClass the class of a row
 * @param held the other classes in a row, except those that every serializer knows
 * @param ofRow converts a plain row, which is an {@code Object[]} or a map
 * @param toRow converts back to a plain row
 */
record RowRepresentation(
    Class<?> rowClass,
    List<Class<?>> held,
    UnaryOperator<Object> ofRow,
    UnaryOperator<Object> toRow) {

  /** Plain rows. */
  static RowRepresentation plain(Class<?> rowClass, Class<?>... held) {
    return new RowRepresentation(
        rowClass, List.of(held), UnaryOperator.identity(), UnaryOperator.identity());
  }
}
