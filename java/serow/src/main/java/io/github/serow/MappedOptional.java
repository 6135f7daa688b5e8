package io.github.serow;

import java.util.Optional;

/** A value that may be null, or an {@link Optional}. */
final class MappedOptional extends Mapped {
  private final Mapped value;
  private final boolean isObject;

  /** {@code isObject}: it is an {@link Optional}, and not null itself. */
  MappedOptional(Mapped value, boolean isObject) {
    this.value = value;
    this.isObject = isObject;
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
  boolean isOptional() {
    return true;
  }

  @Override
  boolean unwraps() {
    return isObject;
  }

  @Override
  boolean wraps() {
    return isObject;
  }

  /** An optional that is itself null is taken for an empty one. */
  @Override
  Object unwrap(Object value) throws Misfit {
    if (!isObject || value == null) {
      return value;
    }
    if (value instanceof Optional<?> optional) {
      return optional.orElse(null);
    }
    throw Misfit.MISFIT;
  }

  @Override
  Object wrap(Object plain) {
    return isObject ? Optional.ofNullable(plain) : plain;
  }
}
