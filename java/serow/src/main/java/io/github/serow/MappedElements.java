package io.github.serow;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** A list, a set or an array: elements of one Java type. */
final class MappedElements extends Mapped {
  private final int code;
  final Class<?> type;
  private final Mapped element;

  /**
   * Elements.
   *
   * @param code how the type begins in a type list
   * @param type the class of the whole: an array's, or one that the plain object has too
   */
  MappedElements(int code, Class<?> type, Mapped element) {
    this.code = code;
    this.type = type;
    this.element = element;
  }

  @Override
  void describe(TypeList list) {
    list.add(code);
    element.describe(list);
  }

  @Override
  void bind(Type bound) {
    super.bind(bound);
    if (!isPrimitiveArray()) {
      element.bind(bound.part());
    }
  }

  /** Of its elements there are none as objects. */
  boolean isPrimitiveArray() {
    return type.isArray() && type.getComponentType().isPrimitive();
  }

  @Override
  boolean isFixed() {
    return code == TypeList.FROZENSET;
  }

  @Override
  boolean unwraps() {
    return type.isArray() || !List.class.isAssignableFrom(type) && code == TypeList.LIST;
  }

  @Override
  boolean wraps() {
    return type.isArray();
  }

  @Override
  Object unwrap(Object value) throws Misfit {
    if (value instanceof Object[] elements && type.isArray()) {
      return Arrays.asList(elements);
    }
    if (value instanceof float[] numbers) {
      Double[] wide = new Double[numbers.length];
      Arrays.setAll(wide, i -> (double) numbers[i]);
      return Arrays.asList(wide);
    }
    // A collection of no order but that in which it comes, as a property of class Collection may
    // be.
    return value instanceof Collection<?> elements && code == TypeList.LIST
        ? Arrays.asList(elements.toArray())
        : value;
  }

  @Override
  Object wrap(Object plain) {
    if (!type.isArray()) {
      return plain;
    }
    List<?> elements = (List<?>) plain;
    Object array = Array.newInstance(type.getComponentType(), elements.size());
    if (array instanceof Object[] objects) {
      return elements.toArray(objects);
    }
    for (int i = 0; i < elements.size(); i++) {
      Array.set(array, i, element.wrap(elements.get(i)));
    }
    return array;
  }
}
