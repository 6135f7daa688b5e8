package io.github.serow.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Base class of entrants whose rows are {@code Object[]}, maps, or objects of a class. */
abstract class RowsEntrant implements Entrant {
  final RowRepresentation representation;

  RowsEntrant(RowRepresentation representation) {
    this.representation = representation;
  }

  @Override
  public final List<?> prepare(List<Object> rows) {
    // A mutable list, because rows are shuffled in place.
    return rows.stream()
        .map(representation.ofRow())
        .collect(Collectors.toCollection(ArrayList::new));
  }

  @Override
  public final Object plain(Object row) {
    return representation.toRow().apply(row);
  }

  @Override
  public final boolean retainsMemory() {
    return true;
  }
}
