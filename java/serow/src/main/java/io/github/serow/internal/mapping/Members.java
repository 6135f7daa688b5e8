package io.github.serow.internal.mapping;

import io.github.serow.internal.kotlin.KotlinClass;
import io.github.serow.internal.mapping.PropertyCollector.Member;
import io.github.serow.internal.schema.PropertyAnnotations;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The members of a class that has properties: its fields, and its getters {@code getName}, {@code
 * isName} or {@code name}, also those of superclasses.
 */
final class Members {
  private final PropertyCollector properties;

  /**
   * The fields by name. One that has the name of a field of a subclass is preceded by the name of
   * its class, as in {@code Above.size}.
   */
  private final Map<String, Field> fields = new TreeMap<>();

  private final Map<String, Method> getters = new HashMap<>();

  /** The getters and setters of a property, with their types and parameters. */
  private final Map<String, List<AnnotatedElement>> methods = new HashMap<>();

  Members(PropertyCollector properties) {
    this.properties = properties;
    Class<?> type = properties.type;
    for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
          checkOwner(at);
          String name = field.getName();
          fields.put(fields.containsKey(name) ? at.getSimpleName() + "." + name : name, field);
        }
      }
      sorted(at.getDeclaredMethods()).forEach(this::addMethod);
    }
    // The default methods of interfaces.
    sorted(type.getMethods()).forEach(this::addMethod);
  }

  /** The methods in an order that is always the same, which Java does not promise. */
  static List<Method> sorted(Method[] methods) {
    return Arrays.stream(methods).sorted(Comparator.comparing(Method::toString)).toList();
  }

  /** Refuses a class that extends one of Java's with fields, which nobody can set. */
  private void checkOwner(Class<?> owner) {
    if (owner.getClassLoader() == null) {
      throw properties.refused(
          ("which extends %s, whose fields would be lost; register a converter with"
                  + " Mappings.standard().withConverter")
              .formatted(owner.getName()));
    }
  }

  private void addMethod(Method method) {
    if (Modifier.isStatic(method.getModifiers()) || method.isBridge()) {
      return;
    }
    String set = afterPrefix(method.getName(), "set");
    boolean isGetter =
        method.getParameterCount() == 0
            && method.getReturnType() != void.class
            && method.getDeclaringClass() != Object.class;
    if (isGetter) {
      String name = propertyName(method);
      addAnnotated(name, method, method.getAnnotatedReturnType());
      if (!Modifier.isPrivate(method.getModifiers())) {
        getters.putIfAbsent(name, method);
      }
    } else if (method.getParameterCount() == 1 && set != null) {
      addAnnotated(set, method, method.getParameters()[0], method.getAnnotatedParameterTypes()[0]);
    }
  }

  private void addAnnotated(String name, AnnotatedElement... elements) {
    methods.computeIfAbsent(name, it -> new ArrayList<>()).addAll(List.of(elements));
  }

  /** The name of the property that a method without parameters gets. */
  private static String propertyName(Method getter) {
    String name = afterPrefix(getter.getName(), "get");
    Class<?> type = getter.getReturnType();
    if (name == null && (type == boolean.class || type == Boolean.class)) {
      name = afterPrefix(getter.getName(), "is");
    }
    return name == null ? getter.getName() : name;
  }

  /**
   * The name of the property in the name of a method with a prefix; null if it has not the prefix.
   */
  static String afterPrefix(String method, String prefix) {
    if (!method.startsWith(prefix) || method.length() == prefix.length()) {
      return null;
    }
    String name = method.substring(prefix.length());
    // As java.beans: getName gets name, but getURL gets URL.
    boolean isAcronym =
        name.length() > 1
            && Character.isUpperCase(name.charAt(0))
            && Character.isUpperCase(name.charAt(1));
    return isAcronym ? name : Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }

  Map<String, Field> fields() {
    return fields;
  }

  /** Whether the value of a field would be lost if nothing sets it. */
  boolean isData(String name) {
    Field field = fields.get(name);
    if (Modifier.isTransient(field.getModifiers()) || annotations(name).isIgnored()) {
      return false;
    }
    // A class of a helper may have a converter.
    return !HelperFields.isHelper(field.getType()) || properties.hasType(name, bind(type(name)));
  }

  /**
   * Refuses an annotation at a getter or setter that belongs to no field, where it would be without
   * effect.
   */
  void checkAnnotations() {
    for (String name : methods.keySet()) {
      String field = "is" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
      PropertyAnnotations annotations = annotations(name);
      boolean hasEffect = fields.containsKey(name) || fields.containsKey(field);
      if (!hasEffect && (annotations.isNamed() || annotations.defaultText() != null)) {
        throw properties.refused(
            ("whose getter or setter of %s has an annotation of serow, but there is no"
                    + " field %s; annotate the field that it is for")
                .formatted(name, name));
      }
    }
  }

  /** The type of a field. Scala 3 writes the type arguments of a private one only to its getter. */
  private Type type(String name) {
    Type type = fields.get(name).getGenericType();
    Method getter = getters.get(name);
    return getter != null && getter.getReturnType() == type ? getter.getGenericReturnType() : type;
  }

  private BoundType bind(Type type) {
    return properties.bind(type, Nullness.UNKNOWN);
  }

  /** The annotations of a property at its field, its getters and its setters. */
  private PropertyAnnotations annotations(String name) {
    Field field = fields.get(name);
    PropertyAnnotations all =
        field == null
            ? PropertyAnnotations.of()
            : PropertyAnnotations.of(field, field.getAnnotatedType());
    all = all.and(methods.getOrDefault(name, List.of()).toArray(AnnotatedElement[]::new));
    // The field of isOpen() and setOpen() may be called isOpen.
    String open = field == null ? null : afterPrefix(name, "is");
    return all.and(methods.getOrDefault(open, List.of()).toArray(AnnotatedElement[]::new));
  }

  /** The name in Java of what has this name there, or for an annotation at a field or a getter. */
  String nameInJava(String given) {
    if (fields.containsKey(given) || getters.containsKey(given)) {
      return given;
    }
    return fields.keySet().stream()
        .filter(name -> annotations(name).givenName().equals(given))
        .findFirst()
        .orElse(given);
  }

  /** What the source says about nulls in a property of {@code within}. */
  static Nullness nullness(Class<?> within, String name, AnnotatedType type) {
    KotlinClass kotlin = KotlinClass.of(within);
    KotlinClass.KotlinType found = kotlin == null ? null : kotlin.property(name);
    return found == null ? Nullness.of(type, within) : Nullness.of(found);
  }

  /** A field as a property. */
  Member ofField(String name) throws IllegalAccessException {
    Field field = fields.get(name);
    checkValueClass(name, field);
    Nullness nullness =
        nullness(field.getDeclaringClass(), field.getName(), field.getAnnotatedType());
    return new Member(
        name,
        properties.bind(type(name), nullness),
        annotations(name),
        properties.handles.getter(field));
  }

  /** Refuses a field that has not the type that Kotlin's source says. */
  private void checkValueClass(String name, Field field) {
    Class<?> within = field.getDeclaringClass();
    KotlinClass kotlin = KotlinClass.of(within);
    KotlinClass.KotlinType type = kotlin == null ? null : kotlin.property(field.getName());
    if (type != null
        && !KotlinClass.isValueClass(field.getType())
        && KotlinClass.isValueClass(type, within)) {
      throw Mapper.refused(
          properties.place + "." + name,
          "is of a value class of Kotlin's, such as UInt or Duration, so that only the number or"
              + " text inside it is known; declare it as Long, java.time.Duration or another plain"
              + " class, or register a converter for "
              + properties.type.getSimpleName()
              + " with Mappings.standard().withConverter");
    }
  }

  private Member ofGetter(String name) throws IllegalAccessException {
    Method getter = getters.get(name);
    Nullness nullness = nullness(getter.getDeclaringClass(), name, getter.getAnnotatedReturnType());
    return new Member(
        name,
        properties.bind(getter.getGenericReturnType(), nullness),
        annotations(name),
        properties.handles.of(getter));
  }

  /**
   * The property that a parameter is for. Its field is read, because a getter may return something
   * else, such as a copy; without a field its getter is.
   *
   * @param mayBeWider whether the class of the parameter may be a superclass of the property's
   * @return the property, which is primitive if the parameter is; null if there is none
   */
  Member find(String name, Class<?> parameter, boolean mayBeWider) throws IllegalAccessException {
    Field field = fields.get(name);
    Method getter = getters.get(name);
    if (field != null && isOf(parameter, field.getType(), type(name))) {
      return ofClass(ofField(name), parameter);
    }
    if (getter != null && isOf(parameter, getter.getReturnType(), getter.getGenericReturnType())) {
      return ofClass(ofGetter(name), parameter);
    }
    if (mayBeWider && field != null && parameter.isAssignableFrom(field.getType())) {
      return ofField(name);
    }
    boolean takesGetter =
        mayBeWider && getter != null && parameter.isAssignableFrom(getter.getReturnType());
    return takesGetter ? ofGetter(name) : null;
  }

  /**
   * Whether a parameter has the class of a property, in the class file or as seen from the class,
   * or the wrapper of a primitive class.
   */
  private boolean isOf(Class<?> parameter, Class<?> erased, Type generic) {
    Class<?> seen = bind(generic).raw();
    return parameter == erased || seen != null && boxed(seen) == boxed(parameter);
  }

  private static Class<?> boxed(Class<?> type) {
    return MethodType.methodType(type).wrap().returnType();
  }

  /** The same property, primitive if {@code parameter} is. */
  private static Member ofClass(Member member, Class<?> parameter) {
    MethodHandle getter = member.getter();
    if (!parameter.isPrimitive()) {
      return member;
    }
    MethodHandle get = getter.asType(getter.type().changeReturnType(parameter));
    return new Member(member.name(), member.type(), member.annotations(), get);
  }
}
