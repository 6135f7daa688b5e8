package io.github.serow.scala;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The fields of a case class of Scala's, in order: the parameters of its first constructor, each of
 * which is a field of its own. The compiler names parameters in the class file; it may have other
 * constructors, whose parameters are fewer, or are no fields.
 *
 * @param constructor the first constructor
 * @param isInner whether it takes more than its parameters: the object or the variables of a method
 *     within which the class is
 * @param fields the field for each of its parameters
 * @param names what they are called in the source
 */
public record CaseClass(
    Constructor<?> constructor, boolean isInner, List<Field> fields, List<String> names) {

  /** That of {@code type}, or null if it is no case class. */
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

  /** Null if a parameter is no field. */
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

  /** The class among {@code type} and those above it that says what its fields are; or null. */
  static Class<?> above(Class<?> type) {
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      try {
        at.getDeclaredMethod("productArity");
        return at;
      } catch (NoSuchMethodException e) {
        // Then one above it does.
      }
    }
    return null;
  }
}
