package io.github.serow.internal.mapping;

import io.github.serow.internal.scala.ScalaClass;
import io.github.serow.internal.scala.ScalaLibrary;
import io.github.serow.internal.scala.ScalaSupertypes;
import io.github.serow.internal.schema.ConstructionException;
import io.github.serow.internal.types.TypeCodes;
import io.github.serow.internal.wire.TypeMismatch;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Maps classes of Scala's library, as {@link Mapper} maps those of Java. */
public final class ScalaMapper {
  private static final String COLLECTION = "scala.collection.";
  private static final String IMMUTABLE = "scala.collection.immutable.";

  /** The classes of list fields, and the companion object that builds their lists. */
  private static final Map<String, String> LISTS =
      Map.of(
          IMMUTABLE + "List", IMMUTABLE + "List$",
          IMMUTABLE + "Seq", IMMUTABLE + "List$",
          IMMUTABLE + "Iterable", IMMUTABLE + "List$",
          IMMUTABLE + "LinearSeq", IMMUTABLE + "List$",
          IMMUTABLE + "Vector", IMMUTABLE + "Vector$",
          IMMUTABLE + "IndexedSeq", IMMUTABLE + "Vector$",
          COLLECTION + "Seq", IMMUTABLE + "List$",
          COLLECTION + "Iterable", IMMUTABLE + "List$",
          COLLECTION + "LinearSeq", IMMUTABLE + "List$",
          COLLECTION + "IndexedSeq", IMMUTABLE + "Vector$");

  private static final Set<String> SETS = Set.of(IMMUTABLE + "Set", COLLECTION + "Set");
  private static final Set<String> MAPS = Set.of(IMMUTABLE + "Map", COLLECTION + "Map");

  private ScalaMapper() {}

  static boolean isOfLibrary(Class<?> type) {
    return type.getName().startsWith("scala.");
  }

  /**
   * The mapping of a class of Scala's library.
   *
   * @param place where it is, for errors
   * @param count the number of its type arguments
   * @param argument gives the mapping of a type argument
   */
  static Mapping of(Class<?> type, String place, int count, IntFunction<Mapping> argument) {
    if (count < type.getTypeParameters().length) {
      throw Mapper.refused(
          place, "is a " + type.getSimpleName() + " without type arguments; add them");
    }
    try {
      return of(type, new ScalaLibrary(type), place, count, argument);
    } catch (ReflectiveOperationException e) {
      throw Mapper.refused(place, "is of an unknown version of Scala's library: " + e);
    }
  }

  private static Mapping of(
      Class<?> type, ScalaLibrary library, String place, int count, IntFunction<Mapping> argument)
      throws ReflectiveOperationException {
    String name = type.getName();
    ScalaClass.Reader reader = ScalaClass.reader(type);
    if (name.equals("scala.Option")) {
      Mapping plain = new OptionalMapping(Mapper.present(argument.apply(0), place));
      return mapping(type, plain, reader, library.options());
    }
    if (ScalaSupertypes.isTuple(name) && count > 0) {
      Mapping plain =
          new TupleMapping(
              IntStream.range(0, count).mapToObj(argument).collect(Collectors.toList()));
      return mapping(type, plain, reader, library.tuples(type, count));
    }
    if (LISTS.containsKey(name)) {
      Mapping plain = collection(TypeCodes.LIST, List.class, argument.apply(0));
      // Other classes have lazy instances; only the class of an instance tells.
      boolean isStrict = name.equals(IMMUTABLE + "List") || name.equals(IMMUTABLE + "Vector");
      return mapping(
          type, plain, isStrict ? reader : ScalaClass::plain, library.collections(LISTS.get(name)));
    }
    if (SETS.contains(name)) {
      Mapping element = Mapper.fixed(argument.apply(0), place);
      Mapping plain = collection(TypeCodes.SET, Set.class, element);
      return mapping(type, plain, reader, library.collections(IMMUTABLE + "Set$"));
    }
    if (MAPS.contains(name)) {
      Mapping key = Mapper.fixed(argument.apply(0), place);
      Mapping plain = collection(TypeCodes.MAP, Map.class, key, argument.apply(1));
      return mapping(type, plain, reader, library.maps());
    }
    if (name.equals("scala.math.BigInt")) {
      return mapping(type, ScalarMapping.of(BigInteger.class), reader, library.bigInts());
    }
    if (name.equals("scala.math.BigDecimal")) {
      return mapping(type, ScalarMapping.of(BigDecimal.class), reader, library.bigDecimals());
    }
    throw Mapper.refused(
        place,
        "is of class "
            + name
            + ", which has no type; use Option, a tuple, Seq, List, Vector, Set or Map");
  }

  private static Mapping collection(int code, Class<?> type, Mapping... parts) {
    return new CollectionMapping(code, type, List.of(parts), null);
  }

  private static Mapping mapping(
      Class<?> type, Mapping plain, ScalaClass.Reader reader, ScalaLibrary.Maker maker) {
    return new WrappedMapping(
        type, plain, value -> plain(type, reader, value), value -> made(maker, value));
  }

  private static Object plain(Class<?> type, ScalaClass.Reader reader, Object value) {
    if (value == null) {
      return null;
    }
    Object plain = type.isInstance(value) ? ScalaClass.read(reader, value) : value;
    if (plain == value) {
      throw new TypeMismatch(value);
    }
    return plain;
  }

  private static Object made(ScalaLibrary.Maker maker, Object plain) {
    try {
      return maker.make(plain);
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw new ConstructionException(e);
    }
  }
}
