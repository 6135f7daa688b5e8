package io.github.serow.types;

import static io.github.serow.types.TypeCodes.DICT_BEGIN;
import static io.github.serow.types.TypeCodes.ENUM;
import static io.github.serow.types.TypeCodes.FROZENSET;
import static io.github.serow.types.TypeCodes.I64;
import static io.github.serow.types.TypeCodes.LIST;
import static io.github.serow.types.TypeCodes.LIST_BEGIN;
import static io.github.serow.types.TypeCodes.MAP;
import static io.github.serow.types.TypeCodes.NEVER;
import static io.github.serow.types.TypeCodes.NULL;
import static io.github.serow.types.TypeCodes.OPTIONAL;
import static io.github.serow.types.TypeCodes.RECORD_BEGIN;
import static io.github.serow.types.TypeCodes.SET;
import static io.github.serow.types.TypeCodes.TUPLE;
import static io.github.serow.types.TypeCodes.TUPLE_BEGIN;
import static io.github.serow.types.TypeCodes.UNION_BEGIN;

import io.github.serow.LimitException;
import io.github.serow.SchemaException;
import io.github.serow.logical.CompositeTypes;
import io.github.serow.schema.Limits;
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
 * @param maybe which fields of a dict may be missing
 * @param parts the types inside: of fields, elements, arms, or of a key and a value
 */
public record TypeTree(
    int code, String name, List<String> names, BitSet maybe, List<TypeTree> parts) {
  private static final BitSet NONE = new BitSet();

  /** A type without parts and names. */
  public static TypeTree plain(int code) {
    return of(code, List.of());
  }

  /** A type without names: a list, a tuple, a set or a map. */
  public static TypeTree of(int code, List<TypeTree> parts) {
    return new TypeTree(code, null, List.of(), NONE, parts);
  }

  /** A record, or a dict with fixed keys if {@code name} is null. */
  public static TypeTree struct(
      String name, List<String> names, BitSet maybe, List<TypeTree> parts) {
    return new TypeTree(name == null ? DICT_BEGIN : RECORD_BEGIN, name, names, maybe, parts);
  }

  public static TypeTree enumeration(String name, List<String> members) {
    return new TypeTree(ENUM, name, members, NONE, List.of());
  }

  /** The type of {@code inner}, or null. */
  public static TypeTree optional(TypeTree inner) {
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
  public static TypeTree union(Collection<TypeTree> arms) {
    boolean isNull = false;
    List<TypeTree> flat = new ArrayList<>();
    Deque<TypeTree> todo = new ArrayDeque<>();
    arms.forEach(todo::push);
    while (!todo.isEmpty()) {
      TypeTree arm = todo.pop();
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
    TypeTree one = oneOf(flat);
    return isNull ? optional(one) : one;
  }

  private static void addArm(List<TypeTree> flat, TypeTree arm) {
    for (int i = 0; i < flat.size(); i++) {
      TypeTree other = flat.get(i);
      if (arm.isInt() && other.isInt()) {
        // int includes 64-bit integers.
        flat.set(i, arm.code == I64 ? other : arm);
        return;
      }
      if (other.clashesWith(arm)) {
        if (other.equals(arm)) {
          return;
        }
        throw new SchemaException(
            "the class and length of a value don't distinguish "
                + arm
                + " from "
                + other
                + "; join the two types into one, such as [i64|str] for [i64]|[str]");
      }
    }
    flat.add(arm);
    checkArms(flat.size());
  }

  static void checkArms(int count) {
    if (count > Limits.MAX_ARMS) {
      throw new LimitException("values at one place have more than " + Limits.MAX_ARMS + " types");
    }
  }

  /**
   * The union of {@code arms}, which must not be nulls, optionals or unions, and must differ in
   * class or length.
   */
  public static TypeTree oneOf(List<TypeTree> arms) {
    return switch (arms.size()) {
      case 0 -> plain(NEVER);
      case 1 -> arms.get(0);
      default -> of(UNION_BEGIN, arms.stream().sorted(TypeTree::order).toList());
    };
  }

  /** Whether values are integers of 64 bits or of any size. */
  private boolean isInt() {
    return code == I64 || code == CompositeTypes.INT.code();
  }

  private boolean clashesWith(TypeTree other) {
    if (code == other.code && (code == ENUM || code == RECORD_BEGIN)) {
      return name.equals(other.name) && names.equals(other.names);
    }
    if (code == TUPLE_BEGIN && other.code == TUPLE_BEGIN) {
      return parts.size() == other.parts.size();
    }
    return kind() == other.kind();
  }

  /** The code that stands for all types whose values have the same class as values of this type. */
  private int kind() {
    return switch (code) {
      case LIST_BEGIN -> LIST;
      case TUPLE_BEGIN -> TUPLE;
      case DICT_BEGIN -> MAP;
      default -> code;
    };
  }

  /** The order of arms: by code, tuples by length, records and enums by their names. */
  private int order(TypeTree other) {
    if (code != other.code) {
      return Integer.compare(code, other.code);
    }
    return switch (code) {
      case TUPLE_BEGIN -> Integer.compare(parts.size(), other.parts.size());
      case RECORD_BEGIN, ENUM -> {
        int byName = compare(name, other.name);
        yield byName != 0 ? byName : compare(names, other.names);
      }
      default -> 0;
    };
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
  TypeTree unhashable() {
    switch (code) {
      case OPTIONAL, TUPLE_BEGIN, TUPLE, UNION_BEGIN, FROZENSET, RECORD_BEGIN -> {
        for (TypeTree part : parts) {
          TypeTree found = part.unhashable();
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
        return code == CompositeTypes.BYTEARRAY.code() ? this : null;
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
    return other instanceof TypeTree it
        && code == it.code
        && Objects.equals(name, it.name)
        && Objects.equals(names, it.names)
        && Objects.equals(maybe, it.maybe)
        && Objects.equals(parts, it.parts);
  }

  @Override
  public int hashCode() {
    return Objects.hash(code, name, names, maybe, parts);
  }
}
