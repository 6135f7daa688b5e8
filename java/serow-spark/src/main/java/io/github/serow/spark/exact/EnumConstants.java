package io.github.serow.spark.exact;

import io.github.serow.EnumMember;
import io.github.serow.schema.Enumeration;
import io.github.serow.schema.Mapping;
import io.github.serow.schema.Type;
import io.github.serow.schema.TypeList;
import io.github.serow.types.TypeCodes;
import io.github.serow.wire.TypeMismatch;
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
    private Enumeration enumeration;

    @Override
    public void describe(TypeList list) {
      list.add(TypeCodes.ENUM).name(type.getName()).add(constants.length);
      Arrays.stream(constants).forEach(constant -> list.name(constant.name()));
    }

    @Override
    public void bind(Type bound) {
      super.bind(bound);
      enumeration = bound.enumeration;
    }

    @Override
    public boolean unwraps() {
      return true;
    }

    @Override
    public boolean wraps() {
      return true;
    }

    @Override
    public Object unwrap(Object value) throws TypeMismatch {
      if (!EnumConstants.this.takes(value)) {
        throw TypeMismatch.MISMATCH;
      }
      return enumeration.members.get(((Enum<?>) value).ordinal());
    }

    @Override
    public Object wrap(Object plain) {
      return constants[((EnumMember) plain).index()];
    }
  }
}
