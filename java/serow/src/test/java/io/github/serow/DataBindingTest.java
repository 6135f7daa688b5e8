package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.DataBindingTypes.*;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Currency;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Fifty kinds of types that users of Jackson's data binding know: its features and the annotations
 * for them, by serow's means. Each is written and read back on both wires and as a single record,
 * or refused by an error that says what to do.
 */
class DataBindingTest {
  /** A type with an object of it, which must come back equal. */
  record Case<T>(String name, TypeReference<T> type, T object, Mappings mappings) {
    Case(String name, TypeReference<T> type, T object) {
      this(name, type, object, Mappings.standard());
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final Mappings URIS =
      Mappings.standard()
          .withConverter(URI.class, String.class, URI::toString, URI::create)
          .withConverter(
              Currency.class, String.class, Currency::getCurrencyCode, Currency::getInstance)
          .withConverter(Celsius.class, Double.class, Celsius::degrees, Celsius::new)
          .withConverter(
              Interval.class,
              new TypeReference<List<Long>>() {},
              interval -> List.of(interval.from(), interval.to()),
              ends -> Interval.of(ends.get(0), ends.get(1)));

  static List<Case<?>> accepted() {
    List<Case<?>> cases = new ArrayList<>();
    cases.add(new Case<>("a record", new TypeReference<Point>() {}, new Point(1, 2)));
    cases.add(
        new Case<>(
            "a bean with getters and setters",
            new TypeReference<MyValue>() {},
            new MyValue("Bob", 13)));
    cases.add(new Case<>("public fields", new TypeReference<Open>() {}, new Open("Bob", 13)));
    cases.add(new Case<>("private fields", new TypeReference<Closed>() {}, new Closed("Bob", 13)));
    cases.add(
        new Case<>("inherited properties", new TypeReference<Dog>() {}, new Dog("Rex", 12.5)));
    cases.add(
        new Case<>("a constructor", new TypeReference<CtorPoint>() {}, new CtorPoint("a", 7)));
    cases.add(
        new Case<>(
            "a constructor of a subclass",
            new TypeReference<NamedPoint>() {},
            new NamedPoint("a", 7, List.of("x", "y"))));
    cases.add(
        new Case<>(
            "a builder with builder()",
            new TypeReference<Built>() {},
            Built.builder().name("a").size(3).build()));
    cases.add(
        new Case<>(
            "a nested Builder with withName",
            new TypeReference<Pizza>() {},
            new Pizza.Builder().withSize(3).withToppings(List.of("ham")).build()));
    cases.add(
        new Case<>(
            "an abstract class with a builder",
            new TypeReference<Animal>() {},
            Animal.builder().setName("dog").setLegs(4).build()));
    cases.add(new Case<>("a list of strings", new TypeReference<List<String>>() {}, List.of("a")));
    cases.add(
        new Case<>(
            "a list of records",
            new TypeReference<List<Point>>() {},
            List.of(new Point(1, 2), new Point(3, 4))));
    cases.add(
        new Case<>(
            "a map to records",
            new TypeReference<Map<String, Point>>() {},
            Map.of("a", new Point(1, 2))));
    cases.add(
        new Case<>(
            "a map of lists of maps",
            new TypeReference<Map<String, List<Map<Long, String>>>>() {},
            Map.of("a", List.of(Map.of(1L, "x"), Map.of()))));
    cases.add(
        new Case<>(
            "a map with enum keys",
            new TypeReference<Map<Color, Integer>>() {},
            Map.of(Color.RED, 1)));
    cases.add(
        new Case<>(
            "an EnumMap",
            new TypeReference<EnumMap<Color, Integer>>() {},
            new EnumMap<>(Map.of(Color.GREEN, 1))));
    cases.add(
        new Case<>(
            "an EnumSet",
            new TypeReference<EnumSet<Color>>() {},
            EnumSet.of(Color.GREEN, Color.RED)));
    cases.add(
        new Case<>(
            "a generic record", new TypeReference<Pair<String, Long>>() {}, new Pair<>("a", 1L)));
    cases.add(
        new Case<>(
            "a generic record of generic records",
            new TypeReference<Pair<Pair<Integer, String>, List<Pair<Long, Long>>>>() {},
            new Pair<>(new Pair<>(1, "a"), List.of(new Pair<>(2L, 3L)))));
    cases.add(
        new Case<>(
            "a class with the type arguments of its superclass",
            new TypeReference<StringBox>() {},
            new StringBox("a")));
    cases.add(
        new Case<>(
            "optionals",
            new TypeReference<Optionals>() {},
            new Optionals(
                Optional.of("a"),
                OptionalInt.of(1),
                OptionalLong.of(-2),
                OptionalDouble.of(0.5),
                Optional.of(new Point(1, 2)))));
    cases.add(
        new Case<>(
            "empty optionals",
            new TypeReference<Optionals>() {},
            new Optionals(
                Optional.empty(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                OptionalDouble.empty(),
                Optional.empty())));
    cases.add(new Case<>("enums", new TypeReference<Car>() {}, new Car(Color.GREEN, null)));
    cases.add(
        new Case<>(
            "an enum whose constants have bodies",
            new TypeReference<Sum>() {},
            new Sum(Operation.MINUS, 7)));
    cases.add(
        new Case<>(
            "enum constants with other names",
            new TypeReference<List<Size>>() {},
            List.of(Size.SMALL, Size.LARGE)));
    cases.add(
        new Case<>(
            "a sealed interface of records",
            new TypeReference<List<Figure>>() {},
            List.of(new Circle(1.5), new Square(2))));
    cases.add(
        new Case<>(
            "a sealed type in a property",
            new TypeReference<Drawing>() {},
            new Drawing("a", new Square(2), Map.of("b", new Circle(1)))));
    cases.add(
        new Case<>(
            "nested sealed types",
            new TypeReference<List<Event>>() {},
            List.of(new Login("bob"), new Bought("pen", 3), new Returned("pen"), Simple.LOGOUT)));
    cases.add(
        new Case<>(
            "a generic sealed interface",
            new TypeReference<List<Result<Point>>>() {},
            List.of(new Ok<>(new Point(1, 2)), new Failed<>("no"))));
    cases.add(
        new Case<>(
            "a sealed abstract class of beans",
            new TypeReference<List<Vehicle>>() {},
            List.of(new Truck(3.5), new Bike(true))));
    cases.add(
        new Case<>(
            "sealed classes with the names that messages give them",
            new TypeReference<List<Shape2>>() {},
            List.of(new Shape2.Outer.Item(1), new Shape2.Other.Item(2))));
    cases.add(
        new Case<>("renamed properties", new TypeReference<Renamed>() {}, new Renamed("Bob", 3)));
    cases.add(
        new Case<>("ignored properties", new TypeReference<Partly>() {}, new Partly("a", null)));
    cases.add(
        new Case<>(
            "an ignored component with a default",
            new TypeReference<Session>() {},
            new Session("bob", 30, Optional.of(3))));
    cases.add(
        new Case<>(
            "chars",
            new TypeReference<Chars>() {},
            new Chars('x', '\uD83D', List.of('a', 'b'), Map.of('k', 'v'))));
    cases.add(
        new Case<>(
            "numbers of all sizes",
            new TypeReference<Numbers>() {},
            new Numbers(
                (byte) 1,
                (short) 2,
                3,
                4L,
                5f,
                6d,
                true,
                new BigInteger("123456789012345678901234567890"),
                new BigDecimal("1.10"))));
    cases.add(
        new Case<>(
            "dates, times and ids",
            new TypeReference<Stamped>() {},
            new Stamped(
                Instant.ofEpochSecond(1_700_000_000L, 5),
                LocalDate.of(2024, 2, 29),
                new UUID(1, 2))));
    cases.add(
        new Case<>(
            "sorted collections",
            new TypeReference<Sorted>() {},
            new Sorted(
                new TreeSet<>(Set.of("b", "a")),
                new TreeSet<>(Set.of(2L, 1L)),
                new TreeMap<>(Map.of("b", 2, "a", 1)),
                new TreeMap<>(Map.of(3L, "c")))));
    cases.add(
        new Case<>(
            "queues and deques",
            new TypeReference<Queues>() {},
            new Queues(
                new LinkedList<>(List.of("a", "b")),
                new LinkedList<>(List.of(1, 2)),
                new LinkedList<>(List.of(0.5)))));
    cases.add(
        new Case<>(
            "collections of other classes",
            new TypeReference<Others>() {},
            new Others(
                new ConcurrentHashMap<>(Map.of("a", 1)),
                new LinkedHashSet<>(List.of("x")),
                new java.util.Vector<>(List.of(1L)),
                List.of("c"))));
    cases.add(
        new Case<>(
            "a class that extends ArrayList",
            new TypeReference<Tags>() {},
            new Tags(List.of("a", "b"))));
    cases.add(
        new Case<>(
            "arrays in records",
            new TypeReference<List<List<Integer>>>() {},
            List.of(List.of(1, 2), List.of())));
    cases.add(new Case<>("a converter for URI", new TypeReference<Site>() {}, site(), URIS));
    cases.add(
        new Case<>(
            "a converter for a class of the caller's",
            new TypeReference<Map<String, Celsius>>() {},
            Map.of("oslo", new Celsius(-3.5)),
            URIS));
    cases.add(
        new Case<>(
            "a converter to a list",
            new TypeReference<List<Interval>>() {},
            List.of(Interval.of(1, 2)),
            URIS));
    cases.add(
        new Case<>(
            "wildcards",
            new TypeReference<List<? extends Map<String, ? extends Point>>>() {},
            List.of(Map.of("a", new Point(1, 2)))));
    return cases;
  }

  private static Site site() {
    return new Site(
        URI.create("http://a/b"), List.of(URI.create("http://c")), Currency.getInstance("EUR"));
  }

  @Test
  void theListIsLong() {
    assertTrue(accepted().size() + refused().size() >= 50);
    assertTrue(accepted().size() >= 40);
  }

  @ParameterizedTest
  @MethodSource("accepted")
  <T> void comesBack(Case<T> given) {
    for (Wire wire : Wire.values()) {
      Codec<T> codec = Codec.of(given.type, given.mappings).withWire(wire);
      // Few rows are interpreted, many are written and read by generated code.
      for (int rows : new int[] {1, 3, 3000}) {
        List<T> objects = Collections.nCopies(rows, given.object);
        assertEquals(objects, codec.decodeAll(codec.encodeAll(objects)));
      }
      byte[] record = null;
      for (int i = 0; i < 300; i++) {
        record = codec.encode(given.object);
        assertEquals(given.object, codec.decode(record));
      }
      assertEquals(Schema.of(given.type, given.mappings), codec.schema());
    }
  }

  /** A type without a schema, and what the error says. */
  record Refused(TypeReference<?> type, String error) {
    @Override
    public String toString() {
      return type.toString();
    }
  }

  static List<Refused> refused() {
    return List.of(
        new Refused(
            new TypeReference<List<Object>>() {},
            "List<Object><0> is of class java.lang.Object, which has no type; declare the class of"
                + " its values, or a sealed interface that all their classes implement, or register"
                + " a converter to byte[] by Serow.dumps and Serow.loads; for rows of any type use"
                + " Codec.ofAny"),
        new Refused(
            new TypeReference<Tree>() {},
            "Tree.children<0> is inside Tree itself; a schema can't be recursive: write a list of"
                + " all the objects, with indices in place of those inside them, for example by a"
                + " converter (Mappings.standard().withConverter), or mark the field with @Ignore"),
        new Refused(
            new TypeReference<List<URI>>() {},
            "List<URI><0> is of class java.net.URI, which has no type; register a converter:"
                + " Mappings.standard().withConverter(URI.class, String.class, URI::toString,"
                + " URI::create)"),
        new Refused(
            new TypeReference<Open2>() {},
            "Open2 is of class io.github.serow.DataBindingTypes$Open2, which is abstract; make it"
                + " sealed, or register a converter with Mappings.standard().withConverter"),
        new Refused(
            new TypeReference<Runnable>() {},
            "Runnable is of interface java.lang.Runnable, which has no type; register a converter"
                + " with Mappings.standard().withConverter, or use another class"),
        new Refused(
            new TypeReference<Half>() {},
            "Half is of class io.github.serow.DataBindingTypes$Half, whose field note is no"
                + " parameter of its constructor, so that its value would be lost; add the"
                + " parameter, or mark the field transient or with @Ignore"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void isRefused(Refused given) {
    SchemaException error = assertThrows(SchemaException.class, () -> Codec.of(given.type));
    assertEquals(given.error, error.getMessage());
  }

  @Test
  void namesAreThoseOfTheAnnotations() {
    assertEquals("Person{full_name: str?, years: i64}", Schema.of(Renamed.class).toString());
    assertEquals("enum Size{S, LARGE}", Schema.of(Size.class).toString());
    assertEquals("Partly{name: str?}", Schema.of(Partly.class).toString());
    assertEquals("Circle{radius: f64}|Square{side: f64}", Schema.of(Figure.class).toString());
    // Rows without a declared type have the same names.
    List<Object> rows = List.of(new Renamed("Bob", 3));
    assertEquals("Person{full_name: str, years: i64}", Schema.infer(rows).toString());
    assertEquals("Partly{name: str}", Schema.infer(List.of(new Partly("a", 1))).toString());
    assertEquals("enum Size{S, LARGE}", Schema.infer(List.of(Size.SMALL)).toString());
  }

  @Test
  void plainOptionalsOfNumbersAreTheirNumbers() {
    List<Object> rows = List.of(OptionalInt.of(1), OptionalLong.of(2), OptionalDouble.of(0.5));
    assertEquals(List.of(1L, 2L, 0.5), Serow.loads(Serow.dumps(rows)));
    List<Object> none = new ArrayList<>();
    none.add(null);
    assertEquals(none, Serow.loads(Serow.dumps(List.of(OptionalInt.empty()))));
  }

  record OptionalElements(List<Optional<String>> texts, Map<String, OptionalInt> numbers) {}

  @Test
  void aNullInPlaceOfAnOptionalIsAnError() {
    List<Object> nulls =
        List.of(
            new Optionals(
                null,
                OptionalInt.of(1),
                OptionalLong.empty(),
                OptionalDouble.empty(),
                Optional.empty()),
            new Optionals(Optional.empty(), null, OptionalLong.of(1), OptionalDouble.empty(), null),
            new Optionals(Optional.empty(), OptionalInt.empty(), null, null, Optional.empty()),
            new OptionalElements(Collections.singletonList(null), Map.of()),
            new OptionalElements(List.of(), Collections.singletonMap("a", null)));
    List<String> places =
        List.of(
            "text (str?): Optional",
            "i (i64?): OptionalInt",
            "l (i64?): OptionalLong",
            "texts.0 (str?): Optional",
            "numbers.value 0 (i64?): OptionalInt");
    for (int i = 0; i < nulls.size(); i++) {
      String[] place = places.get(i).split(": ");
      for (Wire wire : Wire.values()) {
        String why =
            String.format(
                "row 0, field %s: cannot read it, because it is null, and would come back as an"
                    + " empty %2$s; use %2$s.empty(), or a type other than %2$s, whose null is"
                    + " kept",
                place[0], place[1]);
        assertEquals(why, encodeError(nulls.get(i), wire));
      }
    }
  }

  @SuppressWarnings("unchecked") // The class of an object.
  private static <T> String encodeError(T object, Wire wire) {
    Codec<T> codec = Codec.of((Class<T>) object.getClass()).withWire(wire);
    assertThrows(EncodeException.class, () -> codec.encode(object));
    return assertThrows(EncodeException.class, () -> codec.encodeAll(List.of(object))).getMessage();
  }

  @Test
  void queuesOfAnyClassAreWritten() {
    Codec<Queues> codec = Codec.of(Queues.class);
    ArrayDeque<String> names = new ArrayDeque<>(List.of("a"));
    Queues back = codec.decode(codec.encode(new Queues(names, new ArrayDeque<>(), null)));
    assertEquals(List.of("a"), back.names());
    assertEquals(List.of(), back.numbers());
    assertEquals(null, back.more());
  }

  @Test
  void aCodecOfAClassIsCached() {
    HashMap<String, Object> map = new HashMap<>();
    for (int i = 0; i < 2; i++) {
      Codec<List<Point>> codec = Codec.of(new PointList());
      map.put("schema" + i, codec.schema());
    }
    assertTrue(map.get("schema0") == map.get("schema1"));
  }

  private static final class PointList extends TypeReference<List<Point>> {}

  @Test
  void aReferenceNeedsAType() {
    @SuppressWarnings("rawtypes")
    class Raw extends TypeReference {}
    assertThrows(SchemaException.class, Raw::new);
    assertEquals(
        "T is of type parameter T, which has no argument here; give the arguments with a TypeReference",
        assertThrows(SchemaException.class, () -> Codec.of(DataBindingTest.<Point>unknown()))
            .getMessage());
  }

  private static <T> TypeReference<T> unknown() {
    return new TypeReference<>() {};
  }
}
