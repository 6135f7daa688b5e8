package io.github.serow.internal.types;

import java.util.List;
import java.util.Objects;

/** The names of a record and its fields. */
record NameList(String name, List<String> names) {
  /** Written by hand so that serow's class loader can be unloaded; see {@code docs/jvm.md}. */
  @Override
  public boolean equals(Object other) {
    return other instanceof NameList it
        && Objects.equals(name, it.name)
        && Objects.equals(names, it.names);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, names);
  }
}
