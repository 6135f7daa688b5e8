package io.github.serow.spark.exact;

import java.util.Arrays;
import java.util.Set;

/** Arrays of one class, with elements that are objects. */
final class ObjectArray extends Elements {
  ObjectArray(Class<?> type) {
    super(type, Set.of(type), true, steps(type.asSubclass(Object[].class)));
  }

  private static StepMapping.Steps steps(Class<? extends Object[]> type) {
    return new StepMapping.Steps(
        ScalarClass.checked(type, array -> array),
        plain -> {
          Object[] elements = (Object[]) plain;
          return Arrays.copyOf(elements, elements.length, type);
        });
  }

  @Override
  Class<?> partType(int part) {
    return type.getComponentType();
  }
}
