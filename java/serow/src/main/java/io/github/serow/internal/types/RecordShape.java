package io.github.serow.internal.types;

import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/** The records with these names at one place. Records with other names have another type. */
record RecordShape(NameList names, List<Shape> fields) {
  /** Joins with records of the same names. */
  RecordShape join(RecordShape other) {
    List<Shape> joined = FieldShapes.join(fields, other.fields);
    return joined == fields ? this : new RecordShape(names, joined);
  }

  RecordShape settle(boolean soon) {
    return new RecordShape(names, FieldShapes.settle(fields, soon));
  }

  Type type() {
    List<Type> types = fields.stream().map(Shape::type).toList();
    return Type.struct(names.name(), names.names(), new BitSet(), types);
  }

  /** Written by hand so that serow's class loader can be unloaded; see {@code docs/jvm.md}. */
  @Override
  public boolean equals(Object other) {
    return other instanceof RecordShape it
        && Objects.equals(names, it.names)
        && Objects.equals(fields, it.fields);
  }

  @Override
  public int hashCode() {
    return Objects.hash(names, fields);
  }
}
