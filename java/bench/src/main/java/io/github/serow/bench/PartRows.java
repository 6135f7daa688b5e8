package io.github.serow.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What the entrants share that take rows as {@code Object[]} or as {@link Part}. */
abstract class PartRows implements Entrant {
  final Class<?> rowClass;

  /** Takes rows of {@code Object[].class} or {@code Part.class}. */
  PartRows(Class<?> rowClass) {
    this.rowClass = rowClass;
  }

  @Override
  public final List<?> prepare(List<Object[]> rows) {
    // Mutable, since rows are shuffled in place.
    return rowClass == Part.class
        ? rows.stream().map(Part::of).collect(Collectors.toCollection(ArrayList::new))
        : rows;
  }

  @Override
  public final Object[] fields(Object row) {
    return row instanceof Part part ? part.toRow() : (Object[]) row;
  }

  @Override
  public final boolean retainsMemory() {
    return true;
  }
}
