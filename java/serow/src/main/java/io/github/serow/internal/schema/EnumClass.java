package io.github.serow.internal.schema;

import io.github.serow.EnumMember;
import java.util.Arrays;
import java.util.List;

/** A Java enum class with its names. */
public final class EnumClass {
  private static final ClassCache<EnumClass> CLASSES = new ClassCache<>(EnumClass::new);

  private final Enumeration enumeration;
  private final Former former;

  /** Names that are known to equal these, because every constant is compared. */
  private Enumeration equal;

  private EnumClass(Class<?> type) {
    Object[] constants = type.getEnumConstants();
    enumeration =
        new Enumeration(
            PropertyAnnotations.of(type).name(type.getSimpleName()),
            Arrays.stream(constants)
                .map(constant -> annotations(type, constant).name(((Enum<?>) constant).name()))
                .toList(),
            List.of());
    former =
        new Former(
            PropertyAnnotations.of(type).formerNames(),
            Arrays.stream(constants)
                .map(constant -> annotations(type, constant).formerNames())
                .toList());
    equal = enumeration;
  }

  private static PropertyAnnotations annotations(Class<?> type, Object constant) {
    try {
      return PropertyAnnotations.of(type.getField(((Enum<?>) constant).name()));
    } catch (NoSuchFieldException e) {
      // The class file has no field for the constant, so no annotation either.
      return PropertyAnnotations.of();
    }
  }

  /** The enum class of a constant. */
  public static EnumClass of(Enum<?> constant) {
    return CLASSES.get(constant.getDeclaringClass());
  }

  /** The former names of the enum and of its constants. */
  public Former former() {
    return former;
  }

  public Enumeration enumeration() {
    return enumeration;
  }

  /** Whether constants of this class are of a type with these names. */
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

  /** The decoded form of a constant of this class. */
  public EnumMember member(Enum<?> constant) {
    return enumeration.members.get(constant.ordinal());
  }
}
