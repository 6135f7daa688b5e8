package io.github.serow.internal.value;

import io.github.serow.Complex;
import io.github.serow.EnumMember;
import io.github.serow.FrozenSet;
import io.github.serow.Row;
import io.github.serow.internal.logical.CompositeTypes;
import io.github.serow.internal.logical.Integers;
import io.github.serow.internal.schema.EnumClass;
import io.github.serow.internal.schema.Enumeration;
import io.github.serow.internal.schema.Names;
import io.github.serow.internal.schema.RecordClass;
import io.github.serow.internal.schema.SharedSecrets;
import io.github.serow.internal.wire.PrimitiveArray;
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
  public static ValueKind of(Object value) {
    if (value == null) {
      return NULL;
    }
    if (value instanceof String) {
      return STR;
    }
    if (Integers.isI64(value)) {
      return I64;
    }
    if (value instanceof Double) {
      return F64;
    }
    if (value instanceof Boolean) {
      return BOOL;
    }
    if (value instanceof Object[]) {
      return TUPLE;
    }
    if (isList(value)) {
      return LIST;
    }
    if (value instanceof Set) {
      return value instanceof FrozenSet ? FROZENSET : SET;
    }
    if (value instanceof Map) {
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

  public static boolean isList(Object value) {
    return value instanceof List || PrimitiveArray.isOne(value);
  }

  public static boolean isSet(Object value) {
    return value instanceof Set && !(value instanceof FrozenSet);
  }

  /**
   * Whether it is a {@link Row} or a Java record, except {@link Complex}, which is a single value.
   */
  public static boolean isRecord(Object value) {
    return value instanceof Row || value instanceof Record && !(value instanceof Complex);
  }

  public static boolean isRecord(Object value, Names names) {
    return value instanceof Row row
        ? SharedSecrets.names(row).equals(names)
        : isRecord(value) && RecordClass.of(value.getClass()).isOf(names);
  }

  public static boolean isMember(Object value, Enumeration of) {
    return value instanceof Enum<?> constant
        ? EnumClass.of(constant).isOf(of)
        : value instanceof EnumMember member && SharedSecrets.enumeration(member).equals(of);
  }

  public static Names names(Object value) {
    return value instanceof Row row
        ? SharedSecrets.names(row)
        : RecordClass.of(value.getClass()).names();
  }

  /** The values inside a container; null for other values. */
  public static Object[] parts(Object value) {
    return of(value).partsOf(value);
  }

  /**
   * The values inside a value of this kind, which must not be modified: of a map each key and its
   * value, of a record its fields. Null if it is no container.
   */
  public Object[] partsOf(Object value) {
    return switch (this) {
      case TUPLE -> (Object[]) value;
      case LIST -> value instanceof List<?> list ? list.toArray() : PrimitiveArray.boxed(value);
      case SET, FROZENSET -> ((Set<?>) value).toArray();
      case MAP -> Values.entries((Map<?, ?>) value);
      case RECORD ->
          value instanceof Row row
              ? SharedSecrets.values(row)
              : RecordClass.of(value.getClass()).fields(value);
      default -> null;
    };
  }

  public static Enumeration enumeration(Object value) {
    return value instanceof Enum<?> constant
        ? EnumClass.of(constant).enumeration()
        : SharedSecrets.enumeration((EnumMember) value);
  }
}
