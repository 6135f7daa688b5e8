package io.github.serow.mapping;

import io.github.serow.schema.FieldReadException;
import io.github.serow.schema.Mapping;
import io.github.serow.schema.Type;
import io.github.serow.schema.TypeList;
import io.github.serow.types.TypeCodes;
import io.github.serow.wire.TypeMismatch;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A value that may be null, or an {@link Optional} or {@link OptionalInt} and the like. */
public final class OptionalMapping extends Mapping {
  /** The classes of optional numbers, with the classes of the numbers. */
  static final Map<Class<?>, Class<?>> OF_NUMBERS =
      Map.of(
          OptionalInt.class, int.class,
          OptionalLong.class, long.class,
          OptionalDouble.class, double.class);

  private final Mapping value;

  /** The class of the optional objects; null if there are none, only nulls. */
  private final Class<?> type;

  /** A value that may be null. */
  public OptionalMapping(Mapping value) {
    this(value, null);
  }

  /** {@code type}: {@link Optional} or a class of {@link #OF_NUMBERS}. */
  OptionalMapping(Mapping value, Class<?> type) {
    this.value = value;
    this.type = type;
  }

  @Override
  public void describe(TypeList list) {
    list.add(TypeCodes.OPTIONAL);
    value.describe(list);
  }

  @Override
  public void bind(Type bound) {
    super.bind(bound);
    value.bind(bound.part());
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
    return type != null;
  }

  @Override
  public boolean wraps() {
    return type != null;
  }

  @Override
  public Object ofDefault(String text) {
    return wrap(value.ofDefault(text));
  }

  @Override
  public Object unwrap(Object object) throws TypeMismatch {
    if (type == null) {
      return object;
    }
    if (object == null) {
      String name = type.getSimpleName();
      throw FieldReadException.refused(
          "it is null, and would come back as an empty "
              + name
              + "; use "
              + name
              + ".empty(), or a type other than "
              + name
              + ", whose null is kept");
    }
    if (!type.isInstance(object)) {
      throw TypeMismatch.MISMATCH;
    }
    return content(object);
  }

  /** The value in an optional object, or null if it is empty; {@code object} if it is none. */
  public static Object content(Object object) {
    if (object instanceof Optional<?> optional) {
      return optional.orElse(null);
    }
    if (object instanceof OptionalInt optional) {
      return optional.isPresent() ? (Object) (long) optional.getAsInt() : null;
    }
    if (object instanceof OptionalLong optional) {
      return optional.isPresent() ? (Object) optional.getAsLong() : null;
    }
    if (object instanceof OptionalDouble optional) {
      return optional.isPresent() ? (Object) optional.getAsDouble() : null;
    }
    return object;
  }

  @Override
  public Object wrap(Object plain) {
    if (type == null) {
      return plain;
    }
    if (type == OptionalInt.class) {
      return plain == null ? OptionalInt.empty() : OptionalInt.of((Integer) plain);
    }
    if (type == OptionalLong.class) {
      return plain == null ? OptionalLong.empty() : OptionalLong.of((Long) plain);
    }
    if (type == OptionalDouble.class) {
      return plain == null ? OptionalDouble.empty() : OptionalDouble.of((Double) plain);
    }
    return Optional.ofNullable(plain);
  }
}
