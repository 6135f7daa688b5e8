package io.github.serow.internal.mapping;

import io.github.serow.internal.mapping.PropertyCollector.Member;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The properties of a class whose objects a builder makes. The class has a static method {@code
 * builder()} or {@code newBuilder()}, or a static class {@code Builder} with a constructor without
 * arguments; the builder has a method {@code build()}. A method of the builder with one parameter,
 * {@code name}, {@code setName} or {@code withName}, sets a property, if the class has a field or a
 * getter of this name whose values it can take.
 */
final class BuilderProperties {
  /** A method that sets a property, whose class is that of the parameter or a narrower one. */
  private record Setter(Method method, Member property) {
    private Class<?> parameter() {
      return method.getParameterTypes()[0];
    }

    /** The one whose parameter is narrower. A method of a subclass comes before others. */
    static Setter narrower(Setter one, Setter other) {
      boolean isWider =
          one.parameter() != other.parameter()
              && one.parameter().isAssignableFrom(other.parameter());
      return isWider ? other : one;
    }
  }

  /** A builder's class, what makes one, and its last method. */
  private record Builder(Class<?> type, MethodHandle begin, Method build) {}

  private BuilderProperties() {}

  /** Makes objects by the builder of a class; null if it has none. */
  static ObjectMapping mapping(PropertyCollector properties, Members members)
      throws IllegalAccessException {
    Builder builder = find(properties);
    if (builder == null) {
      return null;
    }
    Map<String, Setter> setters = setters(builder.type, members);
    for (String field : members.fields().keySet()) {
      if (!setters.containsKey(field) && members.isData(field)) {
        throw properties.refused(
            "whose builder has no method for the field "
                + field
                + " with its type; add one, or mark the field transient or with @Ignore");
      }
    }
    for (Setter setter : setters.values()) {
      Method method = setter.method;
      Member member = setter.property.and(method, method.getParameters()[0]);
      if (!member.annotations().isIgnored()) {
        properties.add(member, properties.handles.of(method));
      }
    }
    if (properties.isEmpty()) {
      throw properties.refused("whose builder has no method that sets one of its fields");
    }
    return properties.madeByBuilder(builder.begin, properties.handles.of(builder.build));
  }

  private static Builder find(PropertyCollector properties) throws IllegalAccessException {
    Class<?> type = properties.type;
    for (Method begin : Members.sorted(type.getDeclaredMethods())) {
      Method build = build(begin.getReturnType(), type);
      boolean isNamed = begin.getName().equals("builder") || begin.getName().equals("newBuilder");
      if (isNamed
          && begin.getParameterCount() == 0
          && Modifier.isStatic(begin.getModifiers())
          && build != null) {
        return new Builder(begin.getReturnType(), properties.handles.of(begin), build);
      }
    }
    for (Class<?> member : type.getDeclaredClasses()) {
      Method build = build(member, type);
      if (member.getSimpleName().equals("Builder")
          && build != null
          && Modifier.isStatic(member.getModifiers())
          && !Modifier.isAbstract(member.getModifiers())
          && ClassProperties.constructor(member) != null) {
        MethodHandle begin = properties.constructor(ClassProperties.constructor(member));
        return new Builder(member, begin, build);
      }
    }
    return null;
  }

  private static Method build(Class<?> builder, Class<?> type) {
    for (Class<?> at = builder; at != null; at = at.getSuperclass()) {
      try {
        Method build = at.getDeclaredMethod("build");
        return type.isAssignableFrom(build.getReturnType()) ? build : null;
      } catch (NoSuchMethodException e) {
        // A superclass may have it.
      }
    }
    return null;
  }

  /** The methods of the builder that set a property, by the property's name. */
  private static Map<String, Setter> setters(Class<?> builder, Members members)
      throws IllegalAccessException {
    Map<String, Setter> setters = new TreeMap<>();
    for (Class<?> at = builder; at != null; at = at.getSuperclass()) {
      for (Method method : Members.sorted(at.getDeclaredMethods())) {
        if (method.getParameterCount() != 1
            || Modifier.isStatic(method.getModifiers())
            || Modifier.isPrivate(method.getModifiers())
            || method.isBridge()) {
          continue;
        }
        for (String name : names(method.getName())) {
          Member property = members.find(name, method.getParameterTypes()[0], true);
          if (property != null) {
            setters.merge(name, new Setter(method, property), Setter::narrower);
          }
        }
      }
    }
    return setters;
  }

  /** The names of the property that a method may set. */
  private static List<String> names(String method) {
    return Stream.of(
            method, Members.afterPrefix(method, "set"), Members.afterPrefix(method, "with"))
        .filter(Objects::nonNull)
        .toList();
  }
}
