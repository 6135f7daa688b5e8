package io.github.serow.codec;

import io.github.serow.Schema;
import io.github.serow.SchemaSet;
import io.github.serow.schema.Former;
import io.github.serow.schema.Type;
import java.util.ArrayList;
import java.util.List;

/** Collects the former names of all classes in a type, for a native plan. */
final class FormerNames {
  /** The former names of each struct and of each enum: of itself, and of its parts. */
  private static final String TYPE = "([([str], [[str]])], [([str], [[str]])])";

  private final List<Object[]> structs = new ArrayList<>();
  private final List<Object[]> enums = new ArrayList<>();
  private boolean isEmpty = true;

  private FormerNames() {}

  /** The former names as a single record; null if there are none. */
  static byte[] record(Type root) {
    FormerNames found = new FormerNames();
    found.find(root);
    if (found.isEmpty) {
      return null;
    }
    Binding binding = Binding.of(Schema.parse(TYPE));
    Object[] row = {found.structs, found.enums};
    return new SingleRecords(binding, new SchemaSet(), false).encode(row);
  }

  /** Visits structs and enums in the order of their numbers in a plan. */
  private void find(Type type) {
    Former former = type.former;
    Object[] names = {former.own(), former.parts()};
    switch (type.kind) {
      case DICT, RECORD -> structs.add(names);
      case ENUM -> enums.add(names);
      default -> {}
    }
    isEmpty &= former.isEmpty();
    type.parts.forEach(this::find);
  }
}
