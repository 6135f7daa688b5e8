package io.github.serow.internal.scala;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The fields of a Scala case class in order: the parameters of its first constructor, each of which
 * is a field. The class file contains the names of parameters. Other constructors may have fewer
 * parameters, or parameters that are not fields.
 *
 * @param constructor the first constructor
 * @param isInner whether the constructor has extra parameters for an enclosing instance or for
 *     local variables of a method
 * @param fields the field of each parameter
 * @param names their names in the source
 */
public record CaseClass(
    Constructor<?> constructor, boolean isInner, List<Field> fields, List<String> names) {

  /** The case class {@code type}, or null if it is not one. */
  public static CaseClass of(Class<?> type) {
    if (!ScalaSupertypes.of(type).has("scala.Product")
        || Modifier.isAbstract(type.getModifiers())) {
      return null;
    }
    Map<String, Field> all = new HashMap<>();
    for (Field field : type.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers())) {
        all.put(ScalaNames.decode(field.getName()), field);
      }
    }
    CaseClass longest = null;
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      CaseClass found = of(constructor, all);
      if (found != null && (longest == null || found.fields().size() > longest.fields().size())) {
        longest = found;
      }
    }
    return longest;
  }

  /** Null if a parameter is not a field. */
  private static CaseClass of(Constructor<?> constructor, Map<String, Field> all) {
    List<Field> fields = new ArrayList<>();
    List<String> names = new ArrayList<>();
    boolean isInner = false;
    for (Parameter parameter : constructor.getParameters()) {
      String name = ScalaNames.decode(parameter.getName());
      if (name.contains("$")) {
        isInner = true;
        continue;
      }
      Field field = all.get(name);
      if (field == null || field.getType() != parameter.getType() || names.contains(name)) {
        return null;
      }
      fields.add(field);
      names.add(name);
    }
    return new CaseClass(constructor, isInner, fields, names);
  }

  /** The most derived class of {@code type} and its superclasses that lists its fields; or null. */
  static Class<?> above(Class<?> type) {
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      try {
        at.getDeclaredMethod("productArity");
        return at;
      } catch (NoSuchMethodException e) {
        // Try the superclass.
      }
    }
    return null;
  }
}
