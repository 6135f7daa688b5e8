package io.github.serow.mapping;

import io.github.serow.schema.Marks;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The properties of a bean: a class with a constructor without arguments.
 *
 * <p>A property has a public getter, {@code getName} or {@code isName}, and a public setter of the
 * same type, or it is a public or annotated field. If all setters of a property have other types,
 * the class is refused, because the property would be lost, and likewise if a field would be. A
 * class without getters and setters has its fields as properties, except transient ones. Java does
 * not define an order of methods or fields, so properties are ordered by name.
 */
final class BeanProperties {
  private final Properties properties;
  private final Class<?> type;

  private final Map<String, Field> fields;

  private final LostFields lostFields;

  /** The methods of the properties, in their order. */
  private final List<Method> chosenGetters = new ArrayList<>();

  private final List<Method> chosenSetters = new ArrayList<>();

  /** The names of the fields that other properties set, or that are ignored with them. */
  private final Set<String> covered = new HashSet<>();

  BeanProperties(Properties properties) {
    this.properties = properties;
    type = properties.type;
    fields = ReadableProperties.fieldsOf(type);
    lostFields = new LostFields(properties);
  }

  /** Whether a class has a constructor without arguments. */
  static boolean hasConstructor(Class<?> type) {
    return Arrays.stream(type.getDeclaredConstructors())
        .anyMatch(it -> it.getParameterCount() == 0);
  }

  /** Whether there is a property with a getter and a setter. */
  boolean hasMethods() {
    return methods(BeanProperties::nameSet).keySet().stream()
        .anyMatch(methods(BeanProperties::propertyName)::containsKey);
  }

  ObjectMapping mapping() throws ReflectiveOperationException {
    if (!properties.areFields) {
      addMethods();
    }
    if (properties.isEmpty() && covered.isEmpty()) {
      for (Map.Entry<String, Field> field : fields.entrySet()) {
        addField(field.getKey(), field.getValue());
      }
    } else {
      addFields();
    }
    if (properties.isEmpty()) {
      throw properties.refused(
          "which is not a record and has no property: no public getter with a setter, and no field");
    }
    return properties.madeBySetters(
        Marks.of(type).name(type.getSimpleName()),
        properties.constructor(type.getDeclaredConstructor()),
        KeptArguments.of(type, chosenSetters).areRead(chosenGetters));
  }

  /** Adds the properties with a getter and a setter. */
  private void addMethods() throws ReflectiveOperationException {
    TreeMap<String, List<Method>> getters = methods(BeanProperties::propertyName);
    TreeMap<String, List<Method>> setters = methods(BeanProperties::nameSet);
    for (String name : getters.keySet()) {
      List<Method> set = setters.getOrDefault(name, List.of());
      boolean isIgnored = isIgnored(name, getters.get(name), set);
      if (!set.isEmpty() && !isIgnored) {
        addMethods(name, getters.get(name), set);
      }
      if (!set.isEmpty() || isIgnored) {
        covered.add(name);
        set.forEach(setter -> covered.addAll(AssignedFields.of(setter)));
      }
    }
  }

  /**
   * Adds the fields besides the other properties that are public, or have an annotation for their
   * name or default. Other fields are data that would be lost, unless {@link LostFields} says that
   * they are not.
   */
  private void addFields() throws IllegalAccessException {
    List<String> lost = new ArrayList<>();
    for (Map.Entry<String, Field> entry : fields.entrySet()) {
      Field field = entry.getValue();
      Marks marks = Marks.of(field);
      boolean isNamed = marks.isNamed() || marks.defaultText() != null;
      if (covered.contains(entry.getKey()) || !lostFields.contains(entry.getKey(), field)) {
        continue;
      }
      if (Modifier.isPublic(field.getModifiers())
          || Modifier.isFinal(field.getModifiers())
          || isNamed) {
        addField(entry.getKey(), field);
      } else {
        properties.ofField(entry.getKey(), field.getGenericType());
        lost.add(entry.getKey());
      }
    }
    if (!lost.isEmpty()) {
      throw properties.refused(
          "whose values of "
              + String.join(", ", lost)
              + " would be lost, because these fields have no getter with a setter; add them, or mark"
              + " each field with @Name(…) to use it itself, or with @Ignore; or use the fields of"
              + " all classes with Mappings.standard().withFields()");
    }
  }

  private boolean isIgnored(String name, List<Method> getters, List<Method> setters) {
    Marks marks = Marks.of(fields.get(name));
    for (Method getter : getters) {
      marks = marks.and(getter);
    }
    for (Method setter : setters) {
      marks = marks.and(setter);
    }
    return marks.isIgnored();
  }

  private void addField(String name, Field field) throws IllegalAccessException {
    if (!lostFields.contains(name, field)) {
      return;
    }
    if (Modifier.isFinal(field.getModifiers())) {
      throw properties.refused(
          "whose field "
              + name
              + " is final, so that only a constructor can set it, and "
              + ConstructorProperties.whyNot(properties)
              + "; or mark the field transient or with @Ignore");
    }
    Marks marks = Marks.of(field, field.getAnnotatedType());
    properties.add(
        new Properties.Member(name, field.getGenericType(), marks),
        properties.ofField(name, field.getGenericType()),
        properties.handles.getter(field),
        properties.handles.setter(field));
  }

  /**
   * The public methods that {@code naming} has a property's name for, in a deterministic order. If
   * a class specifies a type parameter, its method occurs twice: the second, with the erased type,
   * is a bridge.
   */
  private TreeMap<String, List<Method>> methods(Function<Method, String> naming) {
    TreeMap<String, List<Method>> methods = new TreeMap<>();
    // isName before getName, and a bridge after its target.
    Comparator<Method> order = Comparator.comparing(Method::getName).reversed();
    order = order.thenComparing(Method::isBridge).thenComparing(Method::toString);
    Arrays.stream(type.getMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()) && naming.apply(method) != null)
        .map(BeanProperties::behindBridge)
        .sorted(order)
        .forEach(
            method ->
                methods.computeIfAbsent(naming.apply(method), it -> new ArrayList<>()).add(method));
    return methods;
  }

  /**
   * The target of a bridge, if the bridge exists because the target's class is not public;
   * otherwise the method itself. Java gives no generic type and no annotations for a bridge.
   */
  private static Method behindBridge(Method method) {
    if (!method.isBridge() || hasMethodBesides(method)) {
      return method;
    }
    for (Class<?> above = method.getDeclaringClass().getSuperclass();
        above != null;
        above = above.getSuperclass()) {
      try {
        Method found = above.getDeclaredMethod(method.getName(), method.getParameterTypes());
        if (!found.isBridge() && found.getReturnType() == method.getReturnType()) {
          return found;
        }
      } catch (NoSuchMethodException e) {
        // A superclass declares the method.
      }
    }
    return method;
  }

  /** Whether the class of a bridge also declares the method itself, with a more specific type. */
  private static boolean hasMethodBesides(Method bridge) {
    return Arrays.stream(bridge.getDeclaringClass().getDeclaredMethods())
        .anyMatch(
            method ->
                !method.isBridge()
                    && method.getName().equals(bridge.getName())
                    && method.getParameterCount() == bridge.getParameterCount());
  }

  private void addMethods(String name, List<Method> getters, List<Method> setters)
      throws ReflectiveOperationException {
    for (Method getter : getters) {
      Method setter = getter.isBridge() ? null : setter(getter, getters, setters);
      if (setter != null) {
        Marks marks =
            Marks.of(getter, getter.getAnnotatedReturnType(), setter, setter.getParameters()[0])
                .and(fields.get(name));
        chosenGetters.add(getter);
        chosenSetters.add(setter);
        MethodHandle set = properties.handles.of(setter);
        properties.add(
            new Properties.Member(name, getter.getGenericReturnType(), marks),
            properties.getter(name, getter),
            set);
        return;
      }
    }
    throw Mapper.refused(
        properties.place + "." + name,
        "has the getter \""
            + getters.get(0).toGenericString()
            + "\" and the setter \""
            + setters.get(0).toGenericString()
            + "\"; give both the same type");
  }

  /** The setter for the type of a getter or of a bridge to it; null if there is none. */
  private static Method setter(Method getter, List<Method> getters, List<Method> setters) {
    for (Method same : getters) {
      for (Method setter : setters) {
        if (same.getName().equals(getter.getName())
            && setter.getParameterTypes()[0] == same.getReturnType()) {
          return setter;
        }
      }
    }
    return null;
  }

  /** The name of the property that a method gets, or null. */
  static String propertyName(Method method) {
    String name = method.getName();
    boolean isGetter =
        method.getParameterCount() == 0
            && method.getReturnType() != void.class
            && method.getDeclaringClass() != Object.class;
    if (isGetter && name.startsWith("get") && name.length() > 3) {
      return decapitalized(name.substring(3));
    }
    boolean isBoolean =
        method.getReturnType() == boolean.class || method.getReturnType() == Boolean.class;
    return isGetter && isBoolean && name.startsWith("is") && name.length() > 2
        ? decapitalized(name.substring(2))
        : null;
  }

  /** Follows {@code java.beans}: {@code name}, but {@code URL}. */
  static String decapitalized(String name) {
    boolean isAcronym =
        name.length() > 1
            && Character.isUpperCase(name.charAt(0))
            && Character.isUpperCase(name.charAt(1));
    return isAcronym ? name : Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }

  /** The name of the property that a method sets, or null. */
  private static String nameSet(Method method) {
    String name = method.getName();
    boolean isSetter =
        method.getParameterCount() == 1 && name.startsWith("set") && name.length() > 3;
    return isSetter ? decapitalized(name.substring(3)) : null;
  }
}
