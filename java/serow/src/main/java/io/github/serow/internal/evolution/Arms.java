package io.github.serow.internal.evolution;

import io.github.serow.internal.logical.CompositeTypes;
import io.github.serow.internal.types.NumberTypes;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.types.TypeCodes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Finds the arm of a reader's union for values of a writer's type. */
final class Arms {
  private static final int NONE = -1;

  private final List<Part> arms = new ArrayList<>();

  private Arms(Part union) {
    for (int i = 0; i < union.size(); i++) {
      arms.add(union.part(i));
    }
  }

  /**
   * The index of the arm that reads values of type {@code type}, which is no union; -1 if there is
   * none. The class decides, as in encoding, and then the possible conversions.
   */
  static int find(Type type, Part union) {
    return new Arms(union).find(type);
  }

  private int find(Type type) {
    return switch (type.code()) {
      case TypeCodes.TUPLE_BEGIN -> {
        int same =
            first(
                arm ->
                    arm.code() == TypeCodes.TUPLE
                        || arm.code() == TypeCodes.TUPLE_BEGIN
                            && arm.parts().size() == type.parts().size());
        yield same >= 0 ? same : only(Arms::isSequence);
      }
      case TypeCodes.LIST_BEGIN,
          TypeCodes.LIST,
          TypeCodes.TUPLE,
          TypeCodes.SET,
          TypeCodes.FROZENSET -> {
        int same = ofClass(type);
        yield same >= 0 ? same : only(Arms::isSequence);
      }
      case TypeCodes.RECORD_BEGIN -> ofRecord(type);
      case TypeCodes.DICT_BEGIN -> {
        int same = ofClass(type);
        yield same >= 0 ? same : only(Type::isRecord);
      }
      case TypeCodes.ENUM, TypeCodes.INT_ENUM, TypeCodes.STR_ENUM -> ofEnum(type);
      default -> {
        if (type.code() == CompositeTypes.NDARRAY.code()) {
          int same = first(type::equals);
          yield same >= 0 ? same : only(Arms::isSequence);
        }
        if (CompositeTypes.isBytes(type.code())) {
          int same = first(type::equals);
          yield same >= 0 ? same : first(arm -> CompositeTypes.isBytes(arm.code()));
        }
        yield ofNumberOrOther(type);
      }
    };
  }

  private int ofRecord(Type type) {
    int same = first(arm -> isNamed(arm, type.name()) && arm.names().equals(type.names()));
    int named = same >= 0 ? same : only(arm -> isNamed(arm, type.name()));
    int former = named >= 0 ? named : onlyFormer(type.name(), Type::isRecord);
    return former >= 0 ? former : first(arm -> arm.code() == TypeCodes.DICT_BEGIN);
  }

  private static boolean isNamed(Type arm, String name) {
    return arm.isRecord() && arm.name().equals(name);
  }

  private int ofEnum(Type type) {
    int same = first(type::equals);
    int named = same >= 0 ? same : only(arm -> arm.isEnum() && arm.name().equals(type.name()));
    return named >= 0 ? named : onlyFormer(type.name(), Type::isEnum);
  }

  /** A union has at most one type of integers, and one of floats. */
  private int ofNumberOrOther(Type type) {
    int same = ofClass(type);
    if (same >= 0 || !NumberTypes.isNumber(type.code())) {
      return same;
    }
    boolean isFloat = NumberTypes.isFloat(type.code());
    int number = first(arm -> isNumber(arm, isFloat));
    return number >= 0 ? number : first(arm -> isNumber(arm, true));
  }

  private static boolean isNumber(Type arm, boolean isFloat) {
    return NumberTypes.isNumber(arm.code()) && NumberTypes.isFloat(arm.code()) == isFloat;
  }

  private static boolean isSequence(Type arm) {
    return switch (arm.code()) {
      case TypeCodes.LIST_BEGIN,
          TypeCodes.TUPLE_BEGIN,
          TypeCodes.LIST,
          TypeCodes.TUPLE,
          TypeCodes.SET,
          TypeCodes.FROZENSET ->
          true;
      default -> false;
    };
  }

  private int ofClass(Type type) {
    return first(arm -> classOf(arm) == classOf(type));
  }

  /** The code that stands for all types whose values have the same class. */
  private static int classOf(Type type) {
    return switch (type.code()) {
      case TypeCodes.LIST_BEGIN -> TypeCodes.LIST;
      case TypeCodes.DICT_BEGIN -> TypeCodes.MAP;
      default -> NumberTypes.classOf(type.code());
    };
  }

  private int first(Predicate<Type> fits) {
    for (int i = 0; i < arms.size(); i++) {
      if (fits.test(arms.get(i).type())) {
        return i;
      }
    }
    return NONE;
  }

  private int only(Predicate<Type> fits) {
    return arms.stream().filter(arm -> fits.test(arm.type())).count() == 1 ? first(fits) : NONE;
  }

  private int onlyFormer(String name, Predicate<Type> fits) {
    List<Part> named = arms.stream().filter(arm -> fits.test(arm.type()) && arm.was(name)).toList();
    return named.size() == 1 ? arms.indexOf(named.get(0)) : NONE;
  }
}
