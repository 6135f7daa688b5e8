package io.github.serow.internal.mapping;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;

/**
 * The properties of a class with a constructor without arguments: its fields, also private ones and
 * those of superclasses. No getter or setter is called.
 */
final class FieldProperties {
  private FieldProperties() {}

  /** The constructor without arguments; null if there is none. */
  static Constructor<?> constructor(Class<?> type) {
    return Arrays.stream(type.getDeclaredConstructors())
        .filter(it -> it.getParameterCount() == 0)
        .findFirst()
        .orElse(null);
  }

  /** The name of a final field that holds data; null if there is none. */
  static String finalField(Members members) {
    for (Map.Entry<String, Field> field : members.fields().entrySet()) {
      if (Modifier.isFinal(field.getValue().getModifiers()) && members.isData(field.getKey())) {
        return field.getKey();
      }
    }
    return null;
  }

  static ObjectMapping mapping(PropertyCollector properties, Members members)
      throws ReflectiveOperationException {
    members.checkAnnotations();
    for (Map.Entry<String, Field> field : members.fields().entrySet()) {
      if (members.isData(field.getKey())) {
        properties.addField(
            members.ofField(field.getKey()), properties.handles.setter(field.getValue()));
      }
    }
    if (properties.isEmpty()) {
      throw properties.refused("which is not a record and has no field; make it a record");
    }
    return properties.madeByFields(properties.constructor(constructor(properties.type)));
  }
}
