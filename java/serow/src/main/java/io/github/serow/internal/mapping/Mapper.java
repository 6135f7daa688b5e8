package io.github.serow.internal.mapping;

import io.github.serow.SchemaException;
import io.github.serow.internal.kotlin.KotlinClass;
import io.github.serow.internal.scala.ScalaTypes;
import io.github.serow.internal.types.TypeCodes;
import io.github.serow.internal.wire.Limits;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
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
    return new Mapper(options).map(new BoundType(type, Map.of()), place.toString());
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

  Mapping map(BoundType use, String place) {
    BoundType of = use.resolved();
    if (of.type() instanceof TypeVariable<?> parameter) {
      throw refused(
          place,
          "is of type parameter "
              + parameter
              + ", which has no argument here; give the arguments with a TypeReference");
    }
    if (of.type() == ScalaTypes.LOST) {
      throw refused(
          place,
          "has a type that the class file lacks, because it is an Object for Java; use a class of"
              + " Java's, such as java.lang.Long for Long, or no alias for the type");
    }
    if (of.raw() == null) {
      throw refused(place, "is of type " + of.type().getTypeName() + ", whose class is unknown");
    }
    return map(of.raw(), of.arguments(), of.element(), place);
  }

  /** The mapping of an element, key or value, which is null only where an annotation says so. */
  private Mapping element(BoundType element, String place) {
    Mapping mapping = map(element, place);
    boolean isNullable = element.resolved().nullness().isNullable() && !mapping.isOptional();
    return isNullable ? new OptionalMapping(mapping) : mapping;
  }

  /** {@code element}: of an array, otherwise null. */
  private Mapping map(Class<?> type, List<BoundType> arguments, BoundType element, String place) {
    Converter converter = options.converters().get(type);
    // A class may be converted to itself, or to one that holds it.
    if (converter != null && !converting.contains(type)) {
      converting.push(type);
      try {
        Mapping plain = map(new BoundType(converter.plain(), Map.of()), place + " (converted)");
        boolean isOptional = plain.isOptional();
        return new WrappedMapping(
            type,
            plain,
            value -> isOptional && value == null ? null : converter.plain(value),
            converter::object);
      } finally {
        converting.pop();
      }
    }
    ScalarMapping scalar = ScalarMapping.of(type);
    if (scalar != null) {
      return scalar;
    }
    if (type.isArray()) {
      List<Mapping> elements = List.of(element(element, place + "[]"));
      return new CollectionMapping(TypeCodes.LIST, type, elements, null);
    }
    if (type.isEnum() && type.getEnumConstants().length > 0) {
      return new EnumMapping(type, place);
    }
    if (type == Optional.class) {
      return OptionalMapping.of(type, present(argument(type, arguments, 0, place), place));
    }
    Class<?> number = OptionalMapping.OF_NUMBERS.get(type);
    if (number != null) {
      return OptionalMapping.of(type, ScalarMapping.of(number));
    }
    if (CollectionMaker.isCollection(type)) {
      return collection(type, arguments, place);
    }
    if (ScalaMapper.isOfLibrary(type)) {
      return ScalaMapper.of(
          type, place, arguments.size(), i -> element(arguments.get(i), place + "<" + i + ">"));
    }
    // Some classes of Java's, such as ZoneId, are sealed in newer versions.
    return type.isSealed() && Advice.of(type) == null
        ? sealed(type, arguments, place)
        : object(type, arguments, place);
  }

  private Mapping argument(Class<?> type, List<BoundType> arguments, int i, String place) {
    checkArguments(type, arguments, place);
    return map(arguments.get(i), place + "<" + i + ">");
  }

  private static void checkArguments(Class<?> type, List<BoundType> arguments, String place) {
    if (arguments.isEmpty() && type.getTypeParameters().length > 0) {
      String name = type.getSimpleName();
      String example = type.getTypeParameters().length == 2 ? "<String, Long>" : "<String>";
      throw refused(
          place,
          ("is a %s without the type of its elements; write, for example, %s%s, or for rows new"
                  + " TypeReference<%s%s>() {}")
              .formatted(name, name, example, name, example));
    }
  }

  private Mapping collection(Class<?> type, List<BoundType> arguments, String place) {
    checkArguments(type, arguments, place);
    // A class such as `Names extends ArrayList<String>` has the arguments in a supertype.
    Map<TypeVariable<?>, BoundType> parameters = BoundType.parameters(type, arguments);
    TypeVariable<?>[] names =
        (Map.class.isAssignableFrom(type) ? Map.class : Collection.class).getTypeParameters();
    BoundType first = new BoundType(names[0], parameters);
    CollectionMaker maker = CollectionMaker.of(type, place, handles, first::raw);
    Mapping element = element(first, place + "<0>");
    int code = CollectionMaker.code(type);
    if (code == TypeCodes.MAP) {
      Mapping value = element(new BoundType(names[1], parameters), place + "<1>");
      return new CollectionMapping(code, type, List.of(fixed(element, place), value), maker);
    }
    Mapping of = code == TypeCodes.LIST ? element : fixed(element, place);
    return new CollectionMapping(code, type, List.of(of), maker);
  }

  /** A sealed type: the union of the classes below it that can have objects. */
  private Mapping sealed(Class<?> type, List<BoundType> arguments, String place) {
    List<Mapping> arms = new ArrayList<>();
    addArms(type, BoundType.parameters(type, arguments), place, arms, new HashSet<>());
    if (!Modifier.isAbstract(type.getModifiers())) {
      arms.add(object(type, arguments, place));
    }
    return arms.size() == 1 ? arms.get(0) : new SealedMapping(type, place, arms);
  }

  /** {@code of}: what the type parameters of the sealed type stand for. */
  private void addArms(
      Class<?> type,
      Map<TypeVariable<?>, BoundType> of,
      String place,
      List<Mapping> arms,
      Set<Class<?>> seen) {
    for (Class<?> permitted : type.getPermittedSubclasses()) {
      if (!seen.add(permitted)) {
        continue;
      }
      List<BoundType> own = BoundType.argumentsBelow(permitted, type, of);
      // An enum is sealed if its constants have bodies.
      boolean isSealed =
          permitted.isSealed()
              && !permitted.isEnum()
              && !options.converters().containsKey(permitted);
      if (isSealed) {
        addArms(permitted, BoundType.parameters(permitted, own), place, arms, seen);
      }
      String below = place + " (" + permitted.getSimpleName() + ")";
      if (!isSealed) {
        arms.add(map(permitted, own, null, below));
      } else if (!Modifier.isAbstract(permitted.getModifiers())) {
        arms.add(object(permitted, own, below));
      }
    }
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

  private Mapping object(Class<?> type, List<BoundType> arguments, String place) {
    String text = text(type, arguments);
    boolean isTooLarge = within.size() > Limits.MAX_DEPTH || text.length() > MOST_TEXT;
    if (within.contains(text) || isTooLarge) {
      throw refused(
          place,
          "is inside %s itself; a schema can't be recursive: %s"
              .formatted(type.getSimpleName(), Advice.RECURSIVE));
    }
    String advice = Advice.of(type);
    boolean isOfJdk = type.getClassLoader() == null || OF_JDK.matcher(type.getName()).lookingAt();
    if (isOfJdk || type.isInterface() || type.isEnum() || advice != null) {
      throw refused(
          place,
          "is of %s%s, which has no type; %s"
              .formatted(
                  type.isInterface() ? "interface " : "class ",
                  type.getName(),
                  advice != null ? advice : isOfJdk ? Advice.CONVERTER : Advice.SEALED));
    }
    if (KotlinClass.isValueClass(type)) {
      throw refused(
          place, "is of Kotlin's value class " + type.getName() + "; " + Advice.CONVERTER);
    }
    Map<TypeVariable<?>, BoundType> parameters = BoundType.parameters(type, arguments);
    within.push(text);
    try {
      return ClassProperties.mapping(new PropertyCollector(type, place, handles, this, parameters));
    } finally {
      within.pop();
    }
  }

  /** A class with its type arguments. */
  private static String text(Class<?> type, List<BoundType> arguments) {
    StringBuilder text = new StringBuilder(type.getName());
    for (BoundType argument : arguments) {
      argument.appendTo(text.append('<'), MOST_TEXT);
      text.append('>');
    }
    return text.toString();
  }

  static SchemaException refused(String place, String why) {
    return new SchemaException(place + " " + why);
  }
}
