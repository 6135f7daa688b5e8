package io.github.serow.encode;

import io.github.serow.Complex;
import io.github.serow.EnumMember;
import io.github.serow.FrozenSet;
import io.github.serow.Row;
import io.github.serow.logical.CompositeTypes;
import io.github.serow.logical.Integers;
import io.github.serow.schema.EnumClass;
import io.github.serow.schema.Enumeration;
import io.github.serow.schema.Names;
import io.github.serow.schema.PublicTypes;
import io.github.serow.schema.RecordClass;
import io.github.serow.schema.Type;
import io.github.serow.wire.PrimitiveArray;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The kind of a value, which only depends on its class. All other code uses this classification: to
 * select the arm of a union, and to describe, walk or compare rows.
 */
public enum ValueKind {
  NULL,
  /** An integer of up to 64 bits. */
  I64,
  F64,
  STR,
  BOOL,
  /** {@code Object[]}. */
  TUPLE,
  /** A {@link List} or an array of numbers or booleans. */
  LIST,
  SET,
  FROZENSET,
  MAP,
  /** A Java record or a {@link Row}. */
  RECORD,
  /** A constant of a Java enum or an {@link EnumMember}. */
  ENUM,
  /** A composite value, such as a date or a decimal. */
  COMPOSITE,
  /** Other classes. {@link ValueNormalizer#plain} may convert the value to another kind. */
  OTHER;

  /** The kind of {@code value}. Tests the most common classes first. */
  static ValueKind of(Object value) {
    if (value == null) {
      return NULL;
    }
    if (isStr(value)) {
      return STR;
    }
    if (Integers.isI64(value)) {
      return I64;
    }
    if (isF64(value)) {
      return F64;
    }
    if (isBool(value)) {
      return BOOL;
    }
    if (isTuple(value)) {
      return TUPLE;
    }
    if (isList(value)) {
      return LIST;
    }
    if (value instanceof Set) {
      return isFrozenSet(value) ? FROZENSET : SET;
    }
    if (isMap(value)) {
      return MAP;
    }
    if (isRecord(value)) {
      return RECORD;
    }
    if (value instanceof Enum || value instanceof EnumMember) {
      return ENUM;
    }
    return CompositeTypes.of(value) != null ? COMPOSITE : OTHER;
  }

  /**
   * Whether arm {@code arm} of a union accepts {@code value}, by its class, the length of a tuple,
   * and the names of a record or an enum.
   */
  static boolean takes(Type arm, Object value) {
    return switch (arm.kind) {
      case I64 -> Integers.isI64(value);
      case F64 -> isF64(value);
      case STR -> isStr(value);
      case BOOL -> isBool(value);
      case LIST, LIST_SEQUENCE -> isList(value);
      case TUPLE -> value instanceof Object[] fields && fields.length == arm.parts.size();
      case TUPLE_SEQUENCE -> isTuple(value);
      case SET -> isSet(value);
      case FROZENSET -> isFrozenSet(value);
      case MAP, DICT -> isMap(value);
      case RECORD -> isRecord(value, arm.names);
      case ENUM -> isMember(value, arm.enumeration);
      case LOGICAL -> arm.logical.takes(value);
      case NULL, NEVER, OPTIONAL, MAYBE, UNION -> false;
    };
  }

  /**
   * The name of the method that generated code calls instead of {@link #takes}. Only for arms that
   * depend on nothing but the value.
   */
  public static String test(Type.Kind arm) {
    return switch (arm) {
      case I64 -> "isI64";
      case F64 -> "isF64";
      case STR -> "isStr";
      case BOOL -> "isBool";
      case LIST, LIST_SEQUENCE -> "isList";
      case TUPLE_SEQUENCE -> "isTuple";
      case SET -> "isSet";
      case FROZENSET -> "isFrozenSet";
      case MAP, DICT -> "isMap";
      default -> throw new IllegalArgumentException(arm + " does not depend on the class alone");
    };
  }

  public static boolean isI64(Object value) {
    return Integers.isI64(value);
  }

  public static boolean isF64(Object value) {
    return value instanceof Double;
  }

  public static boolean isStr(Object value) {
    return value instanceof String;
  }

  public static boolean isBool(Object value) {
    return value instanceof Boolean;
  }

  public static boolean isTuple(Object value) {
    return value instanceof Object[];
  }

  public static boolean isList(Object value) {
    return value instanceof List || PrimitiveArray.isOne(value);
  }

  public static boolean isSet(Object value) {
    return value instanceof Set && !(value instanceof FrozenSet);
  }

  public static boolean isFrozenSet(Object value) {
    return value instanceof FrozenSet;
  }

  public static boolean isMap(Object value) {
    return value instanceof Map;
  }

  /**
   * Whether it is a {@link Row} or a Java record, except {@link Complex}, which is a single value.
   */
  static boolean isRecord(Object value) {
    return value instanceof Row || value instanceof Record && !(value instanceof Complex);
  }

  public static boolean isRecord(Object value, Names names) {
    return isRecord(value) && isOf(value, names);
  }

  private static boolean isOf(Object value, Names names) {
    return value instanceof Row row
        ? PublicTypes.names(row).equals(names)
        : RecordClass.of(value.getClass()).isOf(names);
  }

  public static boolean isMember(Object value, Enumeration of) {
    return value instanceof Enum<?> constant
        ? EnumClass.of(constant).isOf(of)
        : value instanceof EnumMember member && PublicTypes.enumeration(member).equals(of);
  }

  static Names names(Object value) {
    return value instanceof Row row
        ? PublicTypes.names(row)
        : RecordClass.of(value.getClass()).names();
  }

  /** The field values of a value of kind {@link #RECORD}; they must not be modified. */
  static Object[] fields(Object value) {
    return value instanceof Row row
        ? PublicTypes.values(row)
        : RecordClass.of(value.getClass()).fields(value);
  }

  static Enumeration enumeration(Object value) {
    return value instanceof Enum<?> constant
        ? EnumClass.of(constant).enumeration()
        : PublicTypes.enumeration((EnumMember) value);
  }
}
