package io.github.serow;

/** A Java enum. */
final class MappedEnum extends Mapped {
  private final Enumeration enumeration;

  /** The constants, in the order of the names. */
  final Object[] constants;

  MappedEnum(Class<?> type) {
    constants = type.getEnumConstants();
    enumeration = EnumClass.of((Enum<?>) constants[0]).enumeration();
  }

  @Override
  void describe(TypeList list) {
    list.add(TypeList.ENUM).name(enumeration.name).add(constants.length);
    enumeration.names.forEach(list::name);
  }

  @Override
  boolean wraps() {
    return true;
  }

  @Override
  Object wrap(Object plain) {
    return constants[((EnumMember) plain).index()];
  }
}
