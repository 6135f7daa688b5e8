package io.github.serow.internal.types;

import static io.github.serow.internal.types.TypeCodes.DICT_BEGIN;
import static io.github.serow.internal.types.TypeCodes.ENUM;
import static io.github.serow.internal.types.TypeCodes.FROZENSET;
import static io.github.serow.internal.types.TypeCodes.I64;
import static io.github.serow.internal.types.TypeCodes.INT_ENUM;
import static io.github.serow.internal.types.TypeCodes.LIST;
import static io.github.serow.internal.types.TypeCodes.LIST_BEGIN;
import static io.github.serow.internal.types.TypeCodes.MAP;
import static io.github.serow.internal.types.TypeCodes.NEVER;
import static io.github.serow.internal.types.TypeCodes.NULL;
import static io.github.serow.internal.types.TypeCodes.OPTIONAL;
import static io.github.serow.internal.types.TypeCodes.RECORD_BEGIN;
import static io.github.serow.internal.types.TypeCodes.SET;
import static io.github.serow.internal.types.TypeCodes.STR_ENUM;
import static io.github.serow.internal.types.TypeCodes.TUPLE;
import static io.github.serow.internal.types.TypeCodes.TUPLE_BEGIN;
import static io.github.serow.internal.types.TypeCodes.UNION_BEGIN;

import io.github.serow.LimitException;
import io.github.serow.SchemaException;
import io.github.serow.internal.logical.CompositeTypes;
import io.github.serow.internal.wire.Limits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

/**
 * A type. Its factory methods keep it in canonical form; {@code docs/wire-format.md} describes this
 * form under "Schemas". {@code crates/core/src/schema/types.rs} has the same rules.
 *
 * @param code the first code of the type in a type list
 * @param name the name of a record or an enum; otherwise null
 * @param names the names of the fields of a dict or record, or of the members of an enum
 * @param values the values of the members of an enum, all {@link Long} or all {@link String}; empty
 *     if the members have names only
 * @param maybe which fields of a dict may be missing
 * @param parts the types inside: of fields, elements, arms, or of a key and a value
 */
public record Type(
    int code, String name, List<String> names, List<?> values, BitSet maybe, List<Type> parts) {
  private static final BitSet NONE = new BitSet();

  /** The type of the values that are not null. */
  public Type required() {
    return code == OPTIONAL ? parts.get(0) : this;
  }

  /** The same type with these parts. */
  public Type with(List<Type> others) {
    return new Type(code, name, names, values, maybe, others);
  }

  /** Whether values are records. */
  public boolean isRecord() {
    return code == RECORD_BEGIN;
  }

  /** Whether values are always tuples, or null. */
  public boolean isTuple() {
    return switch (code) {
      case TUPLE, TUPLE_BEGIN -> true;
      case OPTIONAL, UNION_BEGIN -> parts.stream().allMatch(Type::isTuple);
      default -> false;
    };
  }

  /** Whether Java compares some values by identity: tuples and bytes, or what holds some. */
  public boolean hasArrays() {
    return code == TUPLE
        || code == TUPLE_BEGIN
        || code == CompositeTypes.BYTES.code()
        || parts.stream().anyMatch(Type::hasArrays);
  }

  /** A type without parts and names. */
  public static Type plain(int code) {
    return of(code, List.of());
  }

  /** A type without names: a list, a tuple, a set or a map. */
  public static Type of(int code, List<Type> parts) {
    return new Type(code, null, List.of(), List.of(), NONE, parts);
  }

  /** A record, or a dict with fixed keys if {@code name} is null. */
  public static Type struct(String name, List<String> names, BitSet maybe, List<Type> parts) {
    int code = name == null ? DICT_BEGIN : RECORD_BEGIN;
    return new Type(code, name, names, List.of(), maybe, parts);
  }

  /**
   * An enum. The values of its members, if they have any, are all {@link Long} or all {@link
   * String}.
   */
  public static Type enumeration(String name, List<String> members, List<?> values) {
    int code = values.isEmpty() ? ENUM : values.get(0) instanceof Long ? INT_ENUM : STR_ENUM;
    return new Type(code, name, members, values, NONE, List.of());
  }

  /** The type of {@code inner}, or null. */
  public static Type optional(Type inner) {
    return switch (inner.code) {
      case NEVER -> plain(NULL);
      case NULL, OPTIONAL -> inner;
      default -> of(OPTIONAL, List.of(inner));
    };
  }

  /**
   * The union of {@code arms}, which may be nulls, optionals and unions.
   *
   * @throws SchemaException if the class and length of a value don't distinguish two arms
   * @throws LimitException if there are too many arms
   */
  public static Type union(Collection<Type> arms) {
    boolean isNull = false;
    List<Type> flat = new ArrayList<>();
    Deque<Type> todo = new ArrayDeque<>();
    arms.forEach(todo::push);
    while (!todo.isEmpty()) {
      Type arm = todo.pop();
      switch (arm.code) {
        case NEVER -> {}
        case NULL -> isNull = true;
        case OPTIONAL -> {
          isNull = true;
          todo.push(arm.parts.get(0));
        }
        case UNION_BEGIN -> arm.parts.forEach(todo::push);
        default -> addArm(flat, arm);
      }
    }
    Type one = oneOf(flat);
    return isNull ? optional(one) : one;
  }

  private static void addArm(List<Type> flat, Type arm) {
    for (int i = 0; i < flat.size(); i++) {
      Type other = flat.get(i);
      if (arm.isInt() && other.isInt()) {
        // int includes 64-bit integers.
        flat.set(i, arm.code == I64 ? other : arm);
        return;
      }
      if (other.clashesWith(arm)) {
        if (other.equals(arm)) {
          return;
        }
        if (NumberTypes.isNumber(arm.code)) {
          throw new SchemaException(
              ("a union has at most one type of integers and one of floats; instead of %s"
                      + " and %s use %s, which includes both")
                  .formatted(arm, other, plain(NumberTypes.joined(arm.code, other.code))));
        }
        throw new SchemaException(
            ("the class and length of a value don't distinguish %s from %s; join the two"
                    + " types into one, such as [i64|str] for [i64]|[str]")
                .formatted(arm, other));
      }
    }
    flat.add(arm);
    checkArms(flat.size());
  }

  static void checkArms(int count) {
    if (count > Limits.MAX_ARMS) {
      throw new LimitException("a union has more than " + Limits.MAX_ARMS + " arms");
    }
  }

  /**
   * The union of {@code arms}, which must not be nulls, optionals or unions, and must differ in
   * class or length.
   */
  public static Type oneOf(List<Type> arms) {
    return switch (arms.size()) {
      case 0 -> plain(NEVER);
      case 1 -> arms.get(0);
      default -> of(UNION_BEGIN, arms.stream().sorted(Type::order).toList());
    };
  }

  /** Whether values are integers of 64 bits or of any size. */
  private boolean isInt() {
    return code == I64 || code == CompositeTypes.INT.code();
  }

  /** Whether values are members of an enum. */
  public boolean isEnum() {
    return code == ENUM || code == INT_ENUM || code == STR_ENUM;
  }

  private boolean clashesWith(Type other) {
    if (isEnum() && other.isEnum()) {
      return equals(other);
    }
    if (code == RECORD_BEGIN && other.code == RECORD_BEGIN) {
      return name.equals(other.name) && names.equals(other.names);
    }
    if (code == TUPLE_BEGIN && other.code == TUPLE_BEGIN) {
      return parts.size() == other.parts.size();
    }
    return kind() == other.kind();
  }

  /** The code that stands for all types whose values have the same class as values of this type. */
  int kind() {
    return switch (code) {
      case LIST_BEGIN -> LIST;
      case TUPLE_BEGIN -> TUPLE;
      case DICT_BEGIN -> MAP;
      default -> NumberTypes.kind(code);
    };
  }

  /** The order of arms: by code, tuples by length, records and enums by their names and values. */
  private int order(Type other) {
    if (code != other.code) {
      return Integer.compare(code, other.code);
    }
    return switch (code) {
      case TUPLE_BEGIN -> Integer.compare(parts.size(), other.parts.size());
      case RECORD_BEGIN, ENUM, INT_ENUM, STR_ENUM -> {
        int byName = compare(name, other.name);
        int byNames = byName != 0 ? byName : compare(names, other.names);
        yield byNames != 0 ? byNames : compareValues(other);
      }
      default -> 0;
    };
  }

  /** Compares the values of the members of two enums with the same code and names. */
  private int compareValues(Type other) {
    for (int i = 0; i < values.size(); i++) {
      Object value = values.get(i);
      int order =
          value instanceof Long number
              ? number.compareTo((Long) other.values.get(i))
              : compare((String) value, (String) other.values.get(i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static int compare(List<String> a, List<String> b) {
    for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
      int order = compare(a.get(i), b.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(a.size(), b.size());
  }

  /** Compares code points, whose order is that of the bytes in UTF-8. */
  private static int compare(String a, String b) {
    return Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());
  }

  /**
   * The part of this type whose values have no hash in some language, so that values of this type
   * can't be elements of a set or keys of a map; null if there is none.
   */
  Type unhashable() {
    switch (code) {
      case OPTIONAL, TUPLE_BEGIN, TUPLE, UNION_BEGIN, FROZENSET, RECORD_BEGIN -> {
        for (Type part : parts) {
          Type found = part.unhashable();
          if (found != null) {
            return found;
          }
        }
        return null;
      }
      case LIST_BEGIN, LIST, SET, MAP, DICT_BEGIN -> {
        return this;
      }
      default -> {
        boolean isMutable =
            code == CompositeTypes.BYTEARRAY.code() || code == CompositeTypes.NDARRAY.code();
        return isMutable ? this : null;
      }
    }
  }

  /** The text form. */
  @Override
  public String toString() {
    return new TypePrinter().add(this).toString();
  }

  /** Written by hand so that serow's class loader can be unloaded; see {@code docs/jvm.md}. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Type it
        && code == it.code
        && Objects.equals(name, it.name)
        && Objects.equals(names, it.names)
        && Objects.equals(values, it.values)
        && Objects.equals(maybe, it.maybe)
        && Objects.equals(parts, it.parts);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * code + names.hashCode()) + parts.hashCode();
  }
}
