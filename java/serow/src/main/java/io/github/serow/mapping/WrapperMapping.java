package io.github.serow.mapping;

import io.github.serow.schema.Mapping;
import io.github.serow.schema.Type;
import io.github.serow.schema.TypeList;

/** A class whose values are converted to those of another class, which has a mapping of its own. */
abstract class WrapperMapping extends Mapping {
  /** The mapping of the values that it converts to. */
  final Mapping plain;

  WrapperMapping(Mapping plain) {
    this.plain = plain;
  }

  @Override
  public final void describe(TypeList list) {
    plain.describe(list);
  }

  /** The mapping of the plain value binds the parts. */
  @Override
  public final void bind(Type type) {
    plain.bind(type);
    super.bind(type);
  }

  @Override
  public final boolean isFixed() {
    return plain.isFixed();
  }

  @Override
  public final boolean isOptional() {
    return plain.isOptional();
  }

  @Override
  public final boolean unwraps() {
    return true;
  }

  @Override
  public final boolean wraps() {
    return true;
  }
}
