package io.github.serow.mapping;

import io.github.serow.EnumMember;
import io.github.serow.SchemaException;
import io.github.serow.schema.EnumClass;
import io.github.serow.schema.Enumeration;
import io.github.serow.schema.Former;
import io.github.serow.schema.Mapping;
import io.github.serow.schema.Type;
import io.github.serow.schema.TypeList;
import io.github.serow.types.TypeCodes;

/** A Java enum. */
public final class EnumMapping extends Mapping {
  private final Class<?> type;
  private final Enumeration enumeration;

  public final Object[] constants;

  private final Former former;

  /**
   * Creates a mapping.
   *
   * @param place where the enum is, for errors
   * @throws SchemaException if a former name could mean two constants
   */
  EnumMapping(Class<?> type, String place) {
    this.type = type;
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
  public void describe(TypeList list) {
    list.add(TypeCodes.ENUM).name(enumeration.name).add(constants.length);
    enumeration.names.forEach(list::name);
  }

  @Override
  public void bind(Type bound) {
    super.bind(bound);
    bound.former = former;
  }

  /** The former names of the enum and of its constants. */
  Former former() {
    return former;
  }

  @Override
  protected Object parse(String text) {
    int index = enumeration.names.indexOf(text);
    if (index < 0) {
      throw new SchemaException("is not one of " + String.join(", ", enumeration.names));
    }
    return enumeration.members.get(index);
  }

  @Override
  public boolean takes(Object value) {
    return value instanceof Enum<?> constant && constant.getDeclaringClass() == type;
  }

  Enumeration enumeration() {
    return enumeration;
  }

  @Override
  public boolean wraps() {
    return true;
  }

  @Override
  public Object wrap(Object plain) {
    return constants[((EnumMember) plain).index()];
  }
}
