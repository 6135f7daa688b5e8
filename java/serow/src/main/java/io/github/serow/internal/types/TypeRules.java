package io.github.serow.internal.types;

import io.github.serow.LimitException;
import io.github.serow.SchemaException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rules for schemas that the factory methods of {@link Type} can't enforce. */
final class TypeRules {
  private TypeRules() {}

  /**
   * Checks that names are distinct, that elements of sets and keys of maps have a hash, and that
   * unions do not have too many arms.
   *
   * @throws SchemaException if a rule is broken
   * @throws LimitException if there are too many arms
   */
  static void check(Type type) {
    switch (type.code()) {
      case TypeCodes.SET, TypeCodes.FROZENSET ->
          checkHash("the elements of a set", type.parts().get(0));
      case TypeCodes.MAP -> checkHash("the keys of a map", type.parts().get(0));
      case TypeCodes.UNION_BEGIN -> Type.checkArms(type.parts().size());
      case TypeCodes.DICT_BEGIN, TypeCodes.RECORD_BEGIN -> checkNames(type);
      case TypeCodes.ENUM, TypeCodes.INT_ENUM, TypeCodes.STR_ENUM -> checkMembers(type);
      default -> {}
    }
    type.parts().forEach(TypeRules::check);
  }

  private static void checkNames(Type type) {
    String of = type.name() == null ? "a dict" : TypePrinter.word(type.name());
    checkDistinct(type.names(), "field", of);
    int missing = type.maybe().nextSetBit(0);
    if (type.name() != null && missing >= 0) {
      throw new SchemaException(
          "field %s of record %s can't be missing; only fields of dicts can"
              .formatted(TypePrinter.quoted(type.names().get(missing)), of));
    }
  }

  private static void checkMembers(Type type) {
    if (type.names().isEmpty()) {
      throw new SchemaException("enum " + TypePrinter.quoted(type.name()) + " has no members");
    }
    checkDistinct(type.names(), "member", TypePrinter.word(type.name()));
  }

  private static void checkHash(String what, Type type) {
    Type part = type.unhashable();
    if (part != null) {
      throw new SchemaException(
          what + " must have a hash in every language, but values of type " + part + " have none");
    }
  }

  private static void checkDistinct(List<String> names, String what, String of) {
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (!seen.add(name)) {
        throw new SchemaException(what + " " + TypePrinter.quoted(name) + " comes twice in " + of);
      }
    }
  }
}
