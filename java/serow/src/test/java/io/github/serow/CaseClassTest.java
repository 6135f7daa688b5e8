package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Codecs for Scala's case classes. */
class CaseClassTest {
  /** The decoded value. */
  @SuppressWarnings("unchecked")
  private static Object roundTrip(Object value) {
    Class<Object> type = (Class<Object>) value.getClass();
    Object last = null;
    for (Wire wire : Wire.values()) {
      Codec<Object> codec = Codec.of(type).withWire(wire);
      List<Object> back = codec.decodeAll(codec.encodeAll(Collections.nCopies(3, value)));
      assertEquals(3, back.size());
      last = back.get(2);
      assertSame(type, last.getClass());
      if (wire == Wire.ROW) {
        last = codec.decode(codec.encode(value));
      }
    }
    return last;
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "SCALA_3")
  void instancesComeBackEqual(ScalaSamples scala) {
    for (String name :
        List.of("part", "plainPart", "inner", "deep", "all", "boxes", "known", "aliased", "nan")) {
      Object value = scala.value(name);
      assertEquals(value, roundTrip(value));
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "SCALA_3")
  void collectionsAreThoseDeclared(ScalaSamples scala) {
    Object all = roundTrip(scala.value("all"));
    assertSame(scala.value("none"), ScalaSamples.call(all, "none"));
    assertTrue(scala.load("scala.collection.immutable.List").isInstance(get(all, "list")));
    assertTrue(scala.load("scala.collection.immutable.Vector").isInstance(get(all, "vector")));
    assertTrue(scala.load("scala.collection.immutable.Set").isInstance(get(all, "set")));
    assertTrue(scala.load("scala.collection.immutable.Map").isInstance(get(all, "map")));
    // Equal Scala numbers may be instances of different classes.
    assertSame(Long.class, ScalaSamples.call(get(all, "option"), "get").getClass());
    assertSame(
        Integer.class,
        ScalaSamples.call(ScalaSamples.call(get(all, "vector"), "head"), "get").getClass());
    assertSame(Byte.class, ScalaSamples.call(get(all, "any"), "head").getClass());
  }

  private static Object get(Object value, String field) {
    return ScalaSamples.call(value, field);
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "SCALA_3")
  void arraysComeBackWithTheirElements(ScalaSamples scala) {
    Object value = scala.value("arrays");
    Object back = roundTrip(value);
    assertArrayEquals((byte[]) get(value, "bytes"), (byte[]) get(back, "bytes"));
    assertArrayEquals((long[]) get(value, "numbers"), (long[]) get(back, "numbers"));
    assertArrayEquals((Object[]) get(value, "options"), (Object[]) get(back, "options"));
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "SCALA_3")
  void schemasHaveTheTypesThatScalaHas(ScalaSamples scala) {
    Map<String, String> schemas =
        Map.of(
            "Part", "Part{key: i64, name: str?, price: decimal?, sizes: [i64]?}",
            "Outer$Inner", "Inner{value: i64?}",
            "Outer$Deep$Inner", "Inner{value: bool?}",
            "Aliases$Known", "Known{ids: i64?}",
            "Boxes",
                "Boxes{numbers: Box{type: i64?, \"a b\": i64?, \"++\": [(i64, i64)]?}?,"
                    + " texts: Box{type: str?, \"a b\": str?, \"++\": [(str, i64)]?}?}",
            "Numbers", "Numbers{value: f64, many: [f64]?}",
            "Bean", "Bean{longs: [i64]?, option: str?}",
            "All",
                "All{bool: bool, byte: i64, short: i64, int: i64, long: i64, float: f64, double:"
                    + " f64, text: str?, big: int?, decimal: decimal?, day: date?, option: i64?,"
                    + " none: f64?, list: [bool]?, vector: [i64?]?, set: {(i64, str)}?, map: {i64:"
                    + " {str: f64?}}?, pair: (f64, [i64])?, part: Part{key: i64, name: str?, price:"
                    + " decimal?, sizes: [i64]?}?, parts: Part{key: i64, name: str?, price:"
                    + " decimal?, sizes: [i64]?}?, any: [i64]?, ours: [i64?]?}");
    schemas.forEach((name, schema) -> assertEquals(schema, Schema.of(scala.type(name)).toString()));
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "SCALA_3")
  void instancesAreWrittenAsTheirPlainValuesAre(ScalaSamples scala) {
    for (String name : List.of("part", "length", "told", "curried")) {
      Object value = scala.value(name);
      Object row = Serow.loads(Serow.dumps(List.of(value), Wire.FRAME)).get(0);
      @SuppressWarnings("unchecked")
      Class<Object> type = (Class<Object>) value.getClass();
      Codec<Object> codec = Codec.of(type);
      assertEquals(List.of(row), Serow.loads(codec.encodeAll(List.of(value))));
      assertEquals(List.of(value), codec.decodeAll(Serow.dumps(List.of(row), Wire.FRAME)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void typesInJavasSignatureNeedNoScalaSignature(ScalaSamples scala) {
    Object told = scala.value("told");
    assertEquals(told, roundTrip(told));
    assertEquals(
        "Told{key: i64, name: str?, ids: [i64]?, pair: (str, int)?, within: Positive{value: i64}?}",
        Schema.of(told.getClass()).toString());
  }

  @ParameterizedTest
  @EnumSource(names = "SCALA_3")
  void typesOutsideJavasSignatureNeedAScalaSignature(ScalaSamples scala) {
    String message =
        assertThrows(SchemaException.class, () -> Schema.of(scala.type("Part"))).getMessage();
    assertTrue(message.startsWith("Part.sizes<0> has a type that the class file"), message);
    assertTrue(message.contains("java.lang.Long"), message);
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "SCALA_3")
  void misfitsAreErrorsWithAPlace(ScalaSamples scala) {
    assertEquals(
        "row 0, field many ([f64]?): cannot encode scala.collection.immutable.Stream$Cons, which may"
            + " never end; use toList",
        encodeError(scala.value("endless")));
    assertEquals(
        "row 0, field ids.1 (i64): cannot encode null; declare it with @Nullable for types, such as JSpecify's, or as an Optional",
        encodeError(scala.value("withNull")));
  }

  private static String encodeError(Object value) {
    @SuppressWarnings("unchecked")
    Class<Object> type = (Class<Object>) value.getClass();
    Codec<Object> codec = Codec.of(type);
    return assertThrows(EncodeException.class, () -> codec.encodeAll(List.of(value))).getMessage();
  }

  @ParameterizedTest
  @EnumSource
  void nullsAreDecodedAsNullsExceptForOptions(ScalaSamples scala) {
    Object back = roundTrip(scala.value("nulls"));
    assertSame(scala.value("none"), get(back, "name"));
    assertNull(get(back, "ids"));
    assertNull(get(back, "pair"));
  }

  @ParameterizedTest
  @EnumSource
  void beansMayHaveScalasValues(ScalaSamples scala) throws ReflectiveOperationException {
    Object bean = scala.type("Bean").getConstructor().newInstance();
    Object back = roundTrip(bean);
    assertSame(scala.value("none"), get(back, "getOption"));
    assertEquals(scala.value("empty"), get(back, "getLongs"));
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "SCALA_3")
  void classesWithoutATypeSayWhatToDo(ScalaSamples scala) {
    Map<String, String> errors =
        Map.ofEntries(
            Map.entry("Unknown", "Unknown.names<0> has a type that the class file lacks"),
            Map.entry("Lost", "Lost.option<0> is of class java.lang.Object, which has no type"),
            Map.entry("Untold", "Untold.value is of class java.lang.Object, which has no type"),
            Map.entry("Bad", "Bad.unit<0> is of class scala.runtime.BoxedUnit, which has no type"),
            Map.entry("Self", "Self.next<0> is inside Self itself"),
            Map.entry("Nested", "Nested.value is an option of an option"),
            Map.entry("Mutable", "Mutable.values is of class scala.collection.mutable.Buffer"),
            Map.entry("Keys", "Keys.values has mutable elements or keys"),
            Map.entry("Outside$Within", "Within is of class"),
            Map.entry("Outer$Nothing$", "is a Scala object"));
    errors.forEach(
        (name, start) -> {
          String message =
              assertThrows(SchemaException.class, () -> Schema.of(scala.type(name))).getMessage();
          assertTrue(message.contains(start), message);
        });
  }

  @ParameterizedTest
  @EnumSource
  @SuppressWarnings("unchecked")
  void constructorExceptionsAreErrorsWithAPlace(ScalaSamples scala) {
    Class<Object> type = (Class<Object>) scala.type("Positive");
    byte[] message = Serow.dumps(List.of(Row.of("Positive", List.of("value"), -1L)), Wire.FRAME);
    Codec<Object> codec = Codec.of(type);
    DecodeException error = assertThrows(DecodeException.class, () -> codec.decodeAll(message));
    assertTrue(error.getMessage().contains("row 0"), error.getMessage());
    assertTrue(error.getMessage().contains("not positive"), error.getMessage());
  }
}
