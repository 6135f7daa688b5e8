package io.github.serow.internal.value;

import io.github.serow.EnumMember;
import io.github.serow.FrozenSet;
import io.github.serow.Row;
import io.github.serow.internal.logical.Integers;
import io.github.serow.internal.schema.EnumClass;
import io.github.serow.internal.schema.Enumeration;
import io.github.serow.internal.schema.Names;
import io.github.serow.internal.schema.RecordClass;
import io.github.serow.internal.schema.SharedSecrets;
import io.github.serow.internal.wire.PrimitiveArray;
import io.github.serow.internal.wire.TypeMismatch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Takes the values of plain rows apart, and makes them of their parts.
 *
 * <p>The methods that take a value throw a {@link TypeMismatch} if it is of another type. Generated
 * code calls them; those for single values are small, so that the JIT compiler inlines them.
 */
public final class Values {
  private Values() {}

  public static long i64(Object value) {
    return Integers.i64(value);
  }

  /** The raw bits of a float. */
  public static long f64(Object value) {
    if (value instanceof Double number) {
      return Double.doubleToRawLongBits(number);
    }
    throw new TypeMismatch(value);
  }

  /** The same for a property whose class is {@link Float}. */
  public static long f32(Object value) {
    return value instanceof Float number ? Double.doubleToRawLongBits(number) : f64(value);
  }

  public static long bool(Object value) {
    if (value instanceof Boolean bool) {
      return bool ? 1 : 0;
    }
    throw new TypeMismatch(value);
  }

  public static String str(Object value) {
    if (value instanceof String string) {
      return string;
    }
    throw new TypeMismatch(value);
  }

  public static Object[] tuple(Object value) {
    if (value instanceof Object[] fields) {
      return fields;
    }
    throw new TypeMismatch(value);
  }

  /** The fields of a tuple of {@code length}. */
  public static Object[] tuple(Object value, int length) {
    return ofLength(tuple(value), length, value);
  }

  private static Object[] ofLength(Object[] fields, int length, Object value) {
    if (fields.length != length) {
      throw new TypeMismatch(value);
    }
    return fields;
  }

  public static Object[] list(Object value) {
    if (value instanceof List<?> elements) {
      KeptCollections.checkFields(elements);
      return elements.toArray();
    }
    Object[] numbers = PrimitiveArray.boxed(value);
    if (numbers != null) {
      return numbers;
    }
    throw new TypeMismatch(value);
  }

  /** The elements of a list of {@code length}. */
  public static Object[] list(Object value, int length) {
    return ofLength(list(value), length, value);
  }

  public static Object[] set(Object value) {
    if (ValueKind.isSet(value)) {
      return distinct((Set<?>) value);
    }
    throw new TypeMismatch(value);
  }

  public static Object[] frozenSet(Object value) {
    if (value instanceof FrozenSet<?> elements) {
      return distinct(elements);
    }
    throw new TypeMismatch(value);
  }

  private static Object[] distinct(Set<?> set) {
    KeptCollections.checkFields(set);
    Object[] elements = set.toArray();
    if (ValueEquality.differ(set, elements, 1)) {
      return elements;
    }
    throw new TypeMismatch(set);
  }

  /** The keys and values of a map, one after another. */
  public static Object[] map(Object value) {
    if (value instanceof Map<?, ?> map) {
      KeptCollections.checkFields(map);
      Object[] entries = entries(map);
      if (ValueEquality.differ(map, entries, 2)) {
        return entries;
      }
    }
    throw new TypeMismatch(value);
  }

  /** The keys and values of a map, one after another. */
  public static Object[] entries(Map<?, ?> map) {
    List<Object> entries = new ArrayList<>(2 * map.size());
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      entries.add(entry.getKey());
      entries.add(entry.getValue());
    }
    return entries.toArray();
  }

  /** The values of a dict in the order of {@code names}; {@link Names#MISSING} for missing ones. */
  public static Object[] dict(Object value, Names names) {
    if (value instanceof Map<?, ?> map) {
      KeptCollections.checkFields(map);
      Object[] values = names.valuesOf(map);
      if (values != null) {
        return values;
      }
    }
    throw new TypeMismatch(value);
  }

  /** The values of a record. */
  public static Object[] record(Object value, Names names) {
    if (value instanceof Row row) {
      if (SharedSecrets.names(row) == names || SharedSecrets.names(row).equals(names)) {
        return SharedSecrets.values(row);
      }
    } else if (ValueKind.isRecord(value)) {
      RecordClass of = RecordClass.of(value.getClass());
      if (of.isOf(names)) {
        return of.fields(value);
      }
    }
    throw new TypeMismatch(value);
  }

  /** The index of a member. */
  public static long member(Object value, Enumeration of) {
    if (value instanceof Enum<?> constant) {
      if (EnumClass.of(constant).isOf(of)) {
        return constant.ordinal();
      }
    } else if (value instanceof EnumMember member
        && (SharedSecrets.enumeration(member) == of
            || SharedSecrets.enumeration(member).equals(of))) {
      return member.index();
    }
    throw new TypeMismatch(value);
  }

  public static Object newList(Object[] elements) {
    ArrayList<Object> list = new ArrayList<>(elements.length);
    for (Object element : elements) {
      list.add(element);
    }
    return list;
  }

  /** Makes a set; {@code hasArrays} if its elements may be arrays, or hold some. */
  public static Object newSet(Object[] elements, boolean hasArrays) {
    return ValueEquality.set(elements, hasArrays);
  }

  public static Object newFrozenSet(Object[] elements, boolean hasArrays) {
    return SharedSecrets.frozenSet(ValueEquality.set(elements, hasArrays));
  }

  /** Makes a map of keys and values, one after another. */
  public static Object newMap(Object[] entries, boolean hasArrays) {
    return ValueEquality.map(entries, hasArrays);
  }

  public static Object newDict(Object[] values, Names names) {
    Map<String, Object> dict = new LinkedHashMap<>(ValueEquality.capacity(values.length));
    for (int i = 0; i < values.length; i++) {
      if (values[i] != Names.MISSING) {
        dict.put(names.fields.get(i), values[i]);
      }
    }
    return dict;
  }

  public static Object newRecord(Object[] values, Names names) {
    return SharedSecrets.row(names, values);
  }
}
