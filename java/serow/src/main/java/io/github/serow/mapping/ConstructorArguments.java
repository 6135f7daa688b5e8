package io.github.serow.mapping;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;

/** Collects the parameters of a constructor: properties, and values of those that are ignored. */
final class ConstructorArguments {
  /** The value of an ignored parameter. */
  private record Fixed(int index, Object value) {}

  private final Properties properties;
  private final List<Fixed> fixed = new ArrayList<>();
  private int count;

  ConstructorArguments(Properties properties) {
    this.properties = properties;
  }

  /**
   * Adds the next parameter.
   *
   * @param type its class
   * @param getter reads its value from an object
   */
  void add(Properties.Member member, Class<?> type, MethodHandle getter) {
    if (member.marks().isIgnored()) {
      fixed.add(new Fixed(count, properties.ignored(member, type)));
    } else {
      properties.add(member, getter, null);
    }
    count++;
  }

  /**
   * The mapping of the class whose objects {@code constructor} makes.
   *
   * @param isKeeping whether the objects are proved to keep its arguments
   */
  ObjectMapping mapping(String name, Constructor<?> constructor, boolean isKeeping)
      throws IllegalAccessException {
    MethodHandle handle = properties.constructor(constructor);
    for (int i = fixed.size() - 1; i >= 0; i--) {
      Fixed parameter = fixed.get(i);
      handle = MethodHandles.insertArguments(handle, parameter.index, parameter.value);
    }
    return properties.madeByConstructor(name, handle, isKeeping);
  }
}
