package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

public class RoundTripTest {
  /** A tuple, typed as an object so that it is not taken for the elements of a list around it. */
  public static Object tuple(Object... fields) {
    return fields;
  }

  /** A row that is a tuple. */
  public static Object[] row(Object... fields) {
    return fields;
  }

  /** A list that may contain nulls. */
  public static List<Object> list(Object... elements) {
    return new ArrayList<>(Arrays.asList(elements));
  }

  static Stream<List<?>> rows() {
    double payload = Double.longBitsToDouble(0x7ff8_0000_dead_beefL);
    return Stream.of(
        list(),
        list(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE),
        list((byte) 1, (short) -2, 3, 4L),
        list(0.0, -0.0, 1.5, Double.NaN, payload, Double.NEGATIVE_INFINITY, Double.MIN_VALUE),
        list("", "almond", "\u00fc", "\u20ac", "\ud83d\ude00", "a\u0000b"),
        list(true, false, true),
        list(null, null),
        list(1L, null, 2L),
        list(1L, 1.0, "1", true, null),
        list(tuple(), tuple()),
        list(list(), list()),
        list(list(), list(1.0), list(1.0, 2.0)),
        list(tuple(1L), tuple(2L, 3L), tuple()),
        list(tuple(8429L, tuple(31.49, "hello"))),
        list(list(8429L, tuple(31.49, "hello"))),
        list(tuple(1L, null, list(list(1L), list()), tuple("a", list(true, null)))),
        list(list(1L, "a"), list(2L, "b")),
        list(list(tuple(1L, list("x")), tuple(2L, list())), list()),
        list(tuple(list(null, null, null)), tuple(list())),
        list(tuple(list(tuple(), tuple()))),
        list(tuple(1L, "a"), tuple("a", 1L), tuple(1L, 2.0, "c"), list("a"), 5L));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void comesBackEqualInBothLayouts(List<?> rows) {
    for (Wire wire : Wire.values()) {
      byte[] message = Serow.dumps(rows, wire);
      Same.assertSame(rows, Serow.loads(message));
    }
  }

  @ParameterizedTest
  @MethodSource("rows")
  void comesBackEqualByACodecOfTheInferredSchema(List<?> rows) {
    for (Wire wire : Wire.values()) {
      Codec<Object> codec = Codec.ofAny(Schema.infer(rows)).withWire(wire);
      Same.assertSame(rows, codec.decodeAll(codec.encodeAll(rows)));
    }
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void manyRowsMakeManyFrames(Wire wire) {
    List<Object> rows = new ArrayList<>();
    for (int i = 0; i < 200_000; i++) {
      rows.add(
          tuple((long) i, "name " + i, "group " + i % 7, i * 0.25, i % 3 == 0 ? null : i % 2 == 0));
    }
    Same.assertSame(rows, Serow.loads(Serow.dumps(rows, wire)));
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void rowsOfAllSizesCrossTheBatchesForNativeCode(Wire wire) {
    List<Object> rows = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      rows.add(
          tuple(
              list(new Object[i * i / 20]), "x".repeat(i * 37), list((Object[]) numbers(i * 11))));
    }
    Same.assertSame(rows, Serow.loads(Serow.dumps(rows, wire)));
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void aCharacterBeyondAsciiIsFoundAtEachPlace(Wire wire) {
    List<Object> texts = new ArrayList<>();
    for (int length = 0; length <= 40; length++) {
      String ascii = "0123456789".repeat(5).substring(0, length);
      texts.add(ascii);
      for (int at = 0; at < length; at++) {
        texts.add(ascii.substring(0, at) + '\u00e9' + ascii.substring(at + 1));
      }
    }
    Same.assertSame(texts, Serow.loads(Serow.dumps(texts, wire)));
  }

  private static Long[] numbers(int count) {
    Long[] numbers = new Long[count];
    Arrays.setAll(numbers, i -> (long) i * i);
    return numbers;
  }

  @Test
  void everyKindOfListIsAList() {
    List<Object> linked = new LinkedList<>(List.of(1L, 2L));
    List<Object> rows =
        List.of(linked, Collections.unmodifiableList(linked), List.of(), Arrays.asList(3L));
    Same.assertSame(rows, Serow.loads(Serow.dumps(new LinkedList<>(rows))));
  }

  @Test
  void arraysOfReferencesAreTuples() {
    List<Object> rows = List.of(new String[] {"a", "b"}, new String[] {"c", "d"});
    Same.assertSame(rows, Serow.loads(Serow.dumps(rows)));
  }

  @Test
  void repeatedStringsAreOneObjectAFrame() {
    List<Object> rows = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      rows.add(new String("the same"));
    }
    List<Object> back = Serow.loads(Serow.dumps(rows));
    assertTrue(back.stream().allMatch(s -> s == back.get(0)));
  }

  @Test
  void buffersOfEveryKindAreRead() {
    List<Object> rows = list(tuple(1L, "a"), tuple(2L, "b"));
    byte[] message = Serow.dumps(rows);
    ByteBuffer direct = ByteBuffer.allocateDirect(message.length + 10);
    direct.position(5).put(6, new byte[3]);
    direct.put(message).flip().position(5);
    ByteBuffer heap = ByteBuffer.wrap(new byte[message.length + 10]);
    heap.position(7);
    heap.put(message).flip().position(7);
    for (ByteBuffer buffer :
        List.of(direct, heap.slice(), heap, heap.asReadOnlyBuffer().position(7))) {
      int limit = buffer.limit();
      if (buffer == heap) {
        buffer.position(7);
      }
      Same.assertSame(rows, Serow.loads(buffer));
      assertEquals(limit, buffer.position());
    }
  }

  @Test
  void theInferredSchemaIsTheOneInTheMessage() {
    List<Object> rows = list(tuple(1L, "a", null), tuple(2L, null, list(1.0)));
    assertEquals("(i64, str?, [f64]?)", Schema.infer(rows).toString());
    Codec<Object[]> codec = Codec.of(Schema.infer(rows));
    Same.assertSame(rows, codec.decodeAll(Serow.dumps(rows)));
  }
}
