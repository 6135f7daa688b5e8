package io.github.serow.spark.exact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.github.serow.NdArray;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.temporal.Temporal;
import java.time.temporal.TemporalAmount;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Compares two objects: the classes at all places in them, and the values. */
final class ExactSame {
  private ExactSame() {}

  static void assertExact(Object expected, Object actual) {
    compare(expected, actual, "row");
  }

  private static void compare(Object expected, Object actual, String place) {
    if (expected == null || actual == null) {
      assertSame(expected, actual, place);
      return;
    }
    Class<?> type = expected.getClass();
    assertSame(type, actual.getClass(), place);
    if (expected == actual && isLeaf(expected)) {
      return;
    }
    if (expected instanceof Float number) {
      int bits = Float.floatToRawIntBits((Float) actual);
      assertEquals(Float.floatToRawIntBits(number), bits, place);
    } else if (expected instanceof Double number) {
      long bits = Double.doubleToRawLongBits((Double) actual);
      assertEquals(Double.doubleToRawLongBits(number), bits, place);
    } else if (isLeaf(expected)) {
      assertEquals(expected, actual, place);
    } else if (type.isArray()) {
      compareAll(arrayElements(expected), arrayElements(actual), place);
    } else if (expected instanceof ByteBuffer buffer) {
      compareBuffers(buffer, (ByteBuffer) actual, place);
    } else if (expected instanceof Map<?, ?> map) {
      compareSets(entries(map), entries((Map<?, ?>) actual), place);
    } else if (expected instanceof Collection<?> elements) {
      List<Object> these = new ArrayList<>(elements);
      List<Object> those = new ArrayList<>((Collection<?>) actual);
      if (expected instanceof Set) {
        compareSets(these, those, place);
      } else {
        compareAll(these, those, place);
      }
    } else if (is(type, "scala.collection.Iterable")) {
      List<Object> these = scalaElements(expected);
      List<Object> those = scalaElements(actual);
      if (is(type, "scala.collection.Seq")) {
        compareAll(these, those, place);
      } else {
        compareSets(these, those, place);
      }
    } else {
      compareFields(expected, actual, place);
    }
  }

  private static boolean isLeaf(Object value) {
    return value instanceof Number
            && (value instanceof BigInteger
                || value instanceof BigDecimal
                || value.getClass().getName().startsWith("java.lang."))
        || value instanceof String
        || value instanceof Boolean
        || value instanceof Character
        || value instanceof Enum
        || value instanceof UUID
        || value instanceof NdArray
        || value instanceof Date
        || value instanceof Temporal
        || value instanceof TemporalAmount
        || value.getClass().getName().endsWith("$")
        || value.getClass().getName().equals("scala.runtime.BoxedUnit")
        || value.getClass().getName().equals("scala.math.BigDecimal")
        || value.getClass().getName().equals("scala.math.BigInt");
  }

  private static void compareAll(List<Object> expected, List<Object> actual, String place) {
    assertEquals(expected.size(), actual.size(), place);
    for (int i = 0; i < expected.size(); i++) {
      compare(expected.get(i), actual.get(i), place + "[" + i + "]");
    }
  }

  /** Elements without an order, whose keys are equal if they are the same. */
  private static void compareSets(List<Object> expected, List<Object> actual, String place) {
    assertEquals(expected.size(), actual.size(), place);
    for (Object element : expected) {
      Object key = key(element);
      List<Object> found = actual.stream().filter(it -> key.equals(key(it))).toList();
      assertEquals(1, found.size(), place + " has " + key);
      compare(element, found.get(0), place + "{" + key + "}");
    }
  }

  private static Object key(Object element) {
    if (element instanceof Object[] entry) {
      return entry[0];
    }
    // The elements of Scala's maps are pairs, and so may be those of a set.
    return element;
  }

  private static List<Object> entries(Map<?, ?> map) {
    List<Object> entries = new ArrayList<>();
    map.forEach((key, value) -> entries.add(new Object[] {key, value}));
    return entries;
  }

  private static List<Object> arrayElements(Object array) {
    List<Object> elements = new ArrayList<>();
    for (int i = 0; i < Array.getLength(array); i++) {
      elements.add(Array.get(array, i));
    }
    return elements;
  }

  private static List<Object> scalaElements(Object collection) {
    try {
      Object iterator = call(collection, "iterator");
      List<Object> elements = new ArrayList<>();
      while ((Boolean) call(iterator, "hasNext")) {
        Object next = call(iterator, "next");
        boolean isEntry = is(collection.getClass(), "scala.collection.Map");
        elements.add(isEntry ? new Object[] {call(next, "_1"), call(next, "_2")} : next);
      }
      return elements;
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static Object call(Object object, String name) throws ReflectiveOperationException {
    Method method = object.getClass().getMethod(name);
    method.setAccessible(true);
    return method.invoke(object);
  }

  private static boolean is(Class<?> type, String name) {
    if (type == null) {
      return false;
    }
    if (type.getName().equals(name) || is(type.getSuperclass(), name)) {
      return true;
    }
    for (Class<?> above : type.getInterfaces()) {
      if (is(above, name)) {
        return true;
      }
    }
    return false;
  }

  private static void compareBuffers(ByteBuffer expected, ByteBuffer actual, String place) {
    assertEquals(expected.position(), actual.position(), place);
    assertEquals(expected.limit(), actual.limit(), place);
    assertEquals(expected.order(), actual.order(), place);
    compare(expected.array(), actual.array(), place);
  }

  private static void compareFields(Object expected, Object actual, String place) {
    for (Class<?> at = expected.getClass(); at != null; at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        int modifiers = field.getModifiers();
        if (!Modifier.isStatic(modifiers) && !Modifier.isTransient(modifiers)) {
          try {
            field.setAccessible(true);
            compare(field.get(expected), field.get(actual), place + "." + field.getName());
          } catch (IllegalAccessException e) {
            throw new AssertionError(e);
          }
        }
      }
    }
  }
}
