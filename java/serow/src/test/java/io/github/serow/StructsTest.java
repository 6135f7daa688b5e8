package io.github.serow;

import static io.github.serow.RoundTripTest.list;
import static io.github.serow.RoundTripTest.tuple;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Sets, maps, dicts with fixed keys, records and enums. */
class StructsTest {
  enum Color {
    RED,
    GREEN {
      @Override
      public String toString() {
        return "the green one";
      }
    }
  }

  record Part(long key, String name, Color color) {}

  record Pair(Object first, Object second) {}

  record Nothing() {}

  /** A map with its keys in this order. */
  static Map<Object, Object> map(Object... entries) {
    Map<Object, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < entries.length; i += 2) {
      map.put(entries[i], entries[i + 1]);
    }
    return map;
  }

  static Set<Object> set(Object... elements) {
    return new LinkedHashSet<>(Arrays.asList(elements));
  }

  static Stream<List<?>> rows() {
    return Stream.of(
        list(set(1L, 2L), set(), set(null, 3L)),
        list(set("a", 1L, 1.0, true, null), set(tuple(1L, "x"), tuple(2L, "y"))),
        list(FrozenSet.copyOf(list("a", "b")), set(FrozenSet.copyOf(list(1L)), Color.RED)),
        list(set(new byte[] {1}, new byte[] {2}), new TreeSet<>(list("b", "a")), Set.of(1L)),
        list(map("a", 1L, "b", "x"), map("b", "y", "a", 2L), map("a", 3L, "b", null)),
        list(map("a", 1L), map("b", 2L), map()),
        list(map(1L, "one", 2L, "two"), map(), map(null, "none"), map("three", 3L)),
        list(map("\ud800", 1L), map("ok", 2L)),
        list(map(tuple(1L, 2L), list(map("x", set(1L))))),
        list(new Part(1, "almond", Color.RED), new Part(2, null, null)),
        list(new Part(1, "almond", Color.RED), new Pair(1L, list()), new Nothing(), 1L),
        list(new Pair(new Pair(1L, map("k", Color.GREEN)), set(new Nothing()))),
        list(set(new Part(1, "a", Color.RED), new Part(2, "b", Color.GREEN))),
        list(map(Color.RED, 1L, Color.GREEN, 2L), map(Color.RED, null)),
        list(Color.RED, Color.GREEN, Thread.State.NEW, null, "RED"),
        list(tuple(set(1L), FrozenSet.copyOf(list(1L)), map(), map(1L, 1L), Color.RED)));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void comesBackEqual(List<?> rows) {
    Schema schema = Schema.infer(rows);
    assertEquals(schema, Schema.parse(schema.toString()));
    for (Wire wire : Wire.values()) {
      byte[] message = Serow.dumps(rows, wire);
      List<Object> back = Serow.loads(message);
      Same.assertSame(rows, back);
      // Decoded values can be encoded again, with the same meaning.
      assertEquals(schema, Schema.infer(back));
      assertArrayEquals(message, Serow.dumps(back, wire));
      Codec<Object> codec = Codec.ofAny(schema).withWire(wire);
      assertArrayEquals(codec.encodeAll(rows), codec.encodeAll(back));
      Same.assertSame(rows, codec.decodeAll(codec.encodeAll(rows)));
    }
  }

  @Test
  void schemasHaveTheNames() {
    assertEquals(
        "Part{key: i64, name: str?, color: enum Color{RED, GREEN}}",
        Schema.infer(list(new Part(1, "a", Color.RED), new Part(2, null, Color.GREEN))).toString());
    assertEquals(
        "{\"a\": i64, \"b\"?: [str]}",
        Schema.infer(list(map("a", 1L), map("a", 2L, "b", list("x")))).toString());
    assertEquals("{i64: str}", Schema.infer(list(map(1L, "a"))).toString());
    assertEquals("{str: i64}", Schema.infer(list(map("\udc00", 1L))).toString());
    assertEquals(
        "({i64}, frozenset{str})",
        Schema.infer(list(tuple(set(1L), FrozenSet.copyOf(list("a"))))).toString());
  }

  enum Plan {
    FREE,
    PRO
  }

  private static Map<String, Object> values(Object... entries) {
    Map<String, Object> values = new LinkedHashMap<>();
    map(entries).forEach((name, value) -> values.put((String) name, value));
    return values;
  }

  @Test
  void membersMayHaveValues() {
    Map<String, Object> codes = values("OK", 200L, "LEAST", Long.MIN_VALUE);
    Map<String, Object> texts = values("FREE", "free", "PRO", "größer");
    EnumMember ok = EnumMember.of("Status", codes, "OK");
    EnumMember pro = EnumMember.of("Plan", texts, "PRO");
    EnumMember red = EnumMember.of("Color", List.of("RED", "GREEN"), "RED");
    List<Object> rows = list(tuple(ok, pro, list(ok, 200L, pro, "größer", Color.RED)));
    assertEquals(
        "(enum Status{OK = 200, LEAST = -9223372036854775808}, "
            + "enum Plan{FREE = \"free\", PRO = \"größer\"})",
        Schema.infer(list(tuple(ok, pro))).toString());
    for (Wire wire : Wire.values()) {
      Object[] back = (Object[]) Serow.loads(Serow.dumps(rows, wire)).get(0);
      assertEquals(ok, back[0]);
      assertEquals(200L, ((EnumMember) back[0]).value());
      assertEquals(List.of("free", "größer"), ((EnumMember) back[1]).values());
      assertEquals("PRO", ((EnumMember) back[1]).name());
      assertEquals(list(ok, 200L, pro, "größer", red), back[2]);
      Codec<Plan> plans = Codec.of(Plan.class);
      assertEquals(List.of(Plan.PRO), plans.decodeAll(Serow.dumps(List.<Object>of(pro), wire)));
    }
    assertNull(EnumMember.of("Color", List.of("RED"), "RED").value());
    assertNotEquals(ok, EnumMember.of("Status", values("OK", 1L, "LEAST", Long.MIN_VALUE), "OK"));
    assertNotEquals(ok, EnumMember.of("Status", List.of("OK", "LEAST"), "OK"));
    for (Map<String, Object> wrong :
        List.of(
            values("A", 1), values("A", 1L, "B", "b"), values("A", "\ud800"), values("B", 1L))) {
      assertThrows(IllegalArgumentException.class, () -> EnumMember.of("E", wrong, "A"));
    }
  }

  @Test
  void rowsAndMembersTellWhatTheyAre() {
    Part part = new Part(7, "almond", Color.GREEN);
    Row row = assertInstanceOf(Row.class, Serow.loads(Serow.dumps(list(part), Wire.FRAME)).get(0));
    EnumMember green = EnumMember.of("Color", List.of("RED", "GREEN"), "GREEN");
    assertEquals("Part{key=7, name=almond, color=Color.GREEN}", row.toString());
    assertEquals(List.of(7L, "almond", green), row.values());
    assertEquals("almond", row.get("name"));
    assertEquals(7L, row.get(0));
    assertEquals(List.of("key", "name", "color"), row.fields());
    assertEquals(Color.GREEN, ((EnumMember) row.get(2)).as(Color.class));
    assertEquals(row, Row.of("Part", List.of("key", "name", "color"), 7L, "almond", green));
    assertEquals(Row.of("R", List.of("a"), tuple(1L)), Row.of("R", List.of("a"), tuple(1L)));
    assertThrows(NoSuchElementException.class, () -> row.get("price"));
    assertThrows(IndexOutOfBoundsException.class, () -> row.get(3));
    assertThrows(UnsupportedOperationException.class, () -> row.values().set(0, 8L));
    assertThrows(IllegalArgumentException.class, () -> Row.of("R", List.of("a"), 1L, 2L));
    assertThrows(IllegalArgumentException.class, () -> Row.of("R", List.of("a", "a"), 1L, 2L));
    assertThrows(IllegalArgumentException.class, () -> Row.of("\ud800", List.of()));
    assertThrows(IllegalArgumentException.class, () -> EnumMember.of("E", List.of("A"), "B"));
  }

  @Test
  void frozenSetsCannotBeChanged() {
    FrozenSet<String> set = FrozenSet.copyOf(List.of("b", "a", "b"));
    assertEquals(Set.of("a", "b"), set);
    assertEquals(List.of("b", "a"), new ArrayList<>(set));
    assertThrows(UnsupportedOperationException.class, () -> set.add("c"));
    assertThrows(UnsupportedOperationException.class, () -> set.iterator().remove());
  }

  @Test
  void optionalsAreTheirValuesOrNull() {
    List<Object> rows = new ArrayList<>();
    List<Object> plain = new ArrayList<>();
    for (long i = 0; i < 5000; i++) {
      Long value = i % 3 == 0 ? null : i;
      rows.add(tuple(i, Optional.ofNullable(value), list(Optional.of("x")), new Pair(i, i)));
      plain.add(tuple(i, value, list("x"), new Pair(i, i)));
    }
    rows.add(tuple(1L, Optional.empty(), list(), new Pair(Optional.of(1L), 2L)));
    plain.add(tuple(1L, null, list(), new Pair(1L, 2L)));
    rows.add(map("a", set(Optional.of(1L)), "b", Optional.of(map(Optional.empty(), 1L))));
    plain.add(map("a", set(1L), "b", map(null, 1L)));
    assertEquals(Schema.infer(plain), Schema.infer(rows));
    Same.assertSame(plain, Serow.loads(Serow.dumps(rows, Wire.FRAME)));
    Codec<Object> codec = Codec.ofAny(Schema.infer(plain));
    assertArrayEquals(codec.encodeAll(plain), codec.encodeAll(rows));
    List<Object> wrong = list(tuple(1L, Optional.of('c')));
    EncodeException e = assertThrows(EncodeException.class, () -> codec.encodeAll(wrong));
    assertTrue(e.getMessage().startsWith("row 0"), e.getMessage());

    assertTrue(rows.stream().anyMatch(row -> ((Object[]) row)[1] instanceof Optional));
  }

  @Test
  void arraysOfNumbersAreLists() {
    List<Object> rows =
        list(
            tuple(new long[] {1, 2}, new double[] {0.5}, new boolean[] {true}),
            tuple(new int[] {3}, new double[0], new boolean[0]),
            tuple(new short[] {4, 5}, list(1.5), list(false)));
    List<Object> lists =
        list(
            tuple(list(1L, 2L), list(0.5), list(true)),
            tuple(list(3L), list(), list()),
            tuple(list(4L, 5L), list(1.5), list(false)));
    assertEquals("([i64], [f64], [bool])", Schema.infer(rows).toString());
    Same.assertSame(lists, Serow.loads(Serow.dumps(rows, Wire.FRAME)));
    List<Object> union = list(new long[] {1}, "a");
    Same.assertSame(list(list(1L), "a"), Serow.loads(Serow.dumps(union, Wire.FRAME)));
  }

  private static void assertRefused(String schema, Object row, String message) {
    for (int rows : new int[] {1, 3000}) {
      Codec<Object> codec = Codec.ofAny(Schema.parse(schema));
      List<Object> all = Collections.nCopies(rows, row);
      EncodeException e = assertThrows(EncodeException.class, () -> codec.encodeAll(all));
      assertEquals("row 0" + message, e.getMessage());
    }
  }

  @Test
  void misfitsAreNamed() {
    assertRefused(
        "{\"a\": i64}",
        map("a", 1L, "b", 2L),
        ", ({\"a\": i64}): cannot encode a map of 2 (java.util.LinkedHashMap) with another key,"
            + " \"b\"");
    assertRefused(
        "{\"a\": i64, \"b\"?: i64}",
        map("b", 1L),
        ", ({\"a\": i64, \"b\"?: i64}): cannot encode a map of 1 (java.util.LinkedHashMap) without"
            + " the key \"a\"");
    assertRefused(
        "{\"a\": {str: [i64]}}",
        map("a", map("x", list(), "y", list(1L, "z"))),
        ", field a.value 1.1 (i64): cannot encode java.lang.String");
    assertRefused(
        "{(i64, str): i64}",
        map(tuple(1L, 2L), 1L),
        ", field key 0.1 (str): cannot encode java.lang.Long");
    assertRefused(
        "Part{key: i64, name: str, color: enum Color{RED}}",
        new Part(1, "a", Color.RED),
        ", field color (enum Color{RED}): cannot encode RED (io.github.serow.StructsTest$Color)");
    assertRefused(
        "Complex{real: f64, imaginary: f64}",
        new Complex(1, 2),
        ", (Complex{real: f64, imaginary: f64}): cannot encode io.github.serow.Complex");
    assertRefused(
        "Part{key: i64}",
        Row.of("Part", List.of("name"), "a"),
        ", (Part{key: i64}): cannot encode a row of Part[name]");
    assertRefused(
        "{i64}",
        FrozenSet.copyOf(List.of(1L)),
        ", ({i64}): cannot encode a frozenset of 1 (io.github.serow.FrozenSet)");
    assertRefused(
        "{i64}",
        set(1L, 1),
        ", ({i64}): cannot encode a set of 2 (java.util.LinkedHashSet) that has an element twice");
    assertRefused(
        "{(i64,): i64}",
        map(tuple(1L), 1L, tuple(1L), 2L),
        ", ({(i64,): i64}): cannot encode a map of 2 (java.util.LinkedHashMap) that has a key"
            + " twice");
  }

  @Test
  void elementsThatComeTwiceAreNotSent() {
    Object[] tuple = {1L};
    Map<Object, Object> twice = new IdentityHashMap<>();
    twice.put("ab", 1L);
    twice.put(new String("ab"), 2L);
    for (Object row :
        list(
            set(1L, 1),
            set(1L, BigInteger.ONE),
            set(tuple, tuple.clone()),
            set(new byte[1], new byte[1]),
            set(new Pair(1L, 1L), new Pair(1L, 1)),
            set(
                new Part(1, "a", null),
                Row.of("Part", List.of("key", "name", "color"), 1, "a", null)),
            set(Color.RED, EnumMember.of("Color", List.of("RED", "GREEN"), "RED")),
            FrozenSet.copyOf(list(FrozenSet.copyOf(list(1L)), FrozenSet.copyOf(list(1)))),
            twice)) {
      EncodeException e =
          assertThrows(EncodeException.class, () -> Serow.dumps(list(1L, row), Wire.FRAME));
      assertTrue(e.getMessage().endsWith(" twice"), e.getMessage());
      assertTrue(e.getMessage().startsWith("row 1,"), e.getMessage());
    }
  }

  @Test
  void elementsThatCannotBeHashedAreRefused() {
    for (Object element :
        list(list(1L), set(1L), map("a", 1L), ByteBuffer.wrap(new byte[1]), new long[1])) {
      EncodeException e =
          assertThrows(
              EncodeException.class, () -> Serow.dumps(list(tuple(1L, set(element))), Wire.FRAME));
      assertTrue(e.getMessage().startsWith("row 0, field 1.0: cannot encode "), e.getMessage());
      assertTrue(e.getMessage().contains("can't hash it"), e.getMessage());
      assertThrows(
          EncodeException.class,
          () -> Serow.dumps(list(map(new Pair(element, 1L), 1L)), Wire.FRAME));
    }
  }

  /** A message of rows of type list {@code from} that claims that they are of {@code to}. */
  private static byte[] disguised(List<?> rows, byte[] from, byte[] to, Wire wire) {
    byte[] message = Serow.dumps(rows, wire);
    byte[] schema = varints(from);
    for (int at = 0; ; at++) {
      if (Arrays.equals(Arrays.copyOfRange(message, at, at + schema.length), schema)) {
        System.arraycopy(varints(to), 0, message, at, schema.length);
        return LyingContentTest.seal(message);
      }
    }
  }

  private static byte[] varints(byte[] codes) {
    byte[] varints = new byte[codes.length];
    for (int i = 0; i < codes.length; i++) {
      varints[i] = (byte) (2 * codes[i] + 1);
    }
    return varints;
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void elementsThatComeTwiceAreRefused(Wire wire) {
    Object[] cases = {
      list(1L, 2L, 1L), new byte[] {11, 1}, new byte[] {28, 1}, "{i64}): a set holds an element",
      list("a", "a"), new byte[] {11, 3}, new byte[] {29, 3}, "frozenset{str}): a set holds an",
      list(new byte[1], new byte[1]), new byte[] {11, 17}, new byte[] {28, 17}, "{bytes}): a set",
      list(tuple(1L, 2L), tuple(3L, 2L), tuple(1L, 2L)), new byte[] {11, 5, 1, 1, 7},
          new byte[] {28, 5, 1, 1, 7}, "{(i64, i64)}): a set holds an element twice",
    };
    for (int i = 0; i < cases.length; i += 4) {
      for (int rows : new int[] {1, 3000}) {
        byte[] message =
            disguised(
                Collections.nCopies(rows, cases[i]),
                (byte[]) cases[i + 1],
                (byte[]) cases[i + 2],
                wire);
        DecodeException e = assertThrows(DecodeException.class, () -> Serow.loads(message));
        String expected = "frame 0, row 0, (" + cases[i + 3];
        assertTrue(e.getMessage().startsWith(expected), e.getMessage());
      }
    }
  }

  @Test
  void keysThatComeTwiceAreRefused() {
    byte[] message = Serow.dumps(Collections.nCopies(3, map(1L, 2L, 3L, 4L)), Wire.ROW);
    // The keys 1 and 3 are one byte each, so the second can be changed to the first.
    int at = message.length - 8 - 2;
    message[at] = message[at - 2];
    DecodeException e =
        assertThrows(DecodeException.class, () -> Serow.loads(LyingContentTest.seal(message)));
    assertEquals("frame 0, row 2, ({i64: i64}): a map holds a key twice", e.getMessage());
  }

  @Test
  void mapsAndSetsOfEveryKindAreRead() {
    Map<String, Object> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    sorted.put("B", 1L);
    sorted.put("a", 2L);
    List<Object> rows = list(map("a", 1L, "B", 2L), sorted, new HashMap<>(sorted), Map.of("b", 1L));
    Same.assertSame(rows, Serow.loads(Serow.dumps(rows, Wire.FRAME)));
    Codec<Object> codec = Codec.ofAny(Schema.parse("{\"A\": i64, \"b\": i64}"));
    assertThrows(EncodeException.class, () -> codec.encodeAll(list(sorted)));
    Map<Object, Object> numbers = new TreeMap<>(Map.of(1L, 2L));
    assertThrows(EncodeException.class, () -> codec.encodeAll(list(numbers)));
  }

  @Test
  void anErrorOfTheCallersMapIsPassedOn() {
    Map<Object, Object> broken =
        new HashMap<>() {
          @Override
          public Set<Map.Entry<Object, Object>> entrySet() {
            throw new ConcurrentModificationException("broken");
          }
        };
    for (int i = 0; i < 20; i++) {
      assertThrows(
          ConcurrentModificationException.class, () -> Serow.dumps(list(1L, broken), Wire.FRAME));
      Same.assertSame(list(map("a", 1L)), Serow.loads(Serow.dumps(list(map("a", 1L)), Wire.FRAME)));
    }
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void rowsWidenLate(Wire wire) {
    List<Object> rows = new ArrayList<>();
    for (int i = 0; i < 4000; i++) {
      rows.add(map("id", (long) i, "color", Color.values()[i % 2], "tags", set("t" + i % 7)));
    }
    rows.set(1500, map("id", 1L, "tags", set("x", 2L)));
    rows.set(1501, map("id", null, "color", "RED", "tags", set(), "more", new Part(1, "p", null)));
    rows.set(2500, map(1L, 2L));
    rows.set(3500, new Part(1, "p", Color.RED));
    Same.assertSame(rows, Serow.loads(Serow.dumps(rows, wire)));
  }

  @Test
  void manyKeysAreAMap() {
    Map<Object, Object> many = new LinkedHashMap<>();
    for (int i = 0; i < 5000; i++) {
      many.put("key " + i, (long) i);
    }
    assertEquals("{str: i64}", Schema.infer(list(many)).toString());
    Same.assertSame(list(many, many), Serow.loads(Serow.dumps(list(many, many), Wire.FRAME)));
  }

  @Test
  void wideDictsAndRecordsAreReadByGroupsOfFields() {
    List<String> names = new ArrayList<>();
    Object[] values = new Object[100];
    Map<Object, Object> dict = new LinkedHashMap<>();
    for (int i = 0; i < values.length; i++) {
      names.add("field" + i);
      values[i] = i % 3 == 0 ? (Object) (long) i : i % 3 == 1 ? "s" + i : set((long) i);
      dict.put(names.get(i), values[i]);
    }
    List<Object> records = Collections.nCopies(3000, Row.of("Wide", names, values));
    Same.assertSame(records, Serow.loads(Serow.dumps(records, Wire.FRAME)));
    List<Object> dicts = new ArrayList<>(Collections.nCopies(3000, dict));
    dicts.set(7, new LinkedHashMap<>(Map.of("field0", 1L)));
    Same.assertSame(dicts, Serow.loads(Serow.dumps(dicts, Wire.FRAME)));
  }
}
