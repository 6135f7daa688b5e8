package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Scala's values without a declared type. */
class ScalaValuesTest {
  record Holder(Object value, long after) {}

  private static Object[] tuple(Object... fields) {
    return fields;
  }

  /** Asserts that rows decode to {@code plain}, and that both have the same schema. */
  private static void assertPlain(String schema, Object plain, Object value) {
    List<Object> rows = Collections.singletonList(value);
    assertEquals(schema, Schema.infer(rows).toString());
    for (Wire wire : Wire.values()) {
      List<Object> back = Serow.loads(Serow.dumps(rows, wire));
      Same.assertSame(Collections.singletonList(plain), back);
    }
  }

  @ParameterizedTest
  @EnumSource
  void valuesAreThePlainOnesThatTheyStandFor(ScalaSamples scala) {
    assertPlain("(i64, str)", tuple(1L, "a"), scala.value("pair"));
    // Tuples of numbers have classes of their own.
    assertPlain("(i64, i64)", tuple(1L, 2L), scala.value("numbers"));
    assertPlain("i64", 1L, scala.some(1L));
    assertPlain("null", null, scala.value("none"));
    for (String name : List.of("list", "vector", "buffer")) {
      assertPlain("[i64]", List.of(1L, 2L), scala.value(name));
    }
    assertPlain("[i64]", List.of(1L, 2L, 3L), scala.value("range"));
    assertPlain("[never]", List.of(), scala.value("empty"));
    assertPlain("{str}", StructsTest.set("a", "b"), scala.value("set"));
    assertPlain("{i64: str}", StructsTest.map(1L, "a", 2L, "b"), scala.value("map"));
    assertPlain(
        "{\"a\": f64, \"b\": f64}", StructsTest.map("a", 1.5, "b", 2.5), scala.value("sorted"));
    assertPlain("int", BigInteger.TWO.pow(70), scala.value("integer"));
    assertPlain("decimal", new BigDecimal("-12.50"), scala.value("decimal"));
  }

  @ParameterizedTest
  @EnumSource
  void tuplesMayBeOfAnyLength(ScalaSamples scala) {
    Object[] back =
        (Object[]) Serow.loads(Serow.dumps(List.of(scala.value("large")), Wire.FRAME)).get(0);
    assertEquals(22, back.length);
    assertEquals("x", back[21]);
  }

  @ParameterizedTest
  @EnumSource
  void caseClassesAreRecordsOfTheirFields(ScalaSamples scala) {
    List<String> fields = List.of("key", "name", "price", "sizes");
    assertPlain(
        "Part{key: i64, name: str, price: decimal, sizes: [i64]}",
        Row.of("Part", fields, 1L, "almond", new BigDecimal("901.00"), List.of(1L, 2L)),
        scala.value("part"));
    assertPlain(
        "Inner{value: bool}", Row.of("Inner", List.of("value"), true), scala.value("inner"));
    assertPlain("Nothing{}", Row.of("Nothing", List.of()), scala.value("nothing"));
    assertPlain(
        "Within{value: i64}", Row.of("Within", List.of("value"), 7L), scala.value("within"));
    for (String name : List.of("local", "capturing")) {
      assertPlain("Local{value: i64}", Row.of("Local", List.of("value"), 7L), scala.value(name));
    }
    assertPlain(
        "Curried{first: i64, second: str}",
        Row.of("Curried", List.of("first", "second"), 1L, "a"),
        scala.value("curried"));
    assertPlain(
        "Left{value: str}", Row.of("Left", List.of("value"), "wrong"), scala.value("either"));
    assertPlain(
        "Box{type: i64, \"a b\": null, \"++\": [(i64, i64)]}",
        Row.of(
            "Box",
            List.of("type", "a b", "++"),
            1L,
            null,
            Collections.singletonList(tuple(2L, 3L))),
        scala.value("box"));
  }

  @ParameterizedTest
  @EnumSource
  void valuesJoinThoseBeforeThem(ScalaSamples scala) {
    List<Object> rows = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      rows.add(tuple((long) i, "a"));
    }
    rows.add(tuple(scala.some(1L), scala.value("none")));
    rows.add(scala.value("pair"));
    rows.add(tuple(scala.value("list"), "a"));
    assertEquals("(i64|[i64], str?)", Schema.infer(rows).toString());
    List<Object> back = Serow.loads(Serow.dumps(rows, Wire.FRAME));
    Same.assertSame(
        Collections.singletonList(tuple(2999L, "a")), new ArrayList<>(back.subList(2999, 3000)));
    Same.assertSame(
        Arrays.asList(tuple(1L, null), tuple(1L, "a"), tuple(List.of(1L, 2L), "a")),
        new ArrayList<>(back.subList(3000, 3003)));
  }

  @ParameterizedTest
  @EnumSource
  void valuesMayBeWithinJavasOwn(ScalaSamples scala) {
    assertPlain(
        "Holder{value: [i64], after: i64}",
        Row.of("Holder", List.of("value", "after"), List.of(1L, 2L), 7L),
        new Holder(scala.value("list"), 7));
    assertPlain("i64", 1L, Optional.of(scala.some(Optional.of(1L))));
    assertPlain("[i64?]", Arrays.asList(1L, null), List.of(scala.some(1L), scala.value("none")));
    assertPlain("{int}", Set.of(BigInteger.TWO.pow(70)), Set.of(scala.value("integer")));
    List<Object> back =
        Serow.loads(
            Serow.dumps(List.of(Map.of(scala.value("pair"), scala.value("part"))), Wire.FRAME));
    Map<?, ?> map = (Map<?, ?>) back.get(0);
    assertEquals(List.of(1L, "a"), Arrays.asList((Object[]) map.keySet().iterator().next()));
    assertEquals("Part", ((Row) map.values().iterator().next()).name());
  }

  @ParameterizedTest
  @EnumSource
  void codecsOfASchemaTakeThem(ScalaSamples scala) {
    Codec<Object> codec = Codec.ofAny(Schema.parse("(i64, str?)"));
    List<Object> rows = List.of(scala.value("pair"), tuple(scala.some(1L), scala.value("none")));
    Same.assertSame(
        List.of(tuple(1L, "a"), tuple(1L, null)), codec.decodeAll(codec.encodeAll(rows)));
    assertEquals(
        "row 0, field 1 (str?): cannot encode java.lang.Integer",
        assertThrows(EncodeException.class, () -> codec.encodeAll(List.of(scala.value("numbers"))))
            .getMessage());
  }

  @ParameterizedTest
  @EnumSource
  void objectsWithoutATypeAreErrorsWithAdvice(ScalaSamples scala) {
    Map<String, String> ends =
        Map.ofEntries(
            Map.entry("lazyList", "which may never end; use toList"),
            Map.entry("view", "which is lazy; use "),
            Map.entry("iterator", "which can be read only once; use toList"),
            Map.entry("unit", "scala.runtime.BoxedUnit, which is not a value; use Option"),
            Map.entry("symbol", "scala.Symbol, which is not text; use name"),
            Map.entry("char", "java.lang.Character, which is not text; use String.valueOf"),
            Map.entry("hugeRange", "which has more elements than a row can have"),
            Map.entry("builder", "which is not text; use toString"),
            Map.entry("special", "Positive, so what it adds would be lost; use a case class"));
    ends.forEach(
        (name, end) -> {
          Object[] row = tuple(1L, scala.value(name));
          String message =
              assertThrows(
                      EncodeException.class,
                      () -> Serow.dumps(Collections.singletonList(row), Wire.FRAME))
                  .getMessage();
          assertTrue(message.startsWith("row 0, field 1: cannot encode "), message);
          assertTrue(message.contains(end), message);
        });
  }

  @ParameterizedTest
  @EnumSource
  void listsAreNoElementsOfSets(ScalaSamples scala) {
    String message =
        assertThrows(
                EncodeException.class,
                () -> Serow.dumps(List.of(Set.of(scala.value("list"))), Wire.FRAME))
            .getMessage();
    assertTrue(message.contains("a list of 2"), message);
    assertTrue(message.contains("in a set or in a key of a map"), message);
  }

  @ParameterizedTest
  @EnumSource
  void valuesThatBecomeEqualArePreservedOrRefused(ScalaSamples scala) {
    for (Object twice :
        List.of(
            Set.of(scala.some(1L), 1L),
            Map.of(scala.some(1L), "a", 1L, "b"),
            FrozenSet.copyOf(List.of(Optional.of(1L), 1L)),
            scala.value("numbersTwice"))) {
      String message =
          assertThrows(EncodeException.class, () -> Serow.dumps(List.of(twice), Wire.FRAME))
              .getMessage();
      assertTrue(message.contains("twice"), message);
    }
  }

  @ParameterizedTest
  @EnumSource
  void cyclesAreAnErrorAndDeepOptionsAreNot(ScalaSamples scala) {
    String message =
        assertThrows(
                LimitException.class, () -> Serow.dumps(List.of(scala.value("cycle")), Wire.FRAME))
            .getMessage();
    assertTrue(message.contains("does one hold itself?"), message);
    assertPlain("i64", 1L, scala.value("deepOptions"));
    assertNull(Serow.loads(Serow.dumps(List.of(scala.some(null)), Wire.FRAME)).get(0));
  }
}
