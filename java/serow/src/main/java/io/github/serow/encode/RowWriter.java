package io.github.serow.encode;

import io.github.serow.EnumMember;
import io.github.serow.FrozenSet;
import io.github.serow.Row;
import io.github.serow.logical.Integers;
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
 * Writes the rows of one schema as flat rows. {@code RowWriterGenerator} makes a subclass for each
 * schema; this class has what they share.
 *
 * <p>The static methods are what generated code calls for a value. They are small, so that they
 * become part of the code of their callers.
 */
public abstract class RowWriter {
  /**
   * Write rows from {@code rows[from]} on, until {@code to} or until {@code flat} is full. Returns
   * the index of the first row that was not written, which may be {@code from} once {@code flat}
   * had to be made larger.
   *
   * @throws TypeMismatch at a row that does not fit; {@link FlatRows#row} is its index, and the
   *     rows before it are written
   */
  public final int write(Object[] rows, int from, int to, FlatRows flat) throws TypeMismatch {
    try {
      return writeRows(rows, from, to, flat);
    } catch (FlatRows.Full e) {
      if (flat.row == from) {
        flat.growText();
      }
      return flat.row;
    }
  }

  /** The same; {@link FlatRows#row} did not find the room that it needs if there is none. */
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

  /** The fields of a tuple of any length. */
  public static Object[] tuple(Object value) throws TypeMismatch {
    if (value instanceof Object[] fields) {
      return fields;
    }
    throw TypeMismatch.MISMATCH;
  }

  /** The fields of a tuple of this length. */
  public static Object[] tuple(Object value, int length) throws TypeMismatch {
    if (value instanceof Object[] fields && fields.length == length) {
      return fields;
    }
    throw TypeMismatch.MISMATCH;
  }

  /**
   * The elements of a list of any length. They are copied, so that what is written is of one length
   * even if the list is changed meanwhile, and so that every kind of list is walked in linear time.
   */
  public static Object[] list(Object value) throws TypeMismatch {
    if (value instanceof List<?> elements) {
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
    Object[] elements = set.toArray();
    if (Uniqueness.differ(set, elements, 1)) {
      return elements;
    }
    throw TypeMismatch.MISMATCH;
  }

  /** The keys of a map, each before its value. */
  public static Object[] map(Object value) throws TypeMismatch {
    if (value instanceof Map<?, ?> map) {
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

  /** The values of a dict, in the order of its names; {@link Names#MISSING} for what it lacks. */
  public static Object[] dict(Object value, Names names) throws TypeMismatch {
    if (value instanceof Map<?, ?> map) {
      return names.valuesOf(map);
    }
    throw TypeMismatch.MISMATCH;
  }

  /** The values of a record's fields. */
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

  /** The index of an enum's member. */
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
