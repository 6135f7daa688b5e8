package io.github.serow;

import java.util.Optional;

/** A value that may be null, or an {@link Optional}. */
final class MappedOptional extends Mapped {
  private final Mapped value;
  private final boolean isOptional;

  /** {@code isOptional}: it is an {@link Optional}, and not null itself. */
  MappedOptional(Mapped value, boolean isOptional) {
    this.value = value;
    this.isOptional = isOptional;
  }

  @Override
  void describe(TypeList list) {
    list.add(TypeList.OPTIONAL);
    value.describe(list);
  }

  @Override
  void bind(Type type) {
    super.bind(type);
    value.bind(type.part());
  }

  @Override
  boolean isFixed() {
    return value.isFixed();
  }

  @Override
  boolean unwraps() {
    return isOptional;
  }

  @Override
  boolean wraps() {
    return isOptional;
  }

  /** An optional that is itself null is taken for an empty one. */
  @Override
  Object unwrap(Object value) throws Misfit {
    if (!isOptional || value == null) {
      return value;
    }
    if (value instanceof Optional<?> optional) {
      return optional.orElse(null);
    }
    throw Misfit.MISFIT;
  }

  @Override
  Object wrap(Object plain) {
    return isOptional ? Optional.ofNullable(plain) : plain;
  }
}
