package io.github.serow.internal.schema;

import io.github.serow.EnumMember;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The names of an enum and its members, and the values of its members. */
public final class Enumeration {
  public final String name;

  public final List<String> names;

  /** The values of the members, all {@link Long} or all {@link String}; empty if they have none. */
  public final List<?> values;

  /** Its members, in the order of their names. */
  public final List<EnumMember> members;

  private final int hash;

  public Enumeration(String name, List<String> names, List<?> values) {
    this.name = name;
    this.names = List.copyOf(names);
    this.values = List.copyOf(values);
    hash = Objects.hash(name, this.names, this.values);
    List<EnumMember> made = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      made.add(SharedSecrets.member(this, i));
    }
    members = List.copyOf(made);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Enumeration it
        && hash == it.hash
        && name.equals(it.name)
        && names.equals(it.names)
        && values.equals(it.values);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
