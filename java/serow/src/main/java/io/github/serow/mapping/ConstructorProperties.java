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
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The properties of a class whose constructor has all of them as parameters, such as a Kotlin data
 * class, a class with Lombok's {@code @Value}, or one that is written like them by hand. A
 * parameter is the field that has it whenever the constructor returns ({@link KeptArguments}). If
 * there is none, it is the property that has the parameter's name in the class file, and each new
 * object is checked. If several constructors qualify, the longest is used.
 */
final class ConstructorProperties {
  private final Properties properties;
  private final ReadableProperties readable;
  private final Constructor<?> constructor;

  /** The names of the parameters. */
  private final List<String> names;

  private final Set<Integer> neverNull;

  /** Whether a field is proved to have each parameter. */
  private final boolean isKeeping;

  private ConstructorProperties(
      Properties properties,
      ReadableProperties readable,
      Constructor<?> constructor,
      List<String> names,
      Set<Integer> neverNull,
      boolean isKeeping) {
    this.properties = properties;
    this.readable = readable;
    this.constructor = constructor;
    this.names = names;
    this.neverNull = neverNull;
    this.isKeeping = isKeeping;
  }

  /** The constructor of a class; null if there is none whose parameters are all known. */
  static ConstructorProperties of(Properties properties) {
    List<ConstructorProperties> longest = longest(properties);
    return longest.size() == 1 ? longest.get(0) : null;
  }

  /** The longest constructors whose parameters are all known. */
  private static List<ConstructorProperties> longest(Properties properties) {
    List<ConstructorProperties> longest = new ArrayList<>();
    if (Modifier.isAbstract(properties.type.getModifiers())) {
      return longest;
    }
    ReadableProperties readable = new ReadableProperties(properties);
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
    return longest;
  }

  /** Why {@link #of} has found no constructor, for an error. */
  static String whyNot(Properties properties) {
    int found = longest(properties).size();
    if (found == 1) {
      return "its setters are used instead of its constructor; remove the setters, or use a record";
    }
    if (found > 1) {
      return "several constructors have the same number of its fields as parameters; remove all but"
          + " one, or use a record";
    }
    Constructor<?> most =
        Arrays.stream(properties.type.getDeclaredConstructors())
            .filter(constructor -> !constructor.isSynthetic())
            .max(Comparator.comparingInt(Constructor::getParameterCount))
            .orElse(null);
    if (most == null || most.getParameterCount() == 0) {
      return "it has no constructor with parameters; add one whose parameters are its fields, use a"
          + " record, or register a converter";
    }
    return "no constructor of it assigns each parameter to a field as it is"
        + unassigned(properties, most)
        + "; compile it with -parameters and name the parameters as the fields, use a record, or"
        + " register a converter";
  }

  /** Names the first parameter of a constructor that has no field; empty if each has one. */
  private static String unassigned(Properties properties, Constructor<?> constructor) {
    ReadableProperties readable = new ReadableProperties(properties);
    KeptArguments kept = KeptArguments.of(constructor);
    for (int i = 0; i < constructor.getParameterCount(); i++) {
      String name = keptName(readable, kept, constructor, i);
      String field = name == null ? givenName(constructor.getParameters()[i]) : name;
      if (field == null || !readable.has(field, constructor.getParameterTypes()[i])) {
        String types =
            Arrays.stream(constructor.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", "(", ")"));
        String named = field == null ? "" : ", \"" + field + "\",";
        String simple = properties.type.getSimpleName();
        return " (parameter " + (i + 1) + named + " of " + simple + types + " has no such field)";
      }
    }
    return "";
  }

  /** The name in the class file; null if it has none. */
  private static String givenName(Parameter parameter) {
    return parameter.isNamePresent() ? parameter.getName() : null;
  }

  /** The name of the field that keeps a parameter; null if there is none. */
  private static String keptName(
      ReadableProperties readable, KeptArguments kept, Constructor<?> constructor, int parameter) {
    Parameter of = constructor.getParameters()[parameter];
    List<Field> fields = kept.fields(parameter);
    List<String> names =
        readable.fields().entrySet().stream()
            .filter(entry -> fields.contains(entry.getValue()))
            .map(Map.Entry::getKey)
            .filter(name -> readable.has(name, of.getType()))
            .toList();
    String given = givenName(of);
    return names.contains(given) ? given : names.isEmpty() ? null : names.get(0);
  }

  private static ConstructorProperties of(
      Properties properties, ReadableProperties readable, Constructor<?> constructor) {
    Parameter[] parameters = constructor.getParameters();
    if (constructor.isSynthetic() || parameters.length == 0) {
      return null;
    }
    KeptArguments kept = KeptArguments.of(constructor);
    List<String> names = new ArrayList<>();
    boolean isKeeping = true;
    for (int i = 0; i < parameters.length; i++) {
      String name = keptName(readable, kept, constructor, i);
      if (name == null) {
        isKeeping = false;
        name = givenName(parameters[i]);
      }
      if (name == null || names.contains(name) || !readable.has(name, parameters[i].getType())) {
        return null;
      }
      names.add(name);
    }
    return new ConstructorProperties(
        properties, readable, constructor, names, kept.neverNull(), isKeeping);
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
    return arguments.mapping(Marks.of(type).name(type.getSimpleName()), constructor, isKeeping);
  }

  /** Whether it sets a final field, which nothing else can set. */
  boolean setsFinalField() {
    return names.stream()
        .map(readable.fields()::get)
        .anyMatch(field -> field != null && Modifier.isFinal(field.getModifiers()));
  }

  /** Refuses a field that the constructor does not set: its value would be lost. */
  private void checkFields() {
    Set<String> known = new HashSet<>(names);
    LostFields lost = new LostFields(properties);
    for (Map.Entry<String, Field> entry : readable.fields().entrySet()) {
      if (!known.contains(entry.getKey()) && lost.contains(entry.getKey(), entry.getValue())) {
        throw properties.refused(
            "whose field "
                + entry.getKey()
                + " is no parameter of its constructor, so that its value would be lost; add the"
                + " parameter, or mark the field transient or with @Ignore");
      }
    }
  }
}
