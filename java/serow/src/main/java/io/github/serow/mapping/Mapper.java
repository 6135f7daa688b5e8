package io.github.serow.mapping;

import io.github.serow.EnumMember;
import io.github.serow.FrozenSet;
import io.github.serow.Row;
import io.github.serow.SchemaException;
import io.github.serow.scala.ScalaTypes;
import io.github.serow.schema.Limits;
import io.github.serow.schema.Mapping;
import io.github.serow.types.TypeCodes;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Maps Java types to types of a schema. Generic signatures give the element types of lists and
 * maps. A type without them, such as a raw {@code List}, is an error that names the place.
 */
public final class Mapper {
  /** A type with the types that its type parameters stand for. */
  private record Use(Type type, Map<TypeVariable<?>, Use> parameters) {}

  /** The classes of list properties; a decoded list is an instance of each of them. */
  private static final Set<Class<?>> LISTS = Set.of(List.class, Collection.class, ArrayList.class);

  private static final Set<Class<?>> SETS = Set.of(Set.class, HashSet.class, LinkedHashSet.class);
  private static final Set<Class<?>> MAPS = Set.of(Map.class, HashMap.class, LinkedHashMap.class);

  private static final Pattern OF_JDK = Pattern.compile("javax?\\.");

  /** Maximum length of a type's text. A type that grows at each level has no end. */
  private static final int MOST_TEXT = 1 << 16;

  private static final Map<Class<?>, String> ADVICE =
      Map.of(
          char.class, "use String",
          Character.class, "use String",
          Object.class, "name its class; for rows of any type use Codec.ofAny",
          java.util.Date.class, "use java.time.Instant",
          Row.class, "use a record with its fields",
          EnumMember.class, "use an enum with its constants");

  /** The texts of the classes around the current place. */
  private final Deque<String> within = new ArrayDeque<>();

  private Mapper() {}

  /**
   * The mapping of {@code type}.
   *
   * @throws SchemaException if the type, or a part of it, has no type in a schema
   */
  public static Mapping of(Class<?> type) {
    return new Mapper().map(new Use(type, Map.of()), type.getSimpleName());
  }

  private Mapping map(Use use, String place) {
    if (use.type instanceof TypeVariable<?> parameter) {
      Use stands = use.parameters.get(parameter);
      if (stands == null) {
        throw refused(place, "is of type parameter " + parameter + ", which has no argument here");
      }
      return map(stands, place);
    }
    if (use.type instanceof WildcardType wildcard) {
      return map(new Use(wildcard.getUpperBounds()[0], use.parameters), place);
    }
    if (use.type instanceof GenericArrayType array) {
      Use element = new Use(array.getGenericComponentType(), use.parameters);
      Class<?> type = rawClass(element, place).arrayType();
      return new ElementsMapping(TypeCodes.LIST, type, map(element, place + "[]"));
    }
    if (use.type instanceof ParameterizedType type) {
      return map((Class<?>) type.getRawType(), uses(type, use.parameters), place);
    }
    if (use.type == ScalaTypes.LOST) {
      throw refused(
          place,
          "has a type that the class file lacks, because it is an Object for Java; use a class of"
              + " Java's, such as java.lang.Long for Long, or no alias for the type");
    }
    return map((Class<?>) use.type, List.of(), place);
  }

  private static Class<?> rawClass(Use use, String place) {
    if (use.type instanceof TypeVariable<?> parameter && use.parameters.containsKey(parameter)) {
      return rawClass(use.parameters.get(parameter), place);
    }
    if (use.type instanceof ParameterizedType type) {
      return (Class<?>) type.getRawType();
    }
    if (use.type instanceof Class<?> type) {
      return type;
    }
    throw refused(place, "is an array of " + use.type + ", which is unknown here");
  }

  private Mapping map(Class<?> type, List<Use> arguments, String place) {
    ScalarMapping scalar = ScalarMapping.of(type);
    if (scalar != null) {
      return scalar;
    }
    if (type.isArray()) {
      Use element = new Use(type.getComponentType(), Map.of());
      return new ElementsMapping(TypeCodes.LIST, type, map(element, place + "[]"));
    }
    if (type.isEnum() && type.getEnumConstants().length > 0) {
      return new EnumMapping(type);
    }
    if (type == Optional.class) {
      return new OptionalMapping(present(argument(type, arguments, 0, place), place), true);
    }
    if (LISTS.contains(type)) {
      return new ElementsMapping(TypeCodes.LIST, type, argument(type, arguments, 0, place));
    }
    if (SETS.contains(type) || type == FrozenSet.class) {
      int code = type == FrozenSet.class ? TypeCodes.FROZENSET : TypeCodes.SET;
      Mapping element = argument(type, arguments, 0, place);
      return new ElementsMapping(code, type, fixed(element, place));
    }
    if (MAPS.contains(type)) {
      Mapping key = argument(type, arguments, 0, place);
      return new MapMapping(fixed(key, place), argument(type, arguments, 1, place));
    }
    if (ScalaMapper.isOfLibrary(type)) {
      return ScalaMapper.of(
          type, place, arguments.size(), i -> map(arguments.get(i), place + "<" + i + ">"));
    }
    return object(type, arguments, place);
  }

  private Mapping argument(Class<?> type, List<Use> arguments, int i, String place) {
    if (arguments.isEmpty()) {
      String name = type.getSimpleName();
      String example = MAPS.contains(type) ? name + "<String, Long>" : name + "<String>";
      throw refused(
          place,
          "is a " + name + " without the type of its elements; write, for example, " + example);
    }
    return map(arguments.get(i), place + "<" + i + ">");
  }

  /** Checks the content of an option: a null inside it would equal an empty option. */
  static Mapping present(Mapping value, String place) {
    if (value.isOptional()) {
      throw refused(place, "is an option of an option; use a single option");
    }
    return value;
  }

  static Mapping fixed(Mapping element, String place) {
    if (!element.isFixed()) {
      throw refused(place, "has mutable elements or keys, which can't be hashed; use records");
    }
    return element;
  }

  private Mapping object(Class<?> type, List<Use> arguments, String place) {
    StringBuilder written = new StringBuilder();
    text(type, arguments, written);
    String text = written.toString();
    boolean isTooLarge = within.size() > Limits.MAX_DEPTH || text.length() > MOST_TEXT;
    if (within.contains(text) || isTooLarge) {
      throw refused(
          place, "is inside " + type.getSimpleName() + " itself; a schema can't be recursive");
    }
    boolean isOfNoJdk =
        type.getClassLoader() != null && !OF_JDK.matcher(type.getName()).lookingAt();
    boolean isConcrete = !type.isInterface() && !Modifier.isAbstract(type.getModifiers());
    if (!isOfNoJdk || !isConcrete || type.isEnum() || ADVICE.containsKey(type)) {
      String advice = ADVICE.get(type);
      throw refused(
          place,
          "is of class "
              + type.getName()
              + ", which has no type"
              + (advice == null ? "" : "; " + advice));
    }
    Map<TypeVariable<?>, Use> parameters = parameters(type, arguments);
    within.push(text);
    try {
      Properties properties =
          new Properties(
              type,
              place,
              (name, property) -> map(new Use(property, parameters), place + "." + name));
      return properties.mapping();
    } finally {
      within.pop();
    }
  }

  /** Appends a type with its type arguments, until the text is too long. */
  private static void text(Class<?> type, List<Use> arguments, StringBuilder text) {
    text.append(type.getName());
    for (Use argument : arguments) {
      text.append('<');
      text(argument, text);
      text.append('>');
    }
  }

  private static void text(Use use, StringBuilder text) {
    if (text.length() > MOST_TEXT) {
      return;
    }
    if (use.type instanceof TypeVariable<?> parameter && use.parameters.containsKey(parameter)) {
      text(use.parameters.get(parameter), text);
    } else if (use.type instanceof ParameterizedType type) {
      text((Class<?>) type.getRawType(), uses(type, use.parameters), text);
    } else {
      text.append(use.type.getTypeName());
    }
  }

  private static List<Use> uses(ParameterizedType type, Map<TypeVariable<?>, Use> parameters) {
    List<Use> uses = new ArrayList<>();
    for (Type argument : type.getActualTypeArguments()) {
      uses.add(new Use(argument, parameters));
    }
    return uses;
  }

  /** The types that the type parameters of a class and of its superclasses stand for. */
  private static Map<TypeVariable<?>, Use> parameters(Class<?> type, List<Use> arguments) {
    Map<TypeVariable<?>, Use> parameters = new HashMap<>();
    TypeVariable<?>[] own = type.getTypeParameters();
    for (int i = 0; i < arguments.size(); i++) {
      parameters.put(own[i], arguments.get(i));
    }
    Class<?> at = type;
    while (at != null && at.getGenericSuperclass() != null) {
      if (at.getGenericSuperclass() instanceof ParameterizedType parent) {
        TypeVariable<?>[] names = ((Class<?>) parent.getRawType()).getTypeParameters();
        for (int i = 0; i < names.length; i++) {
          parameters.put(names[i], new Use(parent.getActualTypeArguments()[i], parameters));
        }
      }
      at = at.getSuperclass();
    }
    return parameters;
  }

  static SchemaException refused(String place, String why) {
    return new SchemaException(place + " " + why);
  }
}
