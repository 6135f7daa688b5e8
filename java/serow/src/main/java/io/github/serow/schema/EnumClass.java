package io.github.serow.schema;

import io.github.serow.EnumMember;
import java.util.Arrays;

/** A class of Java enums: its names. */
public final class EnumClass {
  private static final ClassCache<EnumClass> CLASSES = new ClassCache<>(EnumClass::new);

  private final Enumeration enumeration;

  /** Names that were found to be equal to these. They are asked for once for every constant. */
  private Enumeration equal;

  private EnumClass(Class<?> type) {
    Object[] constants = type.getEnumConstants();
    enumeration =
        new Enumeration(
            type.getSimpleName(),
            Arrays.stream(constants).map(constant -> ((Enum<?>) constant).name()).toList());
    equal = enumeration;
  }

  /** That of a constant. */
  public static EnumClass of(Enum<?> constant) {
    return CLASSES.get(constant.getDeclaringClass());
  }

  public Enumeration enumeration() {
    return enumeration;
  }

  /** True if constants of this class are of a type of these names. */
  public boolean isOf(Enumeration other) {
    if (other == equal) {
      return true;
    }
    if (!enumeration.equals(other)) {
      return false;
    }
    equal = other;
    return true;
  }

  /** What a constant of this class comes back as. */
  public EnumMember member(Enum<?> constant) {
    return enumeration.members.get(constant.ordinal());
  }
}
