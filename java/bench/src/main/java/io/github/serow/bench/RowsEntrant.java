package io.github.serow.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What the entrants share that take rows as {@code Object[]}, as maps, or as objects of a class.
 */
abstract class RowsEntrant implements Entrant {
  final Form form;

  RowsEntrant(Form form) {
    this.form = form;
  }

  @Override
  public final List<?> prepare(List<Object> rows) {
    // Mutable, since rows are shuffled in place.
    return rows.stream().map(form.ofRow()).collect(Collectors.toCollection(ArrayList::new));
  }

  @Override
  public final Object plain(Object row) {
    return form.toRow().apply(row);
  }

  @Override
  public final boolean retainsMemory() {
    return true;
  }
}
