package io.github.serow.mapping;

import io.github.serow.SchemaException;
import io.github.serow.SerowException;
import io.github.serow.schema.ConstructionException;
import io.github.serow.schema.FieldReadException;
import io.github.serow.schema.Mapping;
import io.github.serow.schema.Marks;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;

/**
 * Collects the properties of a class, and adapts the handles of its members to the types that
 * {@link ObjectMapping} has.
 */
final class Properties {
  /** Maximum parameters of a constructor; a long or a double counts as two. */
  private static final int MOST_SLOTS = 253;

  private static final MethodHandle FAILED =
      handler("fail", Exception.class, Object.class, String.class, boolean.class);
  private static final MethodHandle GETTER_FAILED =
      handler("failGetter", Exception.class, String.class);

  final Class<?> type;
  final String place;
  final MemberHandles handles;

  /** Whether a bean's properties are its fields, whatever methods it has. */
  final boolean areFields;

  private final BiFunction<String, Type, Mapping> mapper;

  /** The identity of this place for the exceptions of the handles. */
  private final Object site = new Object();

  private final List<ObjectMapping.Property> properties = new ArrayList<>();

  /**
   * Begins without properties.
   *
   * @param place where the class is, for errors
   * @param areFields whether a bean's properties are its fields, whatever methods it has
   * @param mapper gives the mapping of a property of this name and type
   */
  Properties(
      Class<?> type,
      String place,
      MemberHandles handles,
      boolean areFields,
      BiFunction<String, Type, Mapping> mapper) {
    this.type = type;
    this.place = place;
    this.handles = handles;
    this.areFields = areFields;
    this.mapper = mapper;
  }

  /**
   * A member of the class that may be a property.
   *
   * @param name its name in Java
   * @param type its type
   * @param marks its annotations
   */
  record Member(String name, Type type, Marks marks) {}

  SchemaException refused(String why) {
    return Mapper.refused(place, "is of class " + type.getName() + ", " + why);
  }

  boolean isEmpty() {
    return properties.isEmpty();
  }

  /** Whether values of a type can be encoded. */
  boolean hasType(String name, Type of) {
    try {
      mapper.apply(name, of);
      return true;
    } catch (SchemaException e) {
      return false;
    }
  }

  /**
   * The mapping of a field that may be a helper, not data: only the author of the class knows.
   *
   * @throws SchemaException if its class has no type; it also says how to leave out the field
   */
  Mapping ofField(String name, Type of) {
    checkNotInside(name);
    try {
      return mapper.apply(name, of);
    } catch (SchemaException e) {
      String message = e.getMessage();
      if (message.contains("@Ignore")) {
        // The advice for a field inside this one.
        throw e;
      }
      throw new SchemaException(
          message + "; or mark the field transient or with @Ignore if it is no data");
    }
  }

  /** Adds a property. {@code setter} is null for a parameter of the constructor. */
  void add(Member member, MethodHandle getter, MethodHandle setter) {
    add(member, mapper.apply(member.name, member.type), getter, setter);
  }

  /** Refuses a property whose field has not the type that Kotlin's source says. */
  private void checkNotInside(String name) {
    if (KotlinValues.isInside(type, name)) {
      throw Mapper.refused(
          place + "." + name,
          "is of a value class of Kotlin's, such as UInt or Duration, so that only the number or"
              + " text inside it is known; declare it as Long, java.time.Duration or another plain"
              + " class, or register a converter for "
              + type.getSimpleName()
              + " with Mappings.standard().withConverter");
    }
  }

  /** Adds a property with its mapping, which does not include null yet. */
  void add(Member member, Mapping of, MethodHandle getter, MethodHandle setter) {
    checkNotInside(member.name);
    Class<?> property = getter.type().returnType();
    Mapping mapping = of;
    boolean mayBeNull = !property.isPrimitive() && !member.marks.isNeverNull();
    if (mayBeNull && !mapping.isOptional()) {
      mapping = new OptionalMapping(mapping);
    }
    MethodHandle set = null;
    if (setter != null) {
      set = guarded(setter.asType(setter.type().changeReturnType(void.class)), member.name, false);
    }
    String text = member.marks.defaultText();
    properties.add(
        new ObjectMapping.Property(
            member.marks.name(member.name),
            member.marks.formerNames(),
            isPrimitive(property) ? property : Object.class,
            mapping,
            getter.asType(MethodType.methodType(slot(property), Object.class)),
            set,
            text == null ? null : fallback(member, text, mapping)));
  }

  /** The value of a property's default. */
  private Object fallback(Member member, String text, Mapping mapping) {
    try {
      return mapping.ofDefault(text);
    } catch (SerowException e) {
      throw wrongDefault(member, text, e.getMessage());
    } catch (ConstructionException e) {
      throw wrongDefault(member, text, "its converter refuses: " + e.getCause());
    }
  }

  private SchemaException wrongDefault(Member member, String text, String why) {
    return Mapper.refused(
        place + "." + member.name, "has the default \"" + text + "\", which " + why);
  }

  /** A getter as a handle. What it throws names the property. */
  MethodHandle getter(String property, Method method) throws IllegalAccessException {
    MethodHandle get = handles.of(method);
    if (method.getExceptionTypes().length == 0) {
      return get;
    }
    MethodHandle handler = MethodHandles.insertArguments(GETTER_FAILED, 1, property);
    handler = handler.asType(handler.type().changeReturnType(get.type().returnType()));
    return MethodHandles.catchException(get, Exception.class, handler);
  }

  /**
   * The mapping of a class whose objects are made with the properties as arguments.
   *
   * @param isKeeping whether the object is proved to keep what it gets
   */
  ObjectMapping madeByConstructor(String name, MethodHandle constructor, boolean isKeeping) {
    return mapping(
        name, properties, new ObjectMapping.Maker(constructor, false, null, false), isKeeping);
  }

  /** The mapping of a class whose objects are made without arguments, and then set. */
  ObjectMapping madeBySetters(String name, MethodHandle constructor, boolean isKeeping) {
    return withInitialValues(
        name, new ObjectMapping.Maker(constructor, true, null, true), isKeeping);
  }

  /** The mapping of a class with a builder, whose last call is {@code build}. */
  ObjectMapping madeByBuilder(String name, MethodHandle builder, MethodHandle build) {
    MethodHandle finish = guarded(build, null, false);
    return withInitialValues(name, new ObjectMapping.Maker(builder, true, finish, false), false);
  }

  private ObjectMapping mapping(
      String name, List<ObjectMapping.Property> all, ObjectMapping.Maker maker, boolean isKeeping) {
    List<String> was = Marks.of(type).formerNames();
    ObjectMapping plain = new ObjectMapping(type, name, was, all, maker, site);
    try {
      plain.former().checked("property", plain.names().fields);
    } catch (SchemaException e) {
      throw refused("which " + e.getMessage());
    }
    return isKeeping ? plain : CheckedMaker.of(plain);
  }

  /**
   * The mapping of a class whose new objects already have values. These are the defaults of
   * properties without another default, unless two new objects differ, as in a random id.
   */
  private ObjectMapping withInitialValues(
      String name, ObjectMapping.Maker maker, boolean isKeeping) {
    List<ObjectMapping.Property> completed = new ArrayList<>(properties);
    try {
      Object first = newObject(maker);
      Object second = newObject(maker);
      for (int i = 0; i < completed.size(); i++) {
        ObjectMapping.Property property = completed.get(i);
        if (property.fallback() == null) {
          Object value = property.getter().invoke(first);
          boolean isAlways = Objects.deepEquals(value, property.getter().invoke(second));
          completed.set(i, property.withFallback(isAlways ? value : null));
        }
      }
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Throwable e) {
      // Without its properties there is no object, so nothing has a value before it is set.
      completed = properties;
    }
    return mapping(name, completed, maker, isKeeping);
  }

  private static Object newObject(ObjectMapping.Maker maker) throws Throwable {
    Object made = maker.constructor().invoke();
    return maker.build() == null ? made : maker.build().invoke(made);
  }

  /** The constructor as a handle that {@link ObjectMapping} can use. */
  MethodHandle constructor(Constructor<?> constructor) throws IllegalAccessException {
    Class<?>[] parameters = constructor.getParameterTypes();
    int slots =
        Arrays.stream(parameters)
            .mapToInt(it -> it == long.class || it == double.class ? 2 : 1)
            .sum();
    if (slots > MOST_SLOTS) {
      throw refused(
          "whose constructor has too many parameters for a method handle (at most "
              + MOST_SLOTS
              + ", where a long or a double counts as two); use a bean");
    }
    return guarded(handles.of(constructor), null, parameters.length == 0);
  }

  /** A handle without arguments that makes a builder. */
  MethodHandle beginning(Method method) throws IllegalAccessException {
    return guarded(handles.of(method), null, true);
  }

  /**
   * The value of an ignored parameter of a constructor: its default, or else null, zero or false.
   */
  Object ignored(Member member, Class<?> parameter) {
    String text = member.marks.defaultText();
    if (text == null) {
      return Array.get(Array.newInstance(parameter, 1), 0);
    }
    return fallback(member, text, mapper.apply(member.name, member.type));
  }

  /** Whether values of a class pass through generated code as primitives. A char does not. */
  private static boolean isPrimitive(Class<?> property) {
    return property.isPrimitive() && property != char.class;
  }

  /** The class that a property is read as: the widest of its kind. */
  private static Class<?> slot(Class<?> property) {
    if (!isPrimitive(property)) {
      return Object.class;
    }
    if (property == boolean.class) {
      return boolean.class;
    }
    return property == double.class || property == float.class ? double.class : long.class;
  }

  /**
   * Adapts a handle: types that are not primitive become {@code Object}, variable arguments become
   * an array, and exceptions become {@link ConstructionException}.
   */
  private MethodHandle guarded(MethodHandle method, String property, boolean isBeforeParts) {
    MethodHandle handle = method.asFixedArity();
    MethodType generic = handle.type();
    for (int i = 0; i < generic.parameterCount(); i++) {
      if (!isPrimitive(generic.parameterType(i))) {
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
