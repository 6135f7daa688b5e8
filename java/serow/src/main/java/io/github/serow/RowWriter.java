package io.github.serow;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes the rows of one schema as flat rows. {@link RowWriterGenerator} makes a subclass for each
 * schema; this class has what they share.
 *
 * <p>The static methods are what generated code calls for a value. They are small, so that they
 * become part of the code of their callers.
 */
abstract class RowWriter {
  /**
   * Write rows from {@code rows[from]} on, until {@code to} or until {@code flat} is full. Returns
   * the index of the first row that was not written, which may be {@code from} once {@code flat}
   * had to be made larger.
   *
   * @throws Misfit at a row that does not fit; {@link FlatRows#row} is its index, and the rows
   *     before it are written
   */
  final int write(Object[] rows, int from, int to, FlatRows flat) throws Misfit {
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
  abstract int writeRows(Object[] rows, int from, int to, FlatRows flat)
      throws Misfit, FlatRows.Full;

  static long i64(Object value) throws Misfit {
    return value instanceof Long number ? number : smallInteger(value);
  }

  private static long smallInteger(Object value) throws Misfit {
    if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
      return ((Number) value).longValue();
    }
    throw Misfit.MISFIT;
  }

  static boolean isI64(Object value) {
    return value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte;
  }

  static long f64(Object value) throws Misfit {
    if (value instanceof Double number) {
      return Double.doubleToRawLongBits(number);
    }
    throw Misfit.MISFIT;
  }

  static long bool(Object value) throws Misfit {
    if (value instanceof Boolean bool) {
      return bool ? 1 : 0;
    }
    throw Misfit.MISFIT;
  }

  static String str(Object value) throws Misfit {
    if (value instanceof String string) {
      return string;
    }
    throw Misfit.MISFIT;
  }

  static void nothing(Object value) throws Misfit {
    if (value != null) {
      throw Misfit.MISFIT;
    }
  }

  static void never(Object value) throws Misfit {
    throw Misfit.MISFIT;
  }

  /** The fields of a tuple of any length. */
  static Object[] tuple(Object value) throws Misfit {
    if (value instanceof Object[] fields) {
      return fields;
    }
    throw Misfit.MISFIT;
  }

  /** The fields of a tuple of this length. */
  static Object[] tuple(Object value, int length) throws Misfit {
    if (value instanceof Object[] fields && fields.length == length) {
      return fields;
    }
    throw Misfit.MISFIT;
  }

  /**
   * The elements of a list of any length. They are copied, so that what is written is of one length
   * even if the list is changed meanwhile, and so that every kind of list is walked in linear time.
   */
  static Object[] list(Object value) throws Misfit {
    if (value instanceof List<?> elements) {
      return elements.toArray();
    }
    Object[] numbers = PrimitiveArray.boxed(value);
    if (numbers != null) {
      return numbers;
    }
    throw Misfit.MISFIT;
  }

  static boolean isList(Object value) {
    return value instanceof List || PrimitiveArray.isOne(value);
  }

  /** The elements of a list of this length. */
  static Object[] list(Object value, int length) throws Misfit {
    Object[] elements = list(value);
    if (elements.length == length) {
      return elements;
    }
    throw Misfit.MISFIT;
  }

  static boolean isSet(Object value) {
    return value instanceof Set && !(value instanceof FrozenSet);
  }

  /** The elements of a set. */
  static Object[] set(Object value) throws Misfit {
    if (isSet(value)) {
      return distinct((Set<?>) value);
    }
    throw Misfit.MISFIT;
  }

  /** The elements of a frozenset. */
  static Object[] frozenSet(Object value) throws Misfit {
    if (value instanceof FrozenSet<?> elements) {
      return distinct(elements);
    }
    throw Misfit.MISFIT;
  }

  private static Object[] distinct(Set<?> set) throws Misfit {
    Object[] elements = set.toArray();
    if (Distinct.differ(set, elements, 1)) {
      return elements;
    }
    throw Misfit.MISFIT;
  }

  /** The keys of a map, each before its value. */
  static Object[] map(Object value) throws Misfit {
    if (value instanceof Map<?, ?> map) {
      Object[] entries = entries(map);
      if (Distinct.differ(map, entries, 2)) {
        return entries;
      }
    }
    throw Misfit.MISFIT;
  }

  static Object[] entries(Map<?, ?> map) {
    List<Object> entries = new ArrayList<>(2 * map.size());
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      entries.add(entry.getKey());
      entries.add(entry.getValue());
    }
    return entries.toArray();
  }

  /** The values of a dict, in the order of its names; {@link Names#MISSING} for what it lacks. */
  static Object[] dict(Object value, Names names) throws Misfit {
    if (value instanceof Map<?, ?> map) {
      return names.valuesOf(map);
    }
    throw Misfit.MISFIT;
  }

  /** The values of a record's fields. */
  static Object[] record(Object value, Names names) throws Misfit {
    if (value instanceof Row row) {
      if (row.names() == names || row.names().equals(names)) {
        return row.sharedValues();
      }
    } else if (isRecord(value)) {
      RecordClass of = RecordClass.of(value.getClass());
      if (of.isOf(names)) {
        return of.fields(value);
      }
    }
    throw Misfit.MISFIT;
  }

  static boolean isRecord(Object value, Names names) {
    return value instanceof Row row
        ? row.names().equals(names)
        : isRecord(value) && RecordClass.of(value.getClass()).isOf(names);
  }

  /** True for Java's records but {@link Complex}, which is a single value. */
  static boolean isRecord(Object value) {
    return value instanceof Record && !(value instanceof Complex);
  }

  /** The index of an enum's member. */
  static long member(Object value, Enumeration of) throws Misfit {
    if (value instanceof Enum<?> constant) {
      if (EnumClass.of(constant).isOf(of)) {
        return constant.ordinal();
      }
    } else if (value instanceof EnumMember member
        && (member.enumeration() == of || member.enumeration().equals(of))) {
      return member.index();
    }
    throw Misfit.MISFIT;
  }

  static boolean isMember(Object value, Enumeration of) {
    return value instanceof Enum<?> constant
        ? EnumClass.of(constant).isOf(of)
        : value instanceof EnumMember member && member.enumeration().equals(of);
  }

  static Misfit misfit() {
    return Misfit.MISFIT;
  }
}
