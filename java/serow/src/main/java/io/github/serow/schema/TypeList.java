package io.github.serow.schema;

import io.github.serow.Schema;
import io.github.serow.types.TypeForms;
import java.util.stream.IntStream;

/** Builds a type list. */
public final class TypeList {
  private final IntStream.Builder codes = IntStream.builder();

  public TypeList add(int code) {
    codes.add(code);
    return this;
  }

  public TypeList name(String name) {
    add(name.codePointCount(0, name.length()));
    name.codePoints().forEach(this::add);
    return this;
  }

  /** The schema of this list, which need not be canonical. */
  public Schema schema() {
    return PublicTypes.schema(TypeForms.canonical(codes.build().toArray()));
  }
}
