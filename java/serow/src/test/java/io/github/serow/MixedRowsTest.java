package io.github.serow;

import static io.github.serow.RoundTripTest.list;
import static io.github.serow.RoundTripTest.tuple;
import static io.github.serow.StructsTest.set;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.internal.jni.Native;
import java.time.Year;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MixedRowsTest {
  private static List<Object> rows(int count, IntFunction<Object> row) {
    List<Object> rows = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      rows.add(row.apply(i));
    }
    return rows;
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void aLateMisfitWidensAndLosesNothing(Wire wire) {
    List<Object> rows = rows(10_000, i -> tuple((long) i, "s" + i));
    rows.set(5003, tuple(1.5, "s"));
    rows.set(5004, tuple(7L, null));
    rows.set(8000, tuple(7L, "x", list(list())));
    rows.set(9999, "not a tuple at all");
    Same.assertSame(rows, Serow.loads(Serow.dumps(rows, wire)));
  }

  @Test
  void alternatingTypesDoNotCostAFrameARow() {
    IntFunction<Object> row =
        i ->
            switch (i % 4) {
              case 0 -> (Object) (long) i;
              case 1 -> i / 2.0;
              case 2 -> "s" + i % 9;
              default -> tuple(i % 8 == 3, list((long) i));
            };
    List<Object> rows = rows(10_000, row);
    byte[] message = Serow.dumps(rows, Wire.FRAME);
    Same.assertSame(rows, Serow.loads(message));
    assertTrue(message.length < 20 * rows.size(), message.length + " bytes");
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void rowsThatGoOnDifferingAreLookedAtAhead(Wire wire) {
    List<Object> rows = rows(600, i -> tuple(new Object[i % 300]));
    byte[] message = Serow.dumps(rows, wire);
    Same.assertSame(rows, Serow.loads(message));
    int frames = 0;
    long decoder = Native.decoderOpen();
    try {
      Native.decoderBegin(decoder, 0, -1, message, null, 0, message.length);
      while (Native.decoderNext(decoder, message, null, 0, new long[8])) {
        frames++;
      }
    } finally {
      Native.close(decoder);
    }
    assertTrue(frames <= 12, frames + " frames");
  }

  @Test
  void everyTypeAfterEveryOther() {
    List<Object> values =
        list(
            1L,
            1.0,
            "a",
            true,
            null,
            tuple(),
            tuple(1L),
            tuple("a", 2L),
            list(),
            list(1L),
            list("a", 1L),
            list(tuple(1L)),
            tuple(list(), null));
    List<Object> rows = new ArrayList<>();
    for (Object first : values) {
      for (Object second : values) {
        rows.addAll(Collections.nCopies(70, first));
        rows.addAll(Collections.nCopies(70, second));
      }
    }
    Same.assertSame(rows, Serow.loads(Serow.dumps(rows, Wire.FRAME)));
    Same.assertSame(rows, Serow.loads(Serow.dumps(rows, Wire.ROW)));
  }

  @Test
  void whatHasNoTypeIsNamed() {
    List<Object> rows = rows(100, i -> tuple((long) i, "a", 1.0, list(tuple("b"))));
    Map<Object, String> misfits = new LinkedHashMap<>();
    misfits.put(
        new Date(0),
        "java.util.Date, which has no local time; use toInstant().atOffset(ZoneOffset.UTC)");
    misfits.put(
        new GregorianCalendar(),
        "java.util.GregorianCalendar, which has no local time; use"
            + " toInstant().atOffset(ZoneOffset.UTC)");
    misfits.put(new StringBuilder(), "java.lang.StringBuilder, which is not text; use toString");
    misfits.put(
        new PriorityQueue<>(),
        "java.util.PriorityQueue, which gives its elements in no order; use"
            + " stream().sorted().toList()");
    misfits.put(
        new AtomicLong(), "java.util.concurrent.atomic.AtomicLong, which may change; use get");
    misfits.put('c', "java.lang.Character, which is not text; use String.valueOf");
    misfits.put(new char[1], "char[], which is not text; use String.valueOf");
    misfits.put(Year.of(2024), "java.time.Year, which is a number; use getValue");
    String none =
        ", which has no type; use a String, a number, or a Codec of a class with a converter";
    misfits.put(new Object(), "java.lang.Object" + none);
    misfits.put(List.class, "java.lang.Class" + none);
    for (Object misfit : misfits.keySet()) {
      String name = misfits.get(misfit);
      ((Object[]) rows.get(17))[3] = list(tuple(misfit));
      EncodeException e = assertThrows(EncodeException.class, () -> Serow.dumps(rows, Wire.FRAME));
      assertEquals("row 17, field 3.0.0 (str): cannot encode " + name, e.getMessage());
      ((Object[]) rows.get(17))[3] = misfit;
      e = assertThrows(EncodeException.class, () -> Serow.dumps(rows, Wire.FRAME));
      assertEquals("row 17, field 3 ([(str,)]): cannot encode " + name, e.getMessage());
      e = assertThrows(EncodeException.class, () -> Schema.infer(rows));
      assertEquals("row 17, field 3: cannot encode " + name, e.getMessage());
      e = assertThrows(EncodeException.class, () -> Serow.dumps(list(misfit), Wire.FRAME));
      assertEquals("row 0: cannot encode " + name, e.getMessage());
    }
  }

  @Test
  void whatMayGiveItsElementsOnlyOnceIsNotRead() {
    for (Object once :
        List.of(
            List.of(1).iterator(), Stream.of(1), (Iterable<Object>) Collections::emptyIterator)) {
      EncodeException e = assertThrows(EncodeException.class, () -> Serow.dumps(list(once)));
      assertTrue(e.getMessage().endsWith("; use a List"), e.getMessage());
    }
  }

  record Numbers(float one, List<Float> many, Map<String, Float> named, float[] array) {}

  @Test
  void floatsAreTheDoublesThatTheyEqual() {
    float third = 1f / 3;
    List<Object> floats = new ArrayList<>();
    List<Object> doubles = new ArrayList<>();
    for (float value :
        new float[] {0f, -0f, third, Float.MIN_VALUE, Float.MAX_VALUE, Float.NaN, 1f / 0}) {
      floats.add(value);
      doubles.add((double) value);
      floats.add(tuple(value, list(value, 0.5)));
      doubles.add(tuple((double) value, list((double) value, 0.5)));
      floats.add(Map.of(1, value));
      doubles.add(Map.of(1L, (double) value));
      floats.add(new float[] {value});
      doubles.add(list((double) value));
      floats.add(Set.of(value));
      doubles.add(Set.of((double) value));
    }
    floats.add(new Numbers(third, List.of(third), Map.of("a", third), new float[] {third}));
    double wide = third;
    doubles.add(
        Row.of(
            "Numbers",
            List.of("one", "many", "named", "array"),
            wide,
            list(wide),
            Map.of("a", wide),
            list(wide)));
    for (Wire wire : Wire.values()) {
      Same.assertSame(doubles, Serow.loads(Serow.dumps(floats, wire)));
    }
    Codec<Object> codec = Codec.ofAny(Schema.parse("f64"));
    assertEquals((double) third, codec.decode(codec.encode(third)));
    EncodeException e =
        assertThrows(EncodeException.class, () -> Serow.dumps(list(Set.of(0.5f, 0.5))));
    assertTrue(e.getMessage().contains("twice"), e.getMessage());
  }

  @Test
  void anyCollectionIsAList() {
    Map<Object, Object> map = new LinkedHashMap<>(Map.of(1, 2));
    List<Object> rows =
        list(
            new ArrayDeque<>(List.of(1, 2)),
            map.values(),
            Collections.unmodifiableCollection(map.values()),
            tuple(new ConcurrentLinkedQueue<>(List.of("a", 0.5f))),
            new ArrayDeque<>());
    List<Object> lists = list(list(1L, 2L), list(2L), list(2L), tuple(list("a", 0.5)), list());
    for (Wire wire : Wire.values()) {
      Same.assertSame(lists, Serow.loads(Serow.dumps(rows, wire)));
    }
    Object nested = Set.of(new ArrayDeque<>());
    EncodeException e = assertThrows(EncodeException.class, () -> Serow.dumps(list(nested)));
    assertTrue(e.getMessage().contains("can't hash it"), e.getMessage());
  }

  @Test
  void theLowestRowIsNamed() {
    List<Object> rows = rows(1000, i -> tuple((long) i));
    rows.set(900, new Date(0));
    rows.set(20, tuple(new StringBuilder()));
    EncodeException e = assertThrows(EncodeException.class, () -> Serow.dumps(rows, Wire.FRAME));
    assertEquals(
        "row 20, field 0 (i64): cannot encode java.lang.StringBuilder, which is not text; use toString",
        e.getMessage());
  }

  @Test
  void listsThatContainThemselvesExceedALimit() {
    List<Object> cycle = new ArrayList<>();
    cycle.add(1L);
    cycle.add(cycle);
    cycle.add(cycle);
    LimitException e =
        assertThrows(LimitException.class, () -> Serow.dumps(Arrays.asList(1L, cycle), Wire.FRAME));
    assertEquals(
        "row 1: lists and other containers nest more than 64 deep; does one hold itself?",
        e.getMessage());
    assertThrows(LimitException.class, () -> Schema.infer(Arrays.asList(1L, cycle)));
    Object[] fields = new Object[1];
    fields[0] = fields;
    Object cycleOfTuples = fields;
    assertThrows(LimitException.class, () -> Serow.dumps(list(cycleOfTuples), Wire.FRAME));
    Codec<Object> codec = Codec.ofAny(Schema.parse("[i64|[i64]]"));
    assertThrows(EncodeException.class, () -> codec.encodeAll(list(cycle)));
  }

  @Test
  @Tag("heavy")
  void listsSharedManyTimesInARowAreAnError() {
    List<Object> shared = new ArrayList<>();
    for (int level = 0; level < 40; level++) {
      shared = Arrays.asList(shared, shared);
    }
    List<Object> row = shared;
    LimitException e = assertThrows(LimitException.class, () -> Serow.dumps(list(row), Wire.FRAME));
    assertTrue(e.getMessage().contains("more than 268,435,456 elements"), e.getMessage());
  }

  private static void assertRefused(Object row, String schema) {
    Codec<Object> codec = Codec.ofAny(Schema.parse(schema));
    LimitException e = assertThrows(LimitException.class, () -> codec.encodeAll(list(row)));
    assertTrue(e.getMessage().startsWith("row 0: "), e.getMessage());
  }

  @Test
  void tuplesInSetsThatContainThemselvesExceedALimit() {
    Object[] cycle = new Object[1];
    cycle[0] = cycle;
    Object key = cycle;
    for (Object row : List.of(set(key), set(tuple(1L), key), Collections.singletonMap(key, 1L))) {
      List<Object> rows = new ArrayList<>(Collections.nCopies(200, list(1L)));
      rows.set(101, row);
      LimitException e = assertThrows(LimitException.class, () -> Serow.dumps(rows, Wire.FRAME));
      assertTrue(e.getMessage().startsWith("row 101: "), e.getMessage());
      assertRefused(row, row instanceof Map ? "{(i64, ...): i64}" : "{(i64, ...)}");
    }
  }

  @Test
  @Tag("heavy")
  void tuplesSharedManyTimesInASetExceedALimit() {
    Object[] shared = {1L, 2L};
    for (int level = 0; level < 40; level++) {
      shared = new Object[] {shared, shared};
    }
    Object key = shared;
    assertRefused(set(key), "{(i64, ...)}");
  }

  @Test
  @Tag("heavy")
  void listsOfOptionsSharedManyTimesInARowAreAnError() {
    List<Object> shared = list(Optional.of(1L), 2L);
    for (int level = 0; level < 40; level++) {
      shared = Arrays.asList(shared, shared);
    }
    List<Object> row = shared;
    LimitException e =
        assertThrows(LimitException.class, () -> Serow.dumps(list(1L, row), Wire.FRAME));
    assertTrue(e.getMessage().contains("more than 268,435,456 elements"), e.getMessage());
  }

  @Test
  void sixtyFourDeepIsNotTooDeep() {
    Object row = 1L;
    for (int i = 0; i < 64; i++) {
      row = i % 2 == 0 ? list(row) : tuple(row);
    }
    List<Object> rows = Collections.nCopies(3000, row);
    Same.assertSame(rows, Serow.loads(Serow.dumps(rows, Wire.FRAME)));
    Object deeper = list(row);
    assertThrows(LimitException.class, () -> Serow.dumps(list(deeper), Wire.FRAME));
  }

  @Test
  void anErrorOfTheCallersListIsPassedOn() {
    List<Object> broken =
        new java.util.AbstractList<>() {
          @Override
          public Object get(int index) {
            throw new UnsupportedOperationException("broken");
          }

          @Override
          public int size() {
            return 3;
          }
        };
    assertThrows(
        UnsupportedOperationException.class, () -> Serow.dumps(list(1L, broken), Wire.FRAME));
    assertEquals(list(1L), Serow.loads(Serow.dumps(list(1L), Wire.FRAME)));
  }
}
