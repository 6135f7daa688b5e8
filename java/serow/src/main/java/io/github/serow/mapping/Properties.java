package io.github.serow.mapping;

import io.github.serow.SerowException;
import io.github.serow.scala.CaseClass;
import io.github.serow.scala.ScalaNames;
import io.github.serow.scala.ScalaTypes;
import io.github.serow.schema.ConstructionException;
import io.github.serow.schema.FieldReadException;
import io.github.serow.schema.Mapping;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The components of a record, the fields of a case class, or the properties of a bean, with their
 * getters and setters.
 *
 * <p>A property of a bean has a public getter, {@code getName} or {@code isName}, and a public
 * setter of the same type. If all its setters have other types, the class is refused, because the
 * property would be lost. Java does not define an order of methods, so properties are ordered by
 * name.
 */
public final class Properties {
  /** Annotations of any library that mark a property as never null. */
  private static final Set<String> NEVER_NULL = Set.of("NonNull", "NotNull", "Nonnull");

  /** Maximum parameters of a constructor; a long or a double counts as two. */
  private static final int MOST_SLOTS = 253;

  private static final MethodHandle FAILED =
      handler("fail", Exception.class, Object.class, String.class, boolean.class);
  private static final MethodHandle GETTER_FAILED =
      handler("failGetter", Exception.class, String.class);

  private final Class<?> type;
  private final String place;
  private final BiFunction<String, Type, Mapping> mapper;

  /** The identity of this place for the exceptions of the handles. */
  private final Object site = new Object();

  private final List<ObjectMapping.Property> properties = new ArrayList<>();

  /**
   * Inspects a class.
   *
   * @param place where it is, for errors
   * @param mapper gives the mapping of a property of this name and type
   */
  Properties(Class<?> type, String place, BiFunction<String, Type, Mapping> mapper) {
    this.type = type;
    this.place = place;
    this.mapper = mapper;
  }

  /** The mapping of the class. */
  ObjectMapping mapping() {
    try {
      if (type.isRecord()) {
        return ofRecord();
      }
      CaseClass caseClass = CaseClass.of(type);
      return caseClass != null ? ofCaseClass(caseClass) : ofBean();
    } catch (ReflectiveOperationException | RuntimeException e) {
      if (e instanceof SerowException ours) {
        throw ours;
      }
      throw Mapper.refused(
          place, "is of a class that can't be used (" + e + "); is its package open to serow?");
    }
  }

  private ObjectMapping ofRecord() throws ReflectiveOperationException {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    for (int i = 0; i < components.length; i++) {
      RecordComponent component = components[i];
      types[i] = component.getType();
      boolean mayBeNull =
          !types[i].isPrimitive()
              && !isNeverNull(component)
              && !isNeverNull(component.getAnnotatedType());
      add(
          component.getName(),
          component.getGenericType(),
          MethodHandles.lookup().unreflect(accessible(component.getAccessor())),
          null,
          mayBeNull);
    }
    MethodHandle handle = constructor(type.getDeclaredConstructor(types), false);
    return new ObjectMapping(type, type.getSimpleName(), properties, handle, site);
  }

  private ObjectMapping ofCaseClass(CaseClass of) throws ReflectiveOperationException {
    if (of.isInner()) {
      throw Mapper.refused(
          place,
          "is of case class "
              + type.getName()
              + ", which needs an enclosing instance; move it out of that class");
    }
    if (type.getName().endsWith("$")) {
      throw Mapper.refused(
          place,
          "is a Scala object, which has only one value; use a case class or an enum of Java's");
    }
    List<Type> types = ScalaTypes.of(of);
    Parameter[] parameters = of.constructor().getParameters();
    for (int i = 0; i < parameters.length; i++) {
      Field field = accessible(of.fields().get(i));
      boolean mayBeNull = !field.getType().isPrimitive() && !isNeverNull(parameters[i]);
      MethodHandle getter = MethodHandles.lookup().unreflectGetter(field);
      add(of.names().get(i), types.get(i), getter, null, mayBeNull);
    }
    MethodHandle handle = constructor(of.constructor(), false);
    return new ObjectMapping(type, ScalaNames.of(type), properties, handle, site);
  }

  private ObjectMapping ofBean() throws ReflectiveOperationException {
    Constructor<?> constructor;
    try {
      constructor = type.getDeclaredConstructor();
    } catch (NoSuchMethodException e) {
      throw Mapper.refused(
          place,
          "is of class "
              + type.getName()
              + ", which is not a record and has no constructor without arguments");
    }
    TreeMap<String, List<Method>> getters = methods(Properties::propertyName);
    TreeMap<String, List<Method>> setters = methods(Properties::nameSet);
    for (String name : getters.keySet()) {
      List<Method> all = setters.getOrDefault(name, List.of());
      if (!all.isEmpty()) {
        addProperty(name, getters.get(name), all);
      }
    }
    if (properties.isEmpty()) {
      throw Mapper.refused(
          place,
          "is of class "
              + type.getName()
              + ", which is not a record and has no property with a public getter and setter");
    }
    return new ObjectMapping(
        type, type.getSimpleName(), properties, constructor(constructor, true), site);
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
        .map(Properties::behindBridge)
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

  private void addProperty(String name, List<Method> getters, List<Method> setters)
      throws ReflectiveOperationException {
    for (Method getter : getters) {
      Method setter = getter.isBridge() ? null : setter(getter, getters, setters);
      if (setter != null) {
        boolean mayBeNull =
            !getter.getReturnType().isPrimitive()
                && !isNeverNull(getter)
                && !isNeverNull(getter.getAnnotatedReturnType());
        MethodHandle get = MethodHandles.lookup().unreflect(accessible(getter));
        if (getter.getExceptionTypes().length > 0) {
          MethodHandle handler = MethodHandles.insertArguments(GETTER_FAILED, 1, name);
          handler = handler.asType(handler.type().changeReturnType(get.type().returnType()));
          get = MethodHandles.catchException(get, Exception.class, handler);
        }
        add(name, getter.getGenericReturnType(), get, setter, mayBeNull);
        return;
      }
    }
    throw Mapper.refused(
        place + "." + name,
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
  private static String propertyName(Method method) {
    String name = method.getName();
    boolean isGetter =
        method.getParameterCount() == 0
            && method.getReturnType() != void.class
            && method.getDeclaringClass() != Object.class;
    if (isGetter && name.startsWith("get") && name.length() > 3) {
      return decapitalized(name.substring(3));
    }
    boolean isBoolean = method.getReturnType() == boolean.class;
    return isGetter && isBoolean && name.startsWith("is") && name.length() > 2
        ? decapitalized(name.substring(2))
        : null;
  }

  /** Follows {@code java.beans}: {@code name}, but {@code URL}. */
  private static String decapitalized(String name) {
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

  private void add(String name, Type generic, MethodHandle getter, Method setter, boolean mayBeNull)
      throws ReflectiveOperationException {
    Class<?> property = getter.type().returnType();
    Mapping mapping = mapper.apply(name, generic);
    if (mayBeNull && !mapping.isOptional()) {
      mapping = new OptionalMapping(mapping, false);
    }
    MethodHandle set = null;
    if (setter != null) {
      MethodHandle handle = MethodHandles.lookup().unreflect(accessible(setter));
      set = guarded(handle.asType(handle.type().changeReturnType(void.class)), name, false);
    }
    properties.add(
        new ObjectMapping.Property(
            name,
            property,
            mapping,
            getter.asType(MethodType.methodType(slot(property), Object.class)),
            set));
  }

  /** The class that a property is read as: the widest of its kind. */
  private static Class<?> slot(Class<?> property) {
    if (property == boolean.class || !property.isPrimitive()) {
      return property.isPrimitive() ? property : Object.class;
    }
    return property == double.class || property == float.class ? double.class : long.class;
  }

  private static boolean isNeverNull(AnnotatedElement element) {
    return Arrays.stream(element.getAnnotations())
        .anyMatch(it -> NEVER_NULL.contains(it.annotationType().getSimpleName()));
  }

  private static <T extends AccessibleObject> T accessible(T member) {
    member.setAccessible(true);
    return member;
  }

  private MethodHandle constructor(Constructor<?> constructor, boolean isOfBean)
      throws IllegalAccessException {
    int slots =
        Arrays.stream(constructor.getParameterTypes())
            .mapToInt(it -> it == long.class || it == double.class ? 2 : 1)
            .sum();
    if (slots > MOST_SLOTS) {
      throw Mapper.refused(
          place,
          "is of "
              + type.getName()
              + ", whose constructor has too many parameters for a method handle (at most "
              + MOST_SLOTS
              + ", where a long or a double counts as two); use a bean");
    }
    return guarded(
        MethodHandles.lookup().unreflectConstructor(accessible(constructor)), null, isOfBean);
  }

  /**
   * Adapts a handle: types that are not primitive become {@code Object}, variable arguments become
   * an array, and exceptions become {@link ConstructionException}.
   */
  private MethodHandle guarded(MethodHandle method, String property, boolean isBeforeParts) {
    MethodHandle handle = method.asFixedArity();
    MethodType generic = handle.type();
    for (int i = 0; i < generic.parameterCount(); i++) {
      if (!generic.parameterType(i).isPrimitive()) {
        generic = generic.changeParameterType(i, Object.class);
      }
    }
    if (generic.returnType() != void.class) {
      generic = generic.changeReturnType(Object.class);
    }
    MethodHandle handler = MethodHandles.insertArguments(FAILED, 1, site, property, isBeforeParts);
    handler = handler.asType(handler.type().changeReturnType(generic.returnType()));
    return MethodHandles.catchException(handle.asType(generic), Exception.class, handler);
  }

  private static Object fail(Exception e, Object site, String property, boolean isBeforeParts) {
    throw new ConstructionException(site, property, isBeforeParts, e);
  }

  /** Wraps checked exceptions, because generated code declares none. */
  private static Object failGetter(Exception e, String property) {
    throw new FieldReadException(property, e);
  }

  private static MethodHandle handler(String name, Class<?>... parameters) {
    try {
      MethodType type = MethodType.methodType(Object.class, parameters);
      return MethodHandles.lookup().findStatic(Properties.class, name, type);
    } catch (ReflectiveOperationException e) {
      throw new SerowException("serow can't find its own method; please report it", e);
    }
  }
}
