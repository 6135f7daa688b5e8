package io.github.serow.mapping;

import io.github.serow.schema.Marks;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.TreeMap;

/**
 * The properties of a class whose objects a builder makes. The class has a static method {@code
 * builder()} or {@code newBuilder()}, or a static class {@code Builder} with a constructor without
 * arguments; the builder has a method {@code build()}. A method of the builder with one parameter,
 * {@code name}, {@code setName} or {@code withName}, sets a property, if the class has a field or a
 * getter of this name whose values it can take. What the builder makes of them is unknown, so each
 * new object is checked ({@link CheckedMaker}).
 */
final class BuilderProperties {
  /**
   * A method that sets a property.
   *
   * @param property the class of the property: that of the parameter, or a narrower one
   */
  private record Setter(Method method, Class<?> property) {
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

  private final Properties properties;
  private final ReadableProperties readable;

  private final Class<?> builder;

  /** Makes a builder. */
  private final MethodHandle begin;

  private final Method build;

  private BuilderProperties(
      Properties properties, Class<?> builder, MethodHandle begin, Method build) {
    this.properties = properties;
    this.builder = builder;
    this.begin = begin;
    this.build = build;
    readable = new ReadableProperties(properties);
  }

  /** The builder of a class; null if it has none. */
  static BuilderProperties of(Properties properties) throws IllegalAccessException {
    Class<?> type = properties.type;
    for (String name : new String[] {"builder", "newBuilder"}) {
      try {
        Method begin = type.getDeclaredMethod(name);
        Method build = build(begin.getReturnType(), type);
        if (Modifier.isStatic(begin.getModifiers()) && build != null) {
          MethodHandle handle = properties.beginning(begin);
          return new BuilderProperties(properties, begin.getReturnType(), handle, build);
        }
      } catch (NoSuchMethodException e) {
        // Try the next.
      }
    }
    for (Class<?> member : type.getDeclaredClasses()) {
      Method build = member.getSimpleName().equals("Builder") ? build(member, type) : null;
      if (build != null
          && Modifier.isStatic(member.getModifiers())
          && !Modifier.isAbstract(member.getModifiers())) {
        try {
          MethodHandle begin = properties.constructor(member.getDeclaredConstructor());
          return new BuilderProperties(properties, member, begin, build);
        } catch (NoSuchMethodException e) {
          return null;
        }
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

  ObjectMapping mapping() throws IllegalAccessException {
    Class<?> type = properties.type;
    Map<String, Setter> setters = setters();
    LostFields lost = new LostFields(properties);
    for (Map.Entry<String, Field> field : readable.fields().entrySet()) {
      boolean isLost =
          !setters.containsKey(field.getKey()) && lost.contains(field.getKey(), field.getValue());
      if (isLost) {
        throw properties.refused(
            "whose builder has no method for the field "
                + field.getKey()
                + " with its type; add one, or mark the field transient or with @Ignore");
      }
    }
    for (Map.Entry<String, Setter> setter : setters.entrySet()) {
      String name = setter.getKey();
      Method method = setter.getValue().method;
      Class<?> of = setter.getValue().property;
      Marks marks = readable.marks(name, of).and(method).and(method.getParameters()[0]);
      if (!marks.isIgnored()) {
        properties.add(
            new Properties.Member(name, readable.type(name, of), marks),
            readable.handle(name, of),
            properties.handles.of(method));
      }
    }
    if (properties.isEmpty()) {
      throw properties.refused("whose builder has no method that sets one of its fields");
    }
    return properties.madeByBuilder(
        Marks.of(type).name(type.getSimpleName()), begin, properties.handles.of(build));
  }

  /** The methods of the builder that set a property, by the property's name. */
  private Map<String, Setter> setters() {
    Map<String, Setter> setters = new TreeMap<>();
    for (Class<?> at = builder; at != null; at = at.getSuperclass()) {
      for (Method method : at.getDeclaredMethods()) {
        if (method.getParameterCount() != 1
            || Modifier.isStatic(method.getModifiers())
            || Modifier.isPrivate(method.getModifiers())
            || method.isBridge()) {
          continue;
        }
        for (String name : names(method.getName())) {
          Class<?> property = readable.taken(name, method.getParameterTypes()[0]);
          if (property != null) {
            setters.merge(name, new Setter(method, property), Setter::narrower);
          }
        }
      }
    }
    return setters;
  }

  /** The names of the property that a method may set. */
  private static String[] names(String method) {
    for (String prefix : new String[] {"set", "with"}) {
      if (method.startsWith(prefix) && method.length() > prefix.length()) {
        return new String[] {
          method, BeanProperties.decapitalized(method.substring(prefix.length()))
        };
      }
    }
    return new String[] {method};
  }
}
