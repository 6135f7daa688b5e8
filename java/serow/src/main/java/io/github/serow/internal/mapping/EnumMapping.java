package io.github.serow.internal.mapping;

import io.github.serow.SchemaException;
import io.github.serow.internal.row.EnumNode;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.Place;
import io.github.serow.internal.schema.EnumClass;
import io.github.serow.internal.schema.Enumeration;
import io.github.serow.internal.schema.Former;
import io.github.serow.internal.types.Type;

/** An enum of the caller's. */
public final class EnumMapping extends Mapping {
  private final Enumeration enumeration;
  private final Object[] constants;
  private final Former former;

  EnumMapping(Class<?> type, String place) {
    constants = type.getEnumConstants();
    EnumClass names = EnumClass.of((Enum<?>) constants[0]);
    enumeration = names.enumeration();
    try {
      former = names.former().checked("constant", enumeration.names);
    } catch (SchemaException e) {
      throw Mapper.refused(place, "is of enum " + type.getName() + ", which " + e.getMessage());
    }
  }

  @Override
  public Type type() {
    return Type.enumeration(enumeration.name, enumeration.names, enumeration.values);
  }

  @Override
  public Node node(Place place) {
    return new EnumNode(place, constants, former);
  }

  @Override
  Object ofDefault(String text) {
    int index = enumeration.names.indexOf(text);
    if (index < 0) {
      throw new SchemaException("is not one of " + String.join(", ", enumeration.names));
    }
    return constants[index];
  }
}
