package io.github.serow.internal.mapping;

import io.github.serow.SchemaException;
import io.github.serow.SerowException;
import io.github.serow.internal.scala.CaseClass;
import io.github.serow.internal.scala.ScalaNames;
import io.github.serow.internal.schema.ConstructionException;
import io.github.serow.internal.schema.LeftOut;
import io.github.serow.internal.schema.PropertyAnnotations;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Collects the properties of a class, and adapts the handles of its members to the types that
 * {@link ObjectMapping} has.
 */
final class PropertyCollector {
  /** Maximum parameters of a constructor; a long or a double counts as two. */
  private static final int MOST_SLOTS = 253;

  /**
   * A member of the class that may be a property.
   *
   * @param name its name in Java
   * @param type its type
   * @param annotations its annotations
   * @param getter reads it; its result has the class of the property
   */
  record Member(String name, BoundType type, PropertyAnnotations annotations, MethodHandle getter) {
    /** The same with more annotations. */
    Member and(AnnotatedElement... more) {
      return new Member(name, type, annotations.and(more), getter);
    }

    /** The class that passes through generated code. */
    Class<?> slot() {
      return isPrimitive(getter.type().returnType()) ? getter.type().returnType() : Object.class;
    }

    /** Whether the source says that it is never null. */
    private boolean isNeverNull() {
      return getter.type().returnType().isPrimitive()
          || annotations.isNeverNull()
          || type.resolved().nullness().isNeverNull() && !annotations.isNullable();
    }
  }

  final Class<?> type;
  final String place;
  final MemberHandles handles;
  private final Mapper mapper;

  /** What the type parameters of the class and its supertypes stand for. */
  private final Map<TypeVariable<?>, BoundType> parameters;

  private final List<ObjectMapping.Property> properties = new ArrayList<>();

  /** Begins without properties; {@code place} is where the class is, for errors. */
  PropertyCollector(
      Class<?> type,
      String place,
      MemberHandles handles,
      Mapper mapper,
      Map<TypeVariable<?>, BoundType> parameters) {
    this.type = type;
    this.place = place;
    this.handles = handles;
    this.mapper = mapper;
    this.parameters = parameters;
  }

  /** A type that is written in the class or in a superclass. */
  BoundType bind(Type of, Nullness nullness) {
    return new BoundType(of, nullness, parameters);
  }

  private Mapping map(String name, BoundType of) {
    return mapper.map(of, place + "." + name);
  }

  SchemaException refused(String why) {
    return Mapper.refused(place, "is of class " + type.getName() + ", " + why);
  }

  boolean isEmpty() {
    return properties.isEmpty();
  }

  /** Whether values of a type can be encoded. */
  boolean hasType(String name, BoundType of) {
    try {
      map(name, of);
      return true;
    } catch (SchemaException e) {
      return false;
    }
  }

  /** Adds a property that is a parameter of the constructor. */
  void add(Member member) {
    add(member, map(member.name, member.type), null);
  }

  /** Adds a property that a method of a builder sets. */
  void add(Member member, MethodHandle setter) {
    add(member, map(member.name, member.type), setter);
  }

  /**
   * Adds a property that is a field. It may be a helper, not data: only the author of the class
   * knows.
   *
   * @throws SchemaException if its class has no type; it also says how to leave out the field
   */
  void addField(Member member, MethodHandle setter) {
    Mapping mapping;
    try {
      mapping = map(member.name, member.type);
    } catch (SchemaException e) {
      String message = e.getMessage();
      if (message.contains("@Ignore")) {
        // The advice for a field inside this one.
        throw e;
      }
      throw new SchemaException(
          message + "; or mark the field transient or with @Ignore if it is no data");
    }
    add(member, mapping, setter);
  }

  private void add(Member member, Mapping of, MethodHandle setter) {
    String leftOut = LeftOut.why(member.name, member.annotations, member.type.raw(), type);
    if (leftOut != null) {
      throw refused(leftOut);
    }
    Mapping mapping = member.isNeverNull() || of.isOptional() ? of : new OptionalMapping(of);
    String text = member.annotations.defaultText();
    properties.add(
        new ObjectMapping.Property(
            member.annotations.name(member.name),
            member.annotations.formerNames(),
            member.slot(),
            mapping,
            member.getter,
            setter,
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

  /** The mapping of a class whose objects are made with the properties as arguments. */
  ObjectMapping madeByConstructor(MethodHandle constructor, int[] arguments) {
    return mapping(new ObjectMapping.Maker(constructor, arguments, false, null, false, true));
  }

  /**
   * The mapping of a class whose objects are made without arguments before their fields are set.
   */
  ObjectMapping madeByFields(MethodHandle constructor) {
    return mapping(new ObjectMapping.Maker(constructor, null, true, null, true, false));
  }

  /** The mapping of a class with a builder, whose last call is {@code build}. */
  ObjectMapping madeByBuilder(MethodHandle builder, MethodHandle build) {
    return mapping(new ObjectMapping.Maker(builder, null, true, build, false, true));
  }

  private ObjectMapping mapping(ObjectMapping.Maker maker) {
    PropertyAnnotations annotations = PropertyAnnotations.of(type);
    String simple = CaseClass.of(type) == null ? type.getSimpleName() : ScalaNames.of(type);
    String name = annotations.name(simple);
    // Objects of an abstract class are made by its builder.
    boolean hasSubclasses = Modifier.isAbstract(type.getModifiers());
    List<String> was = annotations.formerNames();
    ObjectMapping mapping =
        new ObjectMapping(type, hasSubclasses, name, was, properties, maker, handles.home(type));
    try {
      mapping.former().checked("property", mapping.type().names());
    } catch (SchemaException e) {
      throw refused("which " + e.getMessage());
    }
    return mapping;
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
              + ", where a long or a double counts as two); use a class with a constructor without"
              + " arguments");
    }
    return handles.of(constructor);
  }

  /**
   * The value of an ignored parameter of a constructor: its default, or else null, zero or false.
   */
  Object ignored(Member member, Class<?> parameter) {
    String text = member.annotations.defaultText();
    if (text == null) {
      return Array.get(Array.newInstance(parameter, 1), 0);
    }
    return fallback(member, text, map(member.name, member.type));
  }

  /** Whether values of a class pass through generated code as primitives. A char does not. */
  private static boolean isPrimitive(Class<?> property) {
    return property.isPrimitive() && property != char.class;
  }
}
