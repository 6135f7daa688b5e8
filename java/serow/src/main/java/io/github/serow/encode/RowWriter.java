package io.github.serow.encode;

import io.github.serow.EnumMember;
import io.github.serow.FrozenSet;
import io.github.serow.Row;
import io.github.serow.logical.Integers;
import io.github.serow.mapping.KeptCollections;
import io.github.serow.schema.EnumClass;
import io.github.serow.schema.Enumeration;
import io.github.serow.schema.Names;
import io.github.serow.schema.PublicTypes;
import io.github.serow.schema.RecordClass;
import io.github.serow.wire.FlatRows;
import io.github.serow.wire.PrimitiveArray;
import io.github.serow.wire.TypeMismatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes the rows of one schema as flat rows. {@code RowWriterGenerator} generates a subclass for
 * each schema; this class has their common code.
 *
 * <p>Generated code calls the static methods for single values. They are small so that the JIT
 * compiler inlines them.
 */
public abstract class RowWriter {
  /**
   * Writes rows from index {@code from} to {@code to}, or until {@code flat} is full, behind the
   * rows that are in it. Returns the index of the first row that was not written. It may be {@code
   * from} if {@code flat} had rows before, or had to grow.
   *
   * @throws TypeMismatch at a row that does not fit; {@link FlatRows#row} is its index, and the
   *     rows before it are written
   */
  public final int write(Object[] rows, int from, int to, FlatRows flat) throws TypeMismatch {
    try {
      return writeRows(rows, from, to, flat);
    } catch (FlatRows.Full e) {
      if (flat.row == from && flat.textLength == 0) {
        flat.growText();
      }
      return flat.row;
    }
  }

  /** As {@link #write}; throws if {@link FlatRows#row} does not fit into the remaining space. */
  public abstract int writeRows(Object[] rows, int from, int to, FlatRows flat)
      throws TypeMismatch, FlatRows.Full;

  public static long i64(Object value) throws TypeMismatch {
    return Integers.i64(value);
  }

  public static long f64(Object value) throws TypeMismatch {
    if (value instanceof Double number) {
      return Double.doubleToRawLongBits(number);
    }
    throw TypeMismatch.MISMATCH;
  }

  public static long bool(Object value) throws TypeMismatch {
    if (value instanceof Boolean bool) {
      return bool ? 1 : 0;
    }
    throw TypeMismatch.MISMATCH;
  }

  public static String str(Object value) throws TypeMismatch {
    if (value instanceof String string) {
      return string;
    }
    throw TypeMismatch.MISMATCH;
  }

  public static void nothing(Object value) throws TypeMismatch {
    if (value != null) {
      throw TypeMismatch.MISMATCH;
    }
  }

  public static void never(Object value) throws TypeMismatch {
    throw TypeMismatch.MISMATCH;
  }

  public static Object[] tuple(Object value) throws TypeMismatch {
    if (value instanceof Object[] fields) {
      return fields;
    }
    throw TypeMismatch.MISMATCH;
  }

  public static Object[] tuple(Object value, int length) throws TypeMismatch {
    if (value instanceof Object[] fields && fields.length == length) {
      return fields;
    }
    throw TypeMismatch.MISMATCH;
  }

  /**
   * The elements of a list of any length, as a copy. So the written length is right even if the
   * list changes meanwhile, and every kind of list is walked in linear time.
   */
  public static Object[] list(Object value) throws TypeMismatch {
    if (value instanceof List<?> elements) {
      KeptCollections.checkFields(elements);
      return elements.toArray();
    }
    Object[] numbers = PrimitiveArray.boxed(value);
    if (numbers != null) {
      return numbers;
    }
    throw TypeMismatch.MISMATCH;
  }

  /** The elements of a list of this length. */
  public static Object[] list(Object value, int length) throws TypeMismatch {
    Object[] elements = list(value);
    if (elements.length == length) {
      return elements;
    }
    throw TypeMismatch.MISMATCH;
  }

  /** The elements of a set. */
  public static Object[] set(Object value) throws TypeMismatch {
    if (ValueKind.isSet(value)) {
      return distinct((Set<?>) value);
    }
    throw TypeMismatch.MISMATCH;
  }

  /** The elements of a frozenset. */
  public static Object[] frozenSet(Object value) throws TypeMismatch {
    if (value instanceof FrozenSet<?> elements) {
      return distinct(elements);
    }
    throw TypeMismatch.MISMATCH;
  }

  private static Object[] distinct(Set<?> set) throws TypeMismatch {
    KeptCollections.checkFields(set);
    Object[] elements = set.toArray();
    if (Uniqueness.differ(set, elements, 1)) {
      return elements;
    }
    throw TypeMismatch.MISMATCH;
  }

  /** The entries of a map; each key precedes its value. */
  public static Object[] map(Object value) throws TypeMismatch {
    if (value instanceof Map<?, ?> map) {
      KeptCollections.checkFields(map);
      Object[] entries = entries(map);
      if (Uniqueness.differ(map, entries, 2)) {
        return entries;
      }
    }
    throw TypeMismatch.MISMATCH;
  }

  public static Object[] entries(Map<?, ?> map) {
    List<Object> entries = new ArrayList<>(2 * map.size());
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      entries.add(entry.getKey());
      entries.add(entry.getValue());
    }
    return entries.toArray();
  }

  /** The values of a dict in the order of its names; {@link Names#MISSING} for missing keys. */
  public static Object[] dict(Object value, Names names) throws TypeMismatch {
    if (value instanceof Map<?, ?> map) {
      KeptCollections.checkFields(map);
      return names.valuesOf(map);
    }
    throw TypeMismatch.MISMATCH;
  }

  public static Object[] record(Object value, Names names) throws TypeMismatch {
    if (value instanceof Row row) {
      if (PublicTypes.names(row) == names || PublicTypes.names(row).equals(names)) {
        return PublicTypes.values(row);
      }
    } else if (ValueKind.isRecord(value)) {
      RecordClass of = RecordClass.of(value.getClass());
      if (of.isOf(names)) {
        return of.fields(value);
      }
    }
    throw TypeMismatch.MISMATCH;
  }

  public static long member(Object value, Enumeration of) throws TypeMismatch {
    if (value instanceof Enum<?> constant) {
      if (EnumClass.of(constant).isOf(of)) {
        return constant.ordinal();
      }
    } else if (value instanceof EnumMember member
        && (PublicTypes.enumeration(member) == of || PublicTypes.enumeration(member).equals(of))) {
      return member.index();
    }
    throw TypeMismatch.MISMATCH;
  }

  public static TypeMismatch misfit() {
    return TypeMismatch.MISMATCH;
  }
}
