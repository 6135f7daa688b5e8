package io.github.serow.spark.exact;

import io.github.serow.internal.mapping.Mapping;
import io.github.serow.internal.row.EnumNode;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.Place;
import io.github.serow.internal.row.WrappedNode;
import io.github.serow.internal.schema.Enumeration;
import io.github.serow.internal.schema.Former;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.wire.TypeMismatch;
import java.util.Arrays;
import java.util.List;

/** The constants of a Java enum. */
final class EnumConstants extends ExactClass {
  private final Enum<?>[] constants;

  EnumConstants(Class<?> type) {
    super(type, 0, false);
    constants = (Enum<?>[]) type.getEnumConstants();
  }

  @Override
  boolean takes(Object value) {
    return value instanceof Enum<?> constant && constant.getDeclaringClass() == type;
  }

  @Override
  boolean hasSubclasses() {
    return true;
  }

  @Override
  Mapping mapping(List<Mapping> of) {
    return new Constants();
  }

  /** The mapping to an enum. The schema has the names of the constants, so readers compare them. */
  private final class Constants extends Mapping {
    private final Enumeration enumeration =
        new Enumeration(
            type.getName(), Arrays.stream(constants).map(Enum::name).toList(), List.of());

    @Override
    public Type type() {
      return Type.enumeration(enumeration.name, enumeration.names, enumeration.values);
    }

    @Override
    public Node node(Place place) {
      Node member = new EnumNode(place, constants, Former.NONE);
      return new WrappedNode(place, member, EnumConstants.this::takes, this::member, null);
    }

    private Object member(Object value) {
      if (!takes(value)) {
        throw new TypeMismatch(value);
      }
      return enumeration.members.get(((Enum<?>) value).ordinal());
    }
  }
}
