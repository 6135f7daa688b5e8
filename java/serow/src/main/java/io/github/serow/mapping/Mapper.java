package io.github.serow.mapping;

import io.github.serow.SchemaException;
import io.github.serow.scala.ScalaTypes;
import io.github.serow.schema.Mapping;
import io.github.serow.types.TypeCodes;
import io.github.serow.wire.Limits;
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

  private static final Pattern OF_JDK = Pattern.compile("javax?\\.");

  /** Maximum length of a type's text. A type that grows at each level has no end. */
  private static final int MOST_TEXT = 1 << 16;

  /** The texts of the classes around the current place. */
  private final Deque<String> within = new ArrayDeque<>();

  /** The classes whose converters are around the current place. */
  private final Deque<Class<?>> converting = new ArrayDeque<>();

  private final MapperOptions options;
  private final MemberHandles handles;

  private Mapper(MapperOptions options) {
    this.options = options;
    handles = new MemberHandles(options.lookups());
  }

  /**
   * The mapping of {@code type}.
   *
   * @throws SchemaException if the type, or a part of it, has no type in a schema
   */
  public static Mapping of(Type type, MapperOptions options) {
    StringBuilder place = new StringBuilder();
    append(type, place);
    return new Mapper(options).map(new Use(type, Map.of()), place.toString());
  }

  /** Appends the name of a type without its packages. */
  private static void append(Type type, StringBuilder name) {
    if (type instanceof Class<?> plain) {
      name.append(plain.getSimpleName());
    } else if (type instanceof ParameterizedType generic) {
      append(generic.getRawType(), name);
      String before = "<";
      for (Type argument : generic.getActualTypeArguments()) {
        append(argument, name.append(before));
        before = ", ";
      }
      name.append('>');
    } else {
      name.append(type.getTypeName());
    }
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
    Converter converter = options.converters().get(type);
    // A class may be converted to itself, or to one that holds it.
    if (converter != null && !converting.contains(type)) {
      converting.push(type);
      try {
        Mapping plain = map(new Use(converter.plain(), Map.of()), place + " (converted)");
        return new ConvertedMapping(converter, plain);
      } finally {
        converting.pop();
      }
    }
    ScalarMapping scalar = ScalarMapping.of(type);
    if (scalar != null) {
      return scalar;
    }
    if (type.isArray()) {
      Use element = new Use(type.getComponentType(), Map.of());
      return new ElementsMapping(TypeCodes.LIST, type, map(element, place + "[]"));
    }
    if (type.isEnum() && type.getEnumConstants().length > 0) {
      return new EnumMapping(type, place);
    }
    if (type == Optional.class) {
      return new OptionalMapping(present(argument(type, arguments, 0, place), place), type);
    }
    Class<?> number = OptionalMapping.OF_NUMBERS.get(type);
    if (number != null) {
      return new OptionalMapping(ScalarMapping.of(number), type);
    }
    if (CollectionClasses.isOne(type)) {
      return collection(type, arguments, place);
    }
    if (ScalaMapper.isOfLibrary(type)) {
      return ScalaMapper.of(
          type, place, arguments.size(), i -> map(arguments.get(i), place + "<" + i + ">"));
    }
    return type.isSealed() ? sealed(type, arguments, place) : object(type, arguments, place);
  }

  private Mapping argument(Class<?> type, List<Use> arguments, int i, String place) {
    checkArguments(type, arguments, place);
    return map(arguments.get(i), place + "<" + i + ">");
  }

  private static void checkArguments(Class<?> type, List<Use> arguments, String place) {
    if (arguments.isEmpty() && type.getTypeParameters().length > 0) {
      String name = type.getSimpleName();
      String example = type.getTypeParameters().length == 2 ? "<String, Long>" : "<String>";
      throw refused(
          place,
          "is a "
              + name
              + " without the type of its elements; write, for example, "
              + name
              + example);
    }
  }

  private Mapping collection(Class<?> type, List<Use> arguments, String place) {
    checkArguments(type, arguments, place);
    // A class such as `Names extends ArrayList<String>` has the arguments in a supertype.
    Map<TypeVariable<?>, Use> parameters = parameters(type, arguments);
    TypeVariable<?>[] names =
        (Map.class.isAssignableFrom(type) ? Map.class : Collection.class).getTypeParameters();
    Use first = new Use(names[0], parameters);
    CollectionMaker maker =
        CollectionClasses.maker(type, place, handles, () -> rawClass(first, place));
    Mapping element = map(first, place + "<0>");
    int code = CollectionClasses.code(type);
    if (code == TypeCodes.MAP) {
      Mapping value = map(new Use(names[1], parameters), place + "<1>");
      return new MapMapping(type, fixed(element, place), value, maker);
    }
    return new ElementsMapping(
        code, type, code == TypeCodes.LIST ? element : fixed(element, place), maker);
  }

  /** A sealed type: the union of the classes below it that can have objects. */
  private Mapping sealed(Class<?> type, List<Use> arguments, String place) {
    List<Mapping> arms = new ArrayList<>();
    addArms(type, new Use(type, parameters(type, arguments)), place, arms, new HashSet<>());
    if (!Modifier.isAbstract(type.getModifiers())) {
      arms.add(object(type, arguments, place));
    }
    return arms.size() == 1 ? arms.get(0) : new SealedMapping(type, place, arms);
  }

  /** {@code of}: a sealed type, with the types that its own type parameters stand for. */
  private void addArms(
      Class<?> type, Use of, String place, List<Mapping> arms, Set<Class<?>> seen) {
    for (Class<?> permitted : type.getPermittedSubclasses()) {
      if (!seen.add(permitted)) {
        continue;
      }
      List<Use> own = argumentsBelow(permitted, type, of);
      // An enum is sealed if its constants have bodies.
      boolean isSealed =
          permitted.isSealed()
              && !permitted.isEnum()
              && !options.converters().containsKey(permitted);
      if (isSealed) {
        addArms(permitted, new Use(permitted, parameters(permitted, own)), place, arms, seen);
      }
      String below = place + " (" + permitted.getSimpleName() + ")";
      if (!isSealed) {
        arms.add(map(permitted, own, below));
      } else if (!Modifier.isAbstract(permitted.getModifiers())) {
        arms.add(object(permitted, own, below));
      }
    }
  }

  /** The type arguments of {@code below} for which its supertype {@code type} is {@code of}. */
  private static List<Use> argumentsBelow(Class<?> below, Class<?> type, Use of) {
    TypeVariable<?>[] parameters = below.getTypeParameters();
    List<Use> arguments = new ArrayList<>();
    for (TypeVariable<?> parameter : parameters) {
      arguments.add(new Use(parameter, Map.of()));
    }
    List<Type> above = new ArrayList<>(List.of(below.getGenericInterfaces()));
    if (below.getGenericSuperclass() != null) {
      above.add(below.getGenericSuperclass());
    }
    for (Type supertype : above) {
      if (supertype instanceof ParameterizedType generic && generic.getRawType() == type) {
        Type[] given = generic.getActualTypeArguments();
        for (int i = 0; i < given.length; i++) {
          int place = List.of(parameters).indexOf(given[i]);
          Use stands = of.parameters.get(type.getTypeParameters()[i]);
          if (place >= 0 && stands != null) {
            arguments.set(place, stands);
          }
        }
      }
    }
    return arguments;
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
          place,
          "is inside "
              + type.getSimpleName()
              + " itself; a schema can't be recursive: "
              + Advice.RECURSIVE);
    }
    String advice = Advice.of(type);
    boolean isOfJdk = type.getClassLoader() == null || OF_JDK.matcher(type.getName()).lookingAt();
    if (isOfJdk || type.isInterface() || type.isEnum() || advice != null) {
      throw refused(
          place,
          "is of "
              + (type.isInterface() ? "interface " : "class ")
              + type.getName()
              + ", which has no type; "
              + (advice != null ? advice : isOfJdk ? Advice.CONVERTER : Advice.SEALED));
    }
    if (KotlinValues.isValueClass(type)) {
      throw refused(
          place, "is of Kotlin's value class " + type.getName() + "; " + Advice.CONVERTER);
    }
    Map<TypeVariable<?>, Use> parameters = parameters(type, arguments);
    within.push(text);
    try {
      Properties properties =
          new Properties(
              type,
              place,
              handles,
              options.areFields(),
              (name, property) -> map(new Use(property, parameters), place + "." + name));
      return ClassProperties.mapping(properties);
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

  /** The types that the type parameters of a class and of all its supertypes stand for. */
  private static Map<TypeVariable<?>, Use> parameters(Class<?> type, List<Use> arguments) {
    Map<TypeVariable<?>, Use> parameters = new HashMap<>();
    TypeVariable<?>[] own = type.getTypeParameters();
    for (int i = 0; i < arguments.size(); i++) {
      parameters.put(own[i], arguments.get(i));
    }
    addParametersAbove(type, parameters);
    return parameters;
  }

  private static void addParametersAbove(Class<?> type, Map<TypeVariable<?>, Use> parameters) {
    List<Type> above = new ArrayList<>(List.of(type.getGenericInterfaces()));
    if (type.getGenericSuperclass() != null) {
      above.add(type.getGenericSuperclass());
    }
    for (Type supertype : above) {
      if (supertype instanceof ParameterizedType generic) {
        Class<?> raw = (Class<?>) generic.getRawType();
        TypeVariable<?>[] names = raw.getTypeParameters();
        for (int i = 0; i < names.length; i++) {
          parameters.put(names[i], new Use(generic.getActualTypeArguments()[i], parameters));
        }
        addParametersAbove(raw, parameters);
      } else {
        addParametersAbove((Class<?>) supertype, parameters);
      }
    }
  }

  static SchemaException refused(String place, String why) {
    return new SchemaException(place + " " + why);
  }
}
