package io.github.serow.internal.mapping;

import io.github.serow.Creator;
import io.github.serow.internal.kotlin.KotlinClass;
import io.github.serow.internal.mapping.PropertyCollector.Member;
import io.github.serow.internal.schema.PropertyAnnotations;
import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The constructors of a class whose parameters are its properties. The names of parameters are
 * those that an annotation gives, or those in Kotlin's metadata or in the class file. A constructor
 * qualifies if each parameter is a property with its name and type, and no field besides holds
 * data.
 */
final class ConstructorProperties {
  /** Annotations of any library that choose a constructor. Some give the names of parameters. */
  private static final Set<String> CHOOSING =
      Set.of(Creator.class.getSimpleName(), "JsonCreator", "ConstructorProperties");

  private final PropertyCollector properties;
  private final Members members;
  private final KotlinClass kotlin;

  /** All constructors with parameters, the longest first, in an order that is always the same. */
  private final List<Constructor<?>> constructors;

  /** Why the longest constructor that does not qualify does not; null if there is none. */
  private String whyNot;

  /** {@code kotlin}: the class in Kotlin's source; null if it is none of Kotlin's. */
  ConstructorProperties(PropertyCollector properties, Members members, KotlinClass kotlin) {
    this.properties = properties;
    this.members = members;
    this.kotlin = kotlin;
    Comparator<Constructor<?>> longestFirst =
        Comparator.comparingInt(it -> -it.getParameterCount());
    constructors =
        Arrays.stream(properties.type.getDeclaredConstructors())
            .filter(it -> !it.isSynthetic() && it.getParameterCount() > 0)
            .sorted(longestFirst.thenComparing(Constructor::toString))
            .toList();
  }

  /**
   * Makes objects by the constructor that Kotlin or an annotation chooses; null if neither does.
   */
  ObjectMapping chosen() throws IllegalAccessException {
    boolean isData = kotlin != null && kotlin.isData();
    for (Method method : properties.type.getDeclaredMethods()) {
      if (Modifier.isStatic(method.getModifiers())
          && PropertyAnnotations.of(method).hasOneOf(CHOOSING)) {
        throw properties.refused(
            "whose static method "
                + method.getName()
                + " is annotated as the way to make its objects, but serow calls constructors;"
                + " annotate a constructor, or register a converter");
      }
    }
    List<Constructor<?>> chosen =
        constructors.stream()
            .filter(
                it ->
                    isData
                        ? it.getParameterCount() == kotlin.parameters().size()
                        : PropertyAnnotations.of(it).hasOneOf(CHOOSING))
            .toList();
    ObjectMapping made = longest(chosen, isData ? null : Comparator.comparing(Member::name));
    if (made == null && !chosen.isEmpty()) {
      throw properties.refused(whyNot);
    }
    return made;
  }

  /**
   * Makes objects by the longest constructor that qualifies; null if there is none. The properties
   * are in the order of their names. So a class keeps its schema if its objects are later made in
   * another way, or its parameters change places.
   */
  ObjectMapping longest() throws IllegalAccessException {
    return longest(constructors, Comparator.comparing(Member::name));
  }

  private ObjectMapping longest(List<Constructor<?>> among, Comparator<Member> order)
      throws IllegalAccessException {
    Constructor<?> longest = null;
    List<Member> found = null;
    for (Constructor<?> constructor : among) {
      List<Member> parameters = parameters(constructor);
      if (parameters == null) {
        continue;
      }
      if (longest != null && longest.getParameterCount() == parameters.size()) {
        throw properties.refused(
            ("whose constructors %s and %s both have its fields as parameters; annotate"
                    + " one of them with @Creator")
                .formatted(text(longest), text(constructor)));
      }
      if (longest == null) {
        longest = constructor;
        found = parameters;
      }
    }
    return longest == null ? null : mapping(properties, longest, found, order);
  }

  /** Why objects can't be made, for an error. */
  String whyNot() {
    if (whyNot != null && whyNot.startsWith("whose")) {
      return whyNot;
    }
    String why =
        whyNot != null
            ? whyNot
            : "and it has no constructor with parameters; add one whose parameters are its fields,"
                + " use a record, or register a converter";
    String field = ClassProperties.finalField(members);
    return ClassProperties.constructor(properties.type) != null
        ? "whose field "
            + field
            + " is final, so that only a constructor can set it, "
            + why
            + "; or make the field non-final, or mark it transient or with @Ignore"
        : "which is not a record and has no constructor without arguments and no builder, " + why;
  }

  /** The properties that are the parameters; null if the constructor does not qualify. */
  private List<Member> parameters(Constructor<?> constructor) throws IllegalAccessException {
    Parameter[] parameters = constructor.getParameters();
    List<String> given = names(constructor);
    if (given == null) {
      return no(
          "and the class file has no names of the parameters of its constructor "
              + text(constructor)
              + "; compile it with -parameters, or give the names with @Creator({…}) or with @Name at"
              + " each parameter");
    }
    if (given.size() != parameters.length) {
      return no(
          "and an annotation gives %s names to the parameters of its constructor %s"
              .formatted(given.size(), text(constructor)));
    }
    List<String> names = given.stream().map(members::nameInJava).toList();
    List<Member> found = new ArrayList<>();
    for (int i = 0; i < parameters.length; i++) {
      String name = names.get(i);
      boolean isFirst = names.indexOf(name) == i;
      Member member = isFirst ? members.find(name, parameters[i].getType(), false) : null;
      if (member == null) {
        return no(
            ("and parameter %s, \"%s\", of its constructor %s has no field or getter of"
                    + " its name and type; add one, put @Name(\"%s\") at the field that it is for,"
                    + " use a record, or register a converter")
                .formatted(i + 1, name, text(constructor), name));
      }
      found.add(member.and(parameters[i], constructor.getAnnotatedParameterTypes()[i]));
    }
    for (String field : members.fields().keySet()) {
      if (!names.contains(field) && members.isData(field)) {
        return no(
            ("whose field %s is no parameter of its constructor, so that its value would"
                    + " be lost; add the parameter, or mark the field transient or with @Ignore")
                .formatted(field));
      }
    }
    return found;
  }

  private List<Member> no(String why) {
    whyNot = whyNot == null ? why : whyNot;
    return null;
  }

  /** The names of the parameters; null if they are unknown. */
  private List<String> names(Constructor<?> constructor) throws IllegalAccessException {
    for (Annotation annotation : constructor.getAnnotations()) {
      List<String> given = givenNames(annotation);
      if (!given.isEmpty()) {
        return given;
      }
    }
    int count = constructor.getParameterCount();
    if (kotlin != null && kotlin.parameters() != null && kotlin.parameters().size() == count) {
      return kotlin.parameters();
    }
    List<String> names = new ArrayList<>();
    for (Parameter parameter : constructor.getParameters()) {
      names.add(name(parameter));
    }
    return names.contains("") ? null : names;
  }

  /** The name of a parameter: that of a field, as far as this is known; empty if it has none. */
  private String name(Parameter parameter) throws IllegalAccessException {
    String own = parameter.isNamePresent() ? parameter.getName() : "";
    if (members.find(own, parameter.getType(), false) != null) {
      return own;
    }
    String given = PropertyAnnotations.of(parameter).givenName();
    return given.isEmpty() ? own : given;
  }

  private static List<String> givenNames(Annotation annotation) {
    boolean isOne = CHOOSING.contains(annotation.annotationType().getSimpleName());
    return isOne && PropertyAnnotations.attribute(annotation, "value") instanceof String[] names
        ? List.of(names)
        : List.of();
  }

  private String text(Constructor<?> constructor) {
    return Arrays.stream(constructor.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(Collectors.joining(", ", properties.type.getSimpleName() + "(", ")"));
  }

  /**
   * Makes objects by a constructor.
   *
   * @param members for each parameter, the property that it is
   * @param order of the properties; null for that of the parameters
   */
  static ObjectMapping mapping(
      PropertyCollector properties,
      Constructor<?> constructor,
      List<Member> members,
      Comparator<Member> order)
      throws IllegalAccessException {
    MethodHandle handle = properties.constructor(constructor);
    List<Member> kept = new ArrayList<>(members);
    for (int i = members.size() - 1; i >= 0; i--) {
      Member member = members.get(i);
      if (member.annotations().isIgnored()) {
        Class<?> parameter = constructor.getParameterTypes()[i];
        handle = MethodHandles.insertArguments(handle, i, properties.ignored(member, parameter));
        kept.remove(i);
      }
    }
    List<Member> sorted = new ArrayList<>(kept);
    if (order != null) {
      sorted.sort(order);
    }
    for (Member member : sorted) {
      properties.add(member);
    }
    List<String> names = sorted.stream().map(Member::name).toList();
    int[] arguments = kept.stream().mapToInt(it -> names.indexOf(it.name())).toArray();
    return properties.madeByConstructor(handle, arguments);
  }
}
