package io.github.serow.internal.mapping;

import io.github.serow.internal.scala.ScalaClass;
import io.github.serow.internal.scala.ScalaLibrary;
import io.github.serow.internal.scala.ScalaSupertypes;
import io.github.serow.internal.types.TypeCodes;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;

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
      OptionalMapping plain = new OptionalMapping(Mapper.present(argument.apply(0), place));
      return new ScalaMapping(type, plain, reader, library.options());
    }
    if (ScalaSupertypes.isTuple(name) && count > 0) {
      List<Mapping> fields = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        fields.add(argument.apply(i));
      }
      return new ScalaMapping(type, new TupleMapping(fields), reader, library.tuples(type, count));
    }
    if (LISTS.containsKey(name)) {
      Mapping plain = new ElementsMapping(TypeCodes.LIST, List.class, argument.apply(0));
      // Other classes have lazy instances; only the class of an instance tells.
      boolean isStrict = name.equals(IMMUTABLE + "List") || name.equals(IMMUTABLE + "Vector");
      return new ScalaMapping(
          type, plain, isStrict ? reader : ScalaClass::plain, library.collections(LISTS.get(name)));
    }
    if (SETS.contains(name)) {
      Mapping element = Mapper.fixed(argument.apply(0), place);
      Mapping plain = new ElementsMapping(TypeCodes.SET, Set.class, element);
      return new ScalaMapping(type, plain, reader, library.collections(IMMUTABLE + "Set$"));
    }
    if (MAPS.contains(name)) {
      Mapping plain =
          new MapMapping(
              Map.class, Mapper.fixed(argument.apply(0), place), argument.apply(1), null);
      return new ScalaMapping(type, plain, reader, library.maps());
    }
    if (name.equals("scala.math.BigInt")) {
      return new ScalaMapping(type, ScalarMapping.of(BigInteger.class), reader, library.bigInts());
    }
    if (name.equals("scala.math.BigDecimal")) {
      return new ScalaMapping(
          type, ScalarMapping.of(BigDecimal.class), reader, library.bigDecimals());
    }
    throw Mapper.refused(
        place,
        "is of class "
            + name
            + ", which has no type; use Option, a tuple, Seq, List, Vector, Set or Map");
  }
}
