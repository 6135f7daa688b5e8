package io.github.serow.mapping;

import io.github.serow.schema.Mapping;
import io.github.serow.schema.Type;
import io.github.serow.schema.TypeList;
import io.github.serow.types.TypeCodes;
import io.github.serow.wire.TypeMismatch;
import java.util.Optional;

/** A value that may be null, or an {@link Optional}. */
public final class OptionalMapping extends Mapping {
  private final Mapping value;
  private final boolean isObject;

  /** {@code isObject}: it is an {@link Optional} object. */
  OptionalMapping(Mapping value, boolean isObject) {
    this.value = value;
    this.isObject = isObject;
  }

  @Override
  public void describe(TypeList list) {
    list.add(TypeCodes.OPTIONAL);
    value.describe(list);
  }

  @Override
  public void bind(Type type) {
    super.bind(type);
    value.bind(type.part());
  }

  @Override
  public boolean isFixed() {
    return value.isFixed();
  }

  @Override
  public boolean isOptional() {
    return true;
  }

  @Override
  public boolean unwraps() {
    return isObject;
  }

  @Override
  public boolean wraps() {
    return isObject;
  }

  /** A null in place of an {@link Optional} is encoded as an empty one. */
  @Override
  public Object unwrap(Object value) throws TypeMismatch {
    if (!isObject || value == null) {
      return value;
    }
    if (value instanceof Optional<?> optional) {
      return optional.orElse(null);
    }
    throw TypeMismatch.MISMATCH;
  }

  @Override
  public Object wrap(Object plain) {
    return isObject ? Optional.ofNullable(plain) : plain;
  }
}
