package io.github.serow;

import io.github.serow.internal.logical.CompositeTypes;
import io.github.serow.internal.schema.SharedSecrets;
import io.github.serow.internal.types.NumberTypes;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.types.TypeCodes;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Makes another version of a type at random. */
final class EvolvedType {
  /** Without {@code f32}, which keeps only some bits of a NaN in a record, but all in a column. */
  private static final List<Integer> NUMBERS =
      List.of(
          TypeCodes.I64,
          TypeCodes.F64,
          CompositeTypes.INT.code(),
          CompositeTypes.I8.code(),
          CompositeTypes.U16.code(),
          CompositeTypes.I32.code(),
          CompositeTypes.U64.code());

  private static final List<Integer> SEQUENCES =
      List.of(TypeCodes.LIST, TypeCodes.TUPLE, TypeCodes.SET, TypeCodes.FROZENSET);

  private final Random random;

  EvolvedType(Random random) {
    this.random = random;
  }

  private boolean isOneOf(int count) {
    return random.nextInt(count) == 0;
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  /** Another version of a schema; null if it is none. */
  Schema of(Schema schema) {
    try {
      return Schema.parse(of(SharedSecrets.type(schema)).toString());
    } catch (SchemaException e) {
      // Types of a union can't be distinguished, or elements of a set have no hash.
      return null;
    }
  }

  /** Whether {@link #value} knows a value of this type. */
  static boolean hasValues(Type type) {
    boolean isKnown =
        CompositeTypes.ofCode(type.code()) == null
            || NumberTypes.isNumber(type.code())
            || type.code() == CompositeTypes.DATE.code();
    return isKnown
        && type.code() != TypeCodes.NEVER
        && type.parts().stream().allMatch(EvolvedType::hasValues);
  }

  /** A value of a type. */
  static Object value(Type type) {
    List<Object> parts = new ArrayList<>();
    type.parts().forEach(part -> parts.add(value(part)));
    return switch (type.code()) {
      case TypeCodes.NULL -> null;
      case TypeCodes.BOOL -> true;
      case TypeCodes.STR -> "a";
      case TypeCodes.OPTIONAL, TypeCodes.UNION_BEGIN -> parts.get(0);
      case TypeCodes.LIST, TypeCodes.LIST_BEGIN -> parts;
      case TypeCodes.TUPLE, TypeCodes.TUPLE_BEGIN -> parts.toArray();
      case TypeCodes.SET -> new LinkedHashSet<>(parts);
      case TypeCodes.FROZENSET -> FrozenSet.copyOf(parts);
      case TypeCodes.MAP -> Collections.singletonMap(parts.get(0), parts.get(1));
      case TypeCodes.DICT_BEGIN -> {
        Map<Object, Object> dict = new LinkedHashMap<>();
        for (int i = 0; i < parts.size(); i++) {
          dict.put(type.names().get(i), parts.get(i));
        }
        yield dict;
      }
      case TypeCodes.RECORD_BEGIN -> Row.of(type.name(), type.names(), parts.toArray());
      case TypeCodes.ENUM ->
          EnumMember.of(type.name(), type.names(), type.names().get(type.names().size() - 1));
      default ->
          type.code() == CompositeTypes.DATE.code()
              ? LocalDate.EPOCH
              : NumberTypes.isFloat(type.code()) ? (Object) 1.0 : (Object) 1L;
    };
  }

  Type of(Type type) {
    if (isOneOf(12)) {
      return Type.optional(of(type));
    }
    if (isOneOf(14)) {
      return Type.union(List.of(of(type), any(List.of(i64(), f64(), str(), bool()))));
    }
    if (NumberTypes.isNumber(type.code())) {
      return isOneOf(3) ? Type.plain(any(NUMBERS)) : type;
    }
    return switch (type.code()) {
      case TypeCodes.LIST, TypeCodes.TUPLE, TypeCodes.SET, TypeCodes.FROZENSET -> sequence(type);
      case TypeCodes.LIST_BEGIN, TypeCodes.TUPLE_BEGIN -> fixed(type);
      case TypeCodes.DICT_BEGIN, TypeCodes.RECORD_BEGIN -> struct(type);
      case TypeCodes.ENUM -> enumeration(type);
      case TypeCodes.OPTIONAL -> isOneOf(6) ? of(type.required()) : Type.optional(of(first(type)));
      case TypeCodes.UNION_BEGIN -> {
        List<Type> arms = new ArrayList<>(type.parts());
        if (isOneOf(4)) {
          arms.remove(random.nextInt(arms.size()));
        }
        yield isOneOf(8) ? of(any(arms)) : Type.union(arms.stream().map(this::of).toList());
      }
      case TypeCodes.MAP ->
          Type.of(TypeCodes.MAP, List.of(of(first(type)), of(type.parts().get(1))));
      default ->
          CompositeTypes.isBytes(type.code()) && isOneOf(3)
              ? Type.plain(any(List.of(CompositeTypes.BYTES, CompositeTypes.BYTEARRAY)).code())
              : isOneOf(20) ? any(List.of(i64(), str(), bool())) : type;
    };
  }

  private static Type i64() {
    return Type.plain(TypeCodes.I64);
  }

  private static Type f64() {
    return Type.plain(TypeCodes.F64);
  }

  private static Type str() {
    return Type.plain(TypeCodes.STR);
  }

  private static Type bool() {
    return Type.plain(TypeCodes.BOOL);
  }

  private static Type first(Type type) {
    return type.parts().get(0);
  }

  private Type sequence(Type type) {
    if (isOneOf(6)) {
      int code = any(List.of(TypeCodes.LIST_BEGIN, TypeCodes.TUPLE_BEGIN));
      List<Type> fields = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        fields.add(of(first(type)));
      }
      return Type.of(code, fields);
    }
    return Type.of(isOneOf(3) ? any(SEQUENCES) : type.code(), List.of(of(first(type))));
  }

  private Type fixed(Type type) {
    if (isOneOf(6)) {
      return Type.of(any(SEQUENCES), List.of(Type.union(type.parts())));
    }
    int code = isOneOf(4) ? any(List.of(TypeCodes.LIST_BEGIN, TypeCodes.TUPLE_BEGIN)) : type.code();
    return Type.of(code, type.parts().stream().map(this::of).toList());
  }

  private Type struct(Type type) {
    if (type.name() == null && isOneOf(6)) {
      return Type.of(TypeCodes.MAP, List.of(str(), Type.union(type.parts())));
    }
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < type.parts().size(); i++) {
      if (!isOneOf(5)) {
        order.add(i);
      }
    }
    if (isOneOf(3)) {
      Collections.shuffle(order, random);
    }
    String name = isOneOf(4) ? (isOneOf(2) ? null : "a record") : type.name();
    List<String> names = new ArrayList<>();
    List<Type> parts = new ArrayList<>();
    BitSet maybe = new BitSet();
    for (int from : order) {
      if (isOneOf(4)) {
        parts.add(any(List.of(Type.optional(str()), Type.plain(TypeCodes.NULL))));
        names.add("new " + names.size());
      }
      boolean mayMiss = type.maybe().get(from);
      maybe.set(names.size(), name == null && (mayMiss ? !isOneOf(6) : isOneOf(6)));
      names.add(type.names().get(from));
      Type part = of(type.parts().get(from));
      parts.add(mayMiss && isOneOf(2) ? Type.optional(part) : part);
    }
    return Type.struct(name, names, maybe, parts);
  }

  private Type enumeration(Type type) {
    List<String> names = new ArrayList<>(type.names());
    if (isOneOf(2)) {
      names.add(random.nextInt(names.size() + 1), "BLUE");
    }
    if (isOneOf(4)) {
      names.remove(0);
    }
    return Type.enumeration(type.name(), names, List.of());
  }
}
