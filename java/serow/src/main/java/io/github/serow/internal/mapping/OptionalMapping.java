package io.github.serow.internal.mapping;

import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.OptionalNode;
import io.github.serow.internal.row.Place;
import io.github.serow.internal.row.WrappedNode;
import io.github.serow.internal.schema.FieldReadException;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.value.ValueNormalizer;
import io.github.serow.internal.wire.TypeMismatch;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A value that may be null, or one of Java's optionals. */
public final class OptionalMapping extends Mapping {
  /** The primitive types of Java's optionals of numbers. */
  static final Map<Class<?>, Class<?>> OF_NUMBERS =
      Map.of(
          OptionalInt.class, int.class,
          OptionalLong.class, long.class,
          OptionalDouble.class, double.class);

  private final Mapping value;

  /** The class of the optional; null if the value itself is null or not. */
  private final Class<?> type;

  public OptionalMapping(Mapping value) {
    this(value, null);
  }

  OptionalMapping(Mapping value, Class<?> type) {
    this.value = value;
    this.type = type;
  }

  @Override
  public Type type() {
    return Type.optional(value.type());
  }

  @Override
  public Node node(Place place) {
    Node plain = new OptionalNode(place, value::node);
    return type == null
        ? plain
        : new WrappedNode(place, plain, type::isInstance, this::content, this::optional);
  }

  @Override
  public boolean isFixed() {
    return value.isFixed();
  }

  @Override
  Object ofDefault(String text) {
    return optional(value.ofDefault(text));
  }

  private Object content(Object object) {
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
      throw new TypeMismatch(object);
    }
    return ValueNormalizer.content(object);
  }

  private Object optional(Object plain) {
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
