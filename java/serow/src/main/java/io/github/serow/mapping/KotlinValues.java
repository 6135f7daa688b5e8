package io.github.serow.mapping;

import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * Recognizes values of Kotlin's value classes, such as {@code UInt}. A field of such a class has
 * the type of the value inside, here {@code int}, which does not say what it means.
 */
final class KotlinValues {
  private KotlinValues() {}

  /** Whether a class is a value class, so that its objects hold the value inside. */
  static boolean isValueClass(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .anyMatch(method -> method.getName().equals("unbox-impl"));
  }

  /** Whether a property of {@code type} may be the value inside an object of a value class. */
  static boolean isInside(Class<?> type, String property) {
    Field field = ReadableProperties.fieldsOf(type).get(property);
    if (field != null && isValueClass(field.getType())) {
      return false;
    }
    boolean hasGetter = false;
    String getter = "get" + Character.toUpperCase(property.charAt(0)) + property.substring(1);
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      for (Method method : at.getDeclaredMethods()) {
        // Kotlin adds a hash of the types to the names of methods with value classes.
        String name = method.getName();
        if (name.startsWith(getter + "-") || name.startsWith(property + "-")) {
          return true;
        }
        hasGetter |= name.equals(getter) || name.equals(property);
      }
    }
    return field != null && !hasGetter && namesValueClass(field.getDeclaringClass());
  }

  /** Whether Kotlin's description of a class names a value class. */
  private static boolean namesValueClass(Class<?> type) {
    for (Annotation annotation : type.getAnnotations()) {
      if (annotation.annotationType().getName().equals("kotlin.Metadata")) {
        return Arrays.stream(names(annotation)).anyMatch(name -> isValueClass(name, type));
      }
    }
    return false;
  }

  private static String[] names(Annotation metadata) {
    try {
      return (String[]) metadata.annotationType().getMethod("d2").invoke(metadata);
    } catch (ReflectiveOperationException e) {
      return new String[0];
    }
  }

  /** {@code descriptor}: the class in the form {@code Lkotlin/UInt;}, or another text. */
  private static boolean isValueClass(String descriptor, Class<?> user) {
    if (!descriptor.startsWith("L") || !descriptor.endsWith(";")) {
      return false;
    }
    String name = descriptor.substring(1, descriptor.length() - 1).replace('/', '.');
    try {
      return isValueClass(Class.forName(name, false, user.getClassLoader()));
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }
}
