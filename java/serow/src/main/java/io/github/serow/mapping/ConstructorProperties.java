package io.github.serow.mapping;

import io.github.serow.schema.Marks;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The properties of a class whose constructor has all of them as parameters, such as a Kotlin data
 * class, a class with Lombok's {@code @Value}, or one that is written like them by hand. The names
 * of the parameters are those in the class file, if it has them, or the fields that the constructor
 * assigns them to ({@link ConstructorCode}). If several constructors qualify, the longest is used.
 */
final class ConstructorProperties {
  private final Properties properties;
  private final ReadableProperties readable;
  private final Constructor<?> constructor;

  /** The names of the parameters. */
  private final List<String> names;

  private final Set<Integer> neverNull;

  private ConstructorProperties(
      Properties properties,
      ReadableProperties readable,
      Constructor<?> constructor,
      List<String> names,
      Set<Integer> neverNull) {
    this.properties = properties;
    this.readable = readable;
    this.constructor = constructor;
    this.names = names;
    this.neverNull = neverNull;
  }

  /** The constructor of a class; null if no parameters of any are all known. */
  static ConstructorProperties of(Properties properties) {
    if (Modifier.isAbstract(properties.type.getModifiers())) {
      return null;
    }
    ReadableProperties readable = new ReadableProperties(properties);
    List<ConstructorProperties> longest = new ArrayList<>();
    for (Constructor<?> constructor : properties.type.getDeclaredConstructors()) {
      ConstructorProperties found = of(properties, readable, constructor);
      if (found == null) {
        continue;
      }
      int most = longest.isEmpty() ? 0 : longest.get(0).names.size();
      if (found.names.size() > most) {
        longest.clear();
      }
      if (found.names.size() >= most) {
        longest.add(found);
      }
    }
    // Of several with the same parameters in another order, none is the one.
    return longest.size() == 1 ? longest.get(0) : null;
  }

  private static ConstructorProperties of(
      Properties properties, ReadableProperties readable, Constructor<?> constructor) {
    Parameter[] parameters = constructor.getParameters();
    if (constructor.isSynthetic() || parameters.length == 0) {
      return null;
    }
    ConstructorCode code = ConstructorCode.of(constructor);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < parameters.length; i++) {
      String name =
          parameters[i].isNamePresent()
              ? parameters[i].getName()
              : code == null ? null : code.fields().get(i);
      if (name == null || names.contains(name) || !readable.has(name, parameters[i].getType())) {
        return null;
      }
      names.add(name);
    }
    Set<Integer> neverNull = code == null ? Set.of() : code.neverNull();
    return new ConstructorProperties(properties, readable, constructor, names, neverNull);
  }

  /** Whether it is a data class of Kotlin's. */
  boolean isOfDataClass() {
    boolean isOfKotlin =
        Arrays.stream(properties.type.getAnnotations())
            .map(Annotation::annotationType)
            .anyMatch(type -> type.getName().equals("kotlin.Metadata"));
    return isOfKotlin
        && Arrays.stream(properties.type.getMethods())
            .anyMatch(method -> method.getName().equals("component" + names.size()));
  }

  ObjectMapping mapping() throws IllegalAccessException {
    checkFields();
    Parameter[] parameters = constructor.getParameters();
    AnnotatedType[] types = constructor.getAnnotatedParameterTypes();
    ConstructorArguments arguments = new ConstructorArguments(properties);
    for (int i = 0; i < parameters.length; i++) {
      String name = names.get(i);
      Class<?> type = parameters[i].getType();
      Marks marks = readable.marks(name, type).and(parameters[i]).and(types[i]);
      arguments.add(
          new Properties.Member(
              name,
              readable.type(name, type),
              neverNull.contains(i) ? marks.andNeverNull() : marks),
          type,
          readable.handle(name, type));
    }
    Class<?> type = properties.type;
    return arguments.mapping(Marks.of(type).name(type.getSimpleName()), constructor);
  }

  /** Refuses a field that may change and that the constructor does not set: it would be lost. */
  private void checkFields() {
    Set<String> known = new HashSet<>(names);
    for (Map.Entry<String, Field> entry : readable.fields().entrySet()) {
      int modifiers = entry.getValue().getModifiers();
      boolean isLost =
          !known.contains(entry.getKey())
              && !Modifier.isFinal(modifiers)
              && !Modifier.isTransient(modifiers)
              && !Marks.of(entry.getValue()).isIgnored();
      if (isLost) {
        throw properties.refused(
            "whose field "
                + entry.getKey()
                + " is no parameter of its constructor, so that its value would be lost; mark it"
                + " with @Ignore, or add the parameter");
      }
    }
  }
}
