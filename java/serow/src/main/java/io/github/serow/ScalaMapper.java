package io.github.serow;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;

/** What the classes of Scala's library are in a schema, as {@link Mapper} has it for Java's. */
final class ScalaMapper {
  private static final String COLLECTION = "scala.collection.";
  private static final String IMMUTABLE = "scala.collection.immutable.";

  /** The classes that a list may be declared with, and the companion that makes one. */
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
   * What a class of Scala's library is.
   *
   * @param place where it is, for errors
   * @param count how many type arguments it has
   * @param argument gives what one of them is
   */
  static Mapped of(Class<?> type, String place, int count, IntFunction<Mapped> argument) {
    if (count < type.getTypeParameters().length) {
      throw Mapper.refused(
          place, "is a " + type.getSimpleName() + " of nobody knows what; give its type arguments");
    }
    try {
      return of(type, new ScalaLibrary(type), place, count, argument);
    } catch (ReflectiveOperationException e) {
      throw Mapper.refused(place, "is of a version of Scala's library that is not known: " + e);
    }
  }

  private static Mapped of(
      Class<?> type, ScalaLibrary library, String place, int count, IntFunction<Mapped> argument)
      throws ReflectiveOperationException {
    String name = type.getName();
    ScalaClass.Reader reader = ScalaClass.reader(type);
    if (name.equals("scala.Option")) {
      MappedOptional plain = new MappedOptional(Mapper.present(argument.apply(0), place), false);
      return new MappedScala(type, plain, reader, library.options());
    }
    if (ScalaSupertypes.isTuple(name) && count > 0) {
      List<Mapped> fields = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        fields.add(argument.apply(i));
      }
      return new MappedScala(type, new MappedTuple(fields), reader, library.tuples(type, count));
    }
    if (LISTS.containsKey(name)) {
      Mapped plain = new MappedElements(TypeList.LIST, List.class, argument.apply(0));
      // Of other classes there are values that are lazy, which only their own class tells.
      boolean isStrict = name.equals(IMMUTABLE + "List") || name.equals(IMMUTABLE + "Vector");
      return new MappedScala(
          type, plain, isStrict ? reader : ScalaClass::plain, library.collections(LISTS.get(name)));
    }
    if (SETS.contains(name)) {
      Mapped element = Mapper.fixed(argument.apply(0), place);
      Mapped plain = new MappedElements(TypeList.SET, Set.class, element);
      return new MappedScala(type, plain, reader, library.collections(IMMUTABLE + "Set$"));
    }
    if (MAPS.contains(name)) {
      Mapped plain = new MappedMap(Mapper.fixed(argument.apply(0), place), argument.apply(1));
      return new MappedScala(type, plain, reader, library.maps());
    }
    if (name.equals("scala.math.BigInt")) {
      return new MappedScala(type, MappedScalar.of(BigInteger.class), reader, library.bigInts());
    }
    if (name.equals("scala.math.BigDecimal")) {
      return new MappedScala(
          type, MappedScalar.of(BigDecimal.class), reader, library.bigDecimals());
    }
    throw Mapper.refused(
        place,
        "is of class "
            + name
            + ", which has no type; use Option, a tuple, Seq, List, Vector, Set or Map");
  }
}
