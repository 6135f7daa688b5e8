package io.github.serow.internal.mapping;

import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.OptionalNode;
import io.github.serow.internal.row.Place;
import io.github.serow.internal.schema.FieldReadException;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.value.ValueNormalizer;
import io.github.serow.internal.wire.TypeMismatch;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A value that may be null. */
public final class OptionalMapping extends Mapping {
  /** The primitive types of Java's optionals of numbers. */
  static final Map<Class<?>, Class<?>> OF_NUMBERS =
      Map.of(
          OptionalInt.class, int.class,
          OptionalLong.class, long.class,
          OptionalDouble.class, double.class);

  private final Mapping value;

  public OptionalMapping(Mapping value) {
    this.value = value;
  }

  /** One of Java's optionals. */
  static Mapping of(Class<?> type, Mapping value) {
    return new WrappedMapping(
        type,
        new OptionalMapping(value),
        object -> content(type, object),
        plain -> optional(type, plain));
  }

  @Override
  public Type type() {
    return Type.optional(value.type());
  }

  @Override
  public Node node(Place place) {
    return new OptionalNode(place, value::node);
  }

  @Override
  public boolean isFixed() {
    return value.isFixed();
  }

  @Override
  Object ofDefault(String text) {
    return value.ofDefault(text);
  }

  private static Object content(Class<?> type, Object object) {
    if (object == null) {
      String name = type.getSimpleName();
      throw FieldReadException.refused(
          ("it is null, and would come back as an empty %s; use %s.empty(), or a type"
                  + " other than %s, whose null is kept")
              .formatted(name, name, name));
    }
    if (!type.isInstance(object)) {
      throw new TypeMismatch(object);
    }
    return ValueNormalizer.content(object);
  }

  private static Object optional(Class<?> type, Object plain) {
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
