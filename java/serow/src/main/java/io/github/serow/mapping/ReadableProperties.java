package io.github.serow.mapping;

import io.github.serow.schema.Marks;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * How the values of an object are read whose class has no setters: from the field, or by a getter
 * {@code getName}, {@code isName} or {@code name}. The field comes first because a getter may
 * return something else, such as a copy.
 */
final class ReadableProperties {
  private final Properties properties;

  private final Map<String, Field> fields;

  private final Map<String, Method> getters = new HashMap<>();

  ReadableProperties(Properties properties) {
    this.properties = properties;
    fields = fieldsOf(properties.type);
    for (Method method : properties.type.getMethods()) {
      addGetter(method);
    }
    Class<?> type = properties.type;
    for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
      for (Method method : at.getDeclaredMethods()) {
        addGetter(method);
      }
    }
  }

  private void addGetter(Method method) {
    boolean isGetter =
        method.getParameterCount() == 0
            && method.getReturnType() != void.class
            && !Modifier.isStatic(method.getModifiers())
            && !Modifier.isPrivate(method.getModifiers())
            && !method.isBridge()
            && method.getDeclaringClass() != Object.class;
    if (isGetter) {
      String bean = BeanProperties.propertyName(method);
      getters.putIfAbsent(bean == null ? method.getName() : bean, method);
    }
  }

  /**
   * The fields of a class and its superclasses by name. One that has the name of a field of a
   * subclass is preceded by the name of its class, as in {@code Above.size}.
   */
  static Map<String, Field> fieldsOf(Class<?> type) {
    Map<String, Field> fields = new TreeMap<>();
    for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
          String name = field.getName();
          fields.put(fields.containsKey(name) ? at.getSimpleName() + "." + name : name, field);
        }
      }
    }
    return fields;
  }

  Map<String, Field> fields() {
    return fields;
  }

  /** Whether a property of class {@code type} can be read. */
  boolean has(String name, Class<?> type) {
    return getter(name, type) != null || field(name, type) != null;
  }

  /**
   * The class of a property whose values a parameter takes: the parameter's class, or else a
   * narrower one. Null if there is no such property.
   */
  Class<?> taken(String name, Class<?> parameter) {
    Field field = fields.get(name);
    Method getter = getters.get(name);
    if (has(name, parameter)) {
      return parameter;
    }
    if (field != null && parameter.isAssignableFrom(field.getType())) {
      return field.getType();
    }
    return getter != null && parameter.isAssignableFrom(getter.getReturnType())
        ? getter.getReturnType()
        : null;
  }

  private Method getter(String name, Class<?> type) {
    Method getter = getters.get(name);
    return getter != null && getter.getReturnType() == type ? getter : null;
  }

  private Field field(String name, Class<?> type) {
    Field field = fields.get(name);
    return field != null && field.getType() == type ? field : null;
  }

  /** The annotations of a property, at its getter and its field. */
  Marks marks(String name, Class<?> type) {
    Method getter = getter(name, type);
    Field field = field(name, type);
    return Marks.of(
        field,
        field == null ? null : field.getAnnotatedType(),
        getter,
        getter == null ? null : getter.getAnnotatedReturnType());
  }

  /** The type of a property, with its type arguments. */
  Type type(String name, Class<?> type) {
    Field field = field(name, type);
    return field != null ? field.getGenericType() : getter(name, type).getGenericReturnType();
  }

  /** The getter of a property that {@link #has} has found. */
  MethodHandle handle(String name, Class<?> type) throws IllegalAccessException {
    Field field = field(name, type);
    return field != null
        ? properties.handles.getter(field)
        : properties.getter(name, getter(name, type));
  }
}
