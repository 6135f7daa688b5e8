package io.github.serow;

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
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * The components of a record, the fields of a case class, or the properties of a bean, and how they
 * are read and written.
 *
 * <p>A bean's properties are those that have a public getter, {@code getName} or {@code isName},
 * and a public setter of the same type. Java does not promise their order, so it is that of their
 * names.
 */
final class Properties {
  /** What says that a property is never null, whichever library it is of. */
  private static final Set<String> NEVER_NULL = Set.of("NonNull", "NotNull", "Nonnull");

  private static final MethodHandle FAILED = failed();

  private final Class<?> type;
  private final String place;
  private final BiFunction<String, Type, Mapped> mapper;
  private final List<MappedObject.Property> properties = new ArrayList<>();

  /**
   * Those of a class.
   *
   * @param place where it is, for errors
   * @param mapper says what a property of this name and type is
   */
  Properties(Class<?> type, String place, BiFunction<String, Type, Mapped> mapper) {
    this.type = type;
    this.place = place;
    this.mapper = mapper;
  }

  /** What the class is. */
  MappedObject mapped() {
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

  private MappedObject ofRecord() throws ReflectiveOperationException {
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
    Constructor<?> constructor = accessible(type.getDeclaredConstructor(types));
    MethodHandle handle = MethodHandles.lookup().unreflectConstructor(constructor);
    return new MappedObject(type, type.getSimpleName(), properties, guarded(handle));
  }

  private MappedObject ofCaseClass(CaseClass of) throws ReflectiveOperationException {
    if (of.isInner()) {
      throw Mapper.refused(
          place,
          "is of case class "
              + type.getName()
              + ", which is within an object that nobody knows; move it out of the class around it");
    }
    if (type.getName().endsWith("$")) {
      throw Mapper.refused(
          place, "is an object, of which there is only one; use a case class or an enum of Java's");
    }
    List<Type> types = ScalaTypes.of(of);
    Parameter[] parameters = of.constructor().getParameters();
    for (int i = 0; i < parameters.length; i++) {
      Field field = accessible(of.fields().get(i));
      boolean mayBeNull = !field.getType().isPrimitive() && !isNeverNull(parameters[i]);
      MethodHandle getter = MethodHandles.lookup().unreflectGetter(field);
      add(of.names().get(i), types.get(i), getter, null, mayBeNull);
    }
    MethodHandle handle = MethodHandles.lookup().unreflectConstructor(accessible(of.constructor()));
    return new MappedObject(type, ScalaNames.of(type), properties, guarded(handle));
  }

  private MappedObject ofBean() throws ReflectiveOperationException {
    Constructor<?> constructor;
    try {
      constructor = accessible(type.getDeclaredConstructor());
    } catch (NoSuchMethodException e) {
      throw Mapper.refused(
          place,
          "is of class "
              + type.getName()
              + ", which is no record and has no constructor without arguments");
    }
    TreeMap<String, Method> getters = new TreeMap<>();
    for (Method method : type.getMethods()) {
      String name = propertyName(method);
      // Of methods that differ in their result alone, the one that is no bridge counts.
      if (name != null && !method.isBridge()) {
        getters.put(name, method);
      }
    }
    for (String name : getters.keySet()) {
      Method getter = getters.get(name);
      Method setter = setter(name, getter);
      if (setter != null) {
        boolean mayBeNull =
            !getter.getReturnType().isPrimitive()
                && !isNeverNull(getter)
                && !isNeverNull(getter.getAnnotatedReturnType());
        MethodHandle get = MethodHandles.lookup().unreflect(accessible(getter));
        add(name, getter.getGenericReturnType(), get, setter, mayBeNull);
      }
    }
    if (properties.isEmpty()) {
      throw Mapper.refused(
          place,
          "is of class "
              + type.getName()
              + ", which is no record and has no property with a public getter and setter");
    }
    MethodHandle handle = MethodHandles.lookup().unreflectConstructor(constructor);
    return new MappedObject(type, type.getSimpleName(), properties, guarded(handle));
  }

  /** The name of the property that a method gets, or null. */
  private static String propertyName(Method method) {
    String name = method.getName();
    boolean isGetter =
        method.getParameterCount() == 0
            && !Modifier.isStatic(method.getModifiers())
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

  /** As {@code java.beans} has it: {@code name}, but {@code URL}. */
  private static String decapitalized(String name) {
    boolean isAcronym =
        name.length() > 1
            && Character.isUpperCase(name.charAt(0))
            && Character.isUpperCase(name.charAt(1));
    return isAcronym ? name : Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }

  private Method setter(String name, Method getter) {
    String setter = "set" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
    return Arrays.stream(type.getMethods())
        .filter(
            method ->
                method.getName().equals(setter)
                    && !method.isBridge()
                    && !Modifier.isStatic(method.getModifiers())
                    && Arrays.equals(
                        method.getParameterTypes(), new Class<?>[] {getter.getReturnType()}))
        .findFirst()
        .orElse(null);
  }

  private void add(String name, Type generic, MethodHandle getter, Method setter, boolean mayBeNull)
      throws ReflectiveOperationException {
    Class<?> property = getter.type().returnType();
    Mapped mapped = mapper.apply(name, generic);
    if (mayBeNull && !mapped.isOptional()) {
      mapped = new MappedOptional(mapped, false);
    }
    MethodHandle set = null;
    if (setter != null) {
      MethodHandle handle = MethodHandles.lookup().unreflect(accessible(setter));
      set = guarded(handle.asType(handle.type().changeReturnType(void.class)));
    }
    properties.add(
        new MappedObject.Property(
            name,
            property,
            mapped,
            getter.asType(MethodType.methodType(slot(property), Object.class)),
            set));
  }

  /** What a property is read as: the widest of its kind. */
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

  /**
   * With objects for all that is not primitive, and a {@link DecodeException} for what it throws.
   */
  private static MethodHandle guarded(MethodHandle handle) {
    MethodType generic = handle.type();
    for (int i = 0; i < generic.parameterCount(); i++) {
      if (!generic.parameterType(i).isPrimitive()) {
        generic = generic.changeParameterType(i, Object.class);
      }
    }
    if (generic.returnType() != void.class) {
      generic = generic.changeReturnType(Object.class);
    }
    MethodHandle handler = FAILED.asType(FAILED.type().changeReturnType(generic.returnType()));
    return MethodHandles.catchException(handle.asType(generic), Exception.class, handler);
  }

  private static Object fail(Exception e) {
    throw MappedObject.failed(e);
  }

  private static MethodHandle failed() {
    try {
      return MethodHandles.lookup()
          .findStatic(
              Properties.class, "fail", MethodType.methodType(Object.class, Exception.class));
    } catch (ReflectiveOperationException e) {
      throw new SerowException("serow does not find its own method; please report it", e);
    }
  }
}
